//===- SplitPoints.h - where to split a compute that does not fit ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Chooses where to cut a compute that needs more DST registers than there are. The
// pieces run one after the other. Values that a later piece reads from an earlier one
// go through L1, and the cuts are chosen so that these are fewest.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_SPLITPOINTS_H
#define TTJIT_PASSES_DST_SPLITPOINTS_H

#include "passes/dst/DSTOrder.h"

namespace ttjit {

/// Returns the spilled value if `value` is a restored one, else `value`.
mlir::Value spilledValue(mlir::Value value);

/// Consecutive parts of an order; each fits into the DST registers.
struct Split {
  std::vector<TileOrder> pieces;
  int64_t traffic = 0; ///< number of tiles loaded and stored, per tile of the output
};

/// Returns the split of `order` with the least traffic, and among those the one with
/// the fewest pieces. `order` has no fills, which are repeated wherever they are read.
/// No piece has more than `longest` ops.
Split chooseSplit(mlir::tt::ttl::ComputeOp compute, const TileOrder &order, int capacity,
                  int longest);

} // namespace ttjit

#endif // TTJIT_PASSES_DST_SPLITPOINTS_H
