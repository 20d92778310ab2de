//===- IndexRange.h - bounds of run-time integers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_INDEXRANGE_H
#define TTJIT_PASSES_COMMON_INDEXRANGE_H

#include "passes/common/PassDialects.h"

namespace ttjit {

/// What an integer can be, ends included.
struct IndexRange {
  int64_t min = INT32_MIN, max = INT32_MAX;
};

/// Bounds that follow from constants, the grid and the bounds of loops. User
/// arithmetic is checked, so a result that exists did not overflow.
class IndexRanges {
public:
  /// `grid`: extents of the kernel's grid.
  explicit IndexRanges(llvm::ArrayRef<int64_t> grid) : grid(grid) {}

  IndexRange of(mlir::Value value);

private:
  IndexRange compute(mlir::Value value, unsigned depth);
  IndexRange compute(mlir::Operation *op, mlir::Value value, unsigned depth);
  IndexRange lookup(mlir::Value value, unsigned depth);

  llvm::SmallVector<int64_t> grid;
  llvm::DenseMap<mlir::Value, IndexRange> known;
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_INDEXRANGE_H
