//===- ReplacedCopies.h - copies whose handles are replaced ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_REPLACEDCOPIES_H
#define TTJIT_PASSES_TTL_REPLACEDCOPIES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Marks a wait for a copy into a block that another copy fills at once: nobody reads what
/// the first copy moved.
inline constexpr llvm::StringLiteral kOverwrittenAttr = "ttl.overwritten";

/// Waits for copies of the thread whose handles a branch replaces, and warns of them.
void completeReplacedCopies(mlir::Operation *thread);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_REPLACEDCOPIES_H
