//===- IndexRange.h - bounds of run-time integers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_INDEXRANGE_H
#define TTJIT_PASSES_COMMON_INDEXRANGE_H

#include "passes/common/DataFlow.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// What an integer can be, ends included.
struct IndexRange {
  int64_t min = INT32_MIN, max = INT32_MAX;
};

/// Bounds that follow from constants, the grid and the bounds of loops: MLIR's integer
/// range analysis, which learns here what the operations of ttl return. User arithmetic is
/// checked, so a result that exists did not overflow.
class IndexRanges {
public:
  /// Finds the bounds of all values of `root`. `grid`: extents of the kernel's grid.
  IndexRanges(mlir::Operation *root, llvm::ArrayRef<int64_t> grid);

  /// Nothing is known of a value that was created later, unless it is a constant.
  IndexRange of(mlir::Value value) const;

private:
  PathSolver solver;
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_INDEXRANGE_H
