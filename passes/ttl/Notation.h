//===- Notation.h - what the input may abbreviate -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_NOTATION_H
#define TTJIT_PASSES_TTL_NOTATION_H

#include "passes/common/PassDialects.h"

namespace ttjit {

struct NotationCounts {
  unsigned aliases = 0, windows = 0;
};

/// Replaces ops that stand for others by these: ops of tt-lang's dialect, a node's
/// windows of tensors, regions of expressions. Passes behind ttl-canonicalize, which
/// begins with this, and the interpreter know none of them.
mlir::FailureOr<NotationCounts> expandNotation(mlir::Operation *root);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_NOTATION_H
