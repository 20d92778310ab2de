//===- Thread.h - the walk over the syntax tree of a thread ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_THREAD_H
#define TTJIT_FRONTEND_WALK_THREAD_H

#include "diagnostics/CompileDiagnostic.h"
#include "frontend/walk/context/Walker.h"

#include <string>
#include <vector>

namespace ttjit::frontend {

/// Compiles one thread of a kernel: walks its Python function and builds ops at the end of `body`.
/// The function has no parameters. That of a unified thread has parameters whose default values are
/// the call's arguments. Errors are added to `reported`.
void walkThread(Kernel &kernel, ThreadKind kind, std::string name, mlir::Block *body,
                py::handle function, std::vector<diagnostics::CompileDiagnostic> &reported);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_THREAD_H
