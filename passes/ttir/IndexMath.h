//===- IndexMath.h - index expressions whose variables have ranges --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR simplifies affine expressions without the ranges of their variables. Indices of tensors have
// ranges: (64 * i + j) floordiv 256 is i floordiv 4 if j is less than 64.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_INDEXMATH_H
#define TTJIT_PASSES_TTIR_INDEXMATH_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"

namespace ttjit {

/// All numbers from `least` to `most`.
struct IndexInterval {
  int64_t least, most;
};

/// Returns an equal expression without quotients and remainders that the ranges make superfluous.
/// `ranges` has one for each variable (dim). Divisors are positive.
mlir::AffineExpr simplifyInRanges(mlir::AffineExpr expr, llvm::ArrayRef<IndexInterval> ranges);

} // namespace ttjit

#endif // TTJIT_PASSES_TTIR_INDEXMATH_H
