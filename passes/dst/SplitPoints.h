//===- SplitPoints.h - where to split a compute that does not fit ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A compute that needs more DST registers than there are is cut into pieces that
// run one after the other. What a later piece reads of an earlier one goes through
// L1; the cuts are where that is least.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_SPLITPOINTS_H
#define TTJIT_PASSES_DST_SPLITPOINTS_H

#include "passes/dst/DSTOrder.h"

namespace ttjit {

/// The value that `value` is, or was before it was spilled and restored.
mlir::Value spilledValue(mlir::Value value);

/// Consecutive parts of an order, each of which fits.
struct Split {
  std::vector<TileOrder> pieces;
  int64_t traffic = 0; ///< tiles loaded and stored per tile of the output
};

/// The split of `order` (ops but fills, which are repeated wherever they are read)
/// with the least traffic, and of those the one with the fewest pieces. No piece
/// has more than `longest` ops.
Split chooseSplit(mlir::tt::ttl::ComputeOp compute, const TileOrder &order, int capacity,
                  int longest);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_SPLITPOINTS_H
