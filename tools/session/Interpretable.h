//===- Interpretable.h - what the interpreter need not know ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_INTERPRETABLE_H
#define TTJIT_TOOLS_SESSION_INTERPRETABLE_H

#include "mlir/IR/BuiltinOps.h"

namespace ttjit::session {

/// tt-lang's own ops and windows of tensors are only another way to write others and
/// mean what ttl-canonicalize makes of them. Where a module still has such ops, that
/// pass runs, whatever else has or has not been done.
mlir::LogicalResult makeInterpretable(mlir::ModuleOp module, llvm::StringRef arch);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_INTERPRETABLE_H
