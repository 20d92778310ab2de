//===- IndexRange.h - bounds of run-time integers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_INDEXRANGE_H
#define TTJIT_PASSES_COMMON_INDEXRANGE_H

#include "passes/common/DataFlow.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Smallest and largest value that an integer can have.
struct IndexRange {
  int64_t min = INT32_MIN, max = INT32_MAX;
};

/// Finds bounds of integers from constants, the grid and the bounds of loops, with
/// MLIR's integer range analysis and the operations of ttl. User arithmetic is checked,
/// so a result that exists did not overflow.
class IndexRanges {
public:
  /// Finds the bounds of all values of `root`. `grid`: extents of the kernel's grid.
  IndexRanges(mlir::Operation *root, llvm::ArrayRef<int64_t> grid);

  /// The bounds of `value`. A value created after the analysis has unknown bounds
  /// unless it is a constant.
  IndexRange of(mlir::Value value) const;

private:
  PathSolver solver;
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_INDEXRANGE_H
