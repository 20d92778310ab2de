//===- CardRules.h - what tt-lang refuses for a card ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_CARDRULES_H
#define TTJIT_PASSES_TTL_CARDRULES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Follows what a message says of the user's kernel, before what to do.
inline constexpr llvm::StringLiteral kRefused = ": tt-lang's compiler refuses this for a card; ";

/// Looks for uses of blocks in the thread that run here, but that tt-lang's compiler refuses for a
/// card. With `portable` they are errors. Otherwise those are warnings that a program has little
/// reason for. Needs a thread that keeps the rules of blocks.
mlir::LogicalResult checkCardRules(mlir::Operation *thread, bool portable);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_CARDRULES_H
