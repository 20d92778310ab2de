//===- ClangErrors.h - errors of Clang at the lines of a kernel -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CLANGERRORS_H
#define TTJIT_TOOLS_SESSION_CLANGERRORS_H

#include "tools/session/Engine.h"

namespace ttjit::session {

/// Returns the refusal of the first of the `chosen` threads, whose emitted code does not compile.
/// `errors` is Clang's output. An error in a header of the user, or at a line of the kernel that
/// calls one of its functions, is reported at that call; a note has the place in the header.
Refusal explainClangErrors(const plan::LaunchPlan &plan, llvm::ArrayRef<size_t> chosen,
                           const std::string &errors);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CLANGERRORS_H
