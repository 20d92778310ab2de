//===- CardRules.h - what tt-lang refuses for a card ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_CARDRULES_H
#define TTJIT_PASSES_TTL_CARDRULES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// The middle of a message, between what is refused and what to do instead.
inline constexpr llvm::StringLiteral kRefused = ": tt-lang's compiler refuses this for a card; ";

/// Looks for uses of blocks in the thread that run here, but that tt-lang's compiler refuses for a
/// card. With `portable` they are errors. Otherwise some are warnings: those for which a program
/// has little reason. Needs a thread that keeps the rules of blocks.
mlir::LogicalResult checkCardRules(mlir::Operation *thread, bool portable);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_CARDRULES_H
