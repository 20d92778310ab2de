//===- Aliases.h - replaces ops of tt-lang's own dialect ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_ALIASES_H
#define TTJIT_PASSES_TTL_ALIASES_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// Replaces the ops of ir/TTL/TTLAliasOps.td under `root`. They name a buffer instead
/// of a block: a release means the oldest open block of the buffer in its thread, a
/// copy means the latest one. Returns the number of replaced ops; fails with a
/// diagnostic if there is no such block.
mlir::FailureOr<unsigned> replaceAliases(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_ALIASES_H
