//===- Multiples.h - integers that a number divides -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_MULTIPLES_H
#define TTJIT_PASSES_COMMON_MULTIPLES_H

#include "mlir/IR/Value.h"

namespace ttjit {

/// Returns whether `index` is known to be a multiple of `factor`, from constants, sums and products
/// of the language, and the bounds of loops.
bool isMultipleOf(mlir::Value index, int64_t factor);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_MULTIPLES_H
