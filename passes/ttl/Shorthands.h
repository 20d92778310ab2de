//===- Shorthands.h - expands abbreviations -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_SHORTHANDS_H
#define TTJIT_PASSES_TTL_SHORTHANDS_H

#include "passes/common/PassDialects.h"

namespace ttjit {

struct ShorthandCounts {
  unsigned aliases = 0, windows = 0;
};

/// Replaces each op that abbreviates several others: ops of tt-lang's dialect, a node's
/// windows of tensors, regions of expressions. ttl-canonicalize begins with this; later
/// passes and the interpreter do not know these ops.
mlir::FailureOr<ShorthandCounts> expandShorthands(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_SHORTHANDS_H
