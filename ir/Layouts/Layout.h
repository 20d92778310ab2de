//===- Layout.h - from logical shapes to shapes on the device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// How tt-mlir stores a tensor, as functions on numbers. Three steps lead from the shape
// that the user sees to the shape on the device:
//
//   collapsed  each interval of logical dimensions becomes one dimension, padded to the
//              alignments of its dimensions
//   physical   the same in tiles, if the tensor has tiles
//   device     the extents of the grid, then those of a shard: physical = grid * shard
//
// #ttcore.metal_layout holds the numbers of the first step. The functions assume what
// whyNoLayout(), whyNotTiled() and whyNoShards() check.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LAYOUTS_LAYOUT_H
#define TTJIT_IR_LAYOUTS_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ttjit::layouts {

using Shape = llvm::SmallVector<int64_t, 4>;

/// Logical dimensions begin, ..., end - 1.
struct Interval {
  int64_t begin = 0, end = 0;
  bool operator==(const Interval &) const = default;
};
using Intervals = llvm::SmallVector<Interval, 4>;

struct TileShape {
  int64_t height = 32, width = 32;
};

/// A layout has at most this many elements, with padding.
inline constexpr int64_t kMaxElements = int64_t(1) << 56;

struct Layout {
  Shape logical;       ///< extents, at least 1
  Shape alignments;    ///< one for each logical dimension, at least 1
  Intervals intervals; ///< as normalizeIntervals() returns them
};

/// Returns the product of the extents; nothing if it is above kMaxElements.
std::optional<int64_t> volumeOf(llvm::ArrayRef<int64_t> shape);

//===--------------------------------------------------------------------------===//
// Intervals and alignments
//===--------------------------------------------------------------------------===//

/// Returns what is wrong with a layout of these numbers; nothing if it is one. Bounds of intervals
/// may be negative: they count from the end.
std::optional<std::string> whyNoLayout(llvm::ArrayRef<int64_t> logical,
                                       llvm::ArrayRef<int64_t> alignments,
                                       llvm::ArrayRef<Interval> intervals);

/// Returns the intervals in ascending order, with bounds that count from the start. Each dimension
/// behind the last interval gets an interval of its own. A vector becomes a row: its first interval
/// is empty.
Intervals normalizeIntervals(llvm::ArrayRef<Interval> intervals, int64_t rank);

/// Returns the intervals that collapse all dimensions but the last one.
Intervals defaultIntervals(int64_t rank);

/// Returns the alignments that pad the last two dimensions of the device to tiles of 32x32.
Shape tileAlignments(int64_t rank, llvm::ArrayRef<Interval> intervals);

/// Returns alignments that also pad to multiples of the device's cores, where the tensor has more
/// tiles than the device has rows or columns of cores. `device`: rows and columns.
Shape gridAlignments(llvm::ArrayRef<int64_t> logical, llvm::ArrayRef<Interval> intervals,
                     llvm::ArrayRef<int64_t> device);

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

/// What an interval becomes: the extent of its dimension, and the stride in it of each logical
/// dimension of the interval.
struct Collapse {
  int64_t extent = 1;
  Shape strides;
};
/// Returns nothing if the extent is above kMaxElements.
std::optional<Collapse> collapse(llvm::ArrayRef<int64_t> logical,
                                 llvm::ArrayRef<int64_t> alignments, Interval interval);

/// Returns the shape in elements. A scalar becomes 32x32, a vector 32 rows.
Shape collapsedShape(const Layout &layout);

/// Returns why the collapsed shape is not one of tiles; nothing if it is.
std::optional<std::string> whyNotTiled(llvm::ArrayRef<int64_t> collapsed, TileShape tile);

/// Returns the shape in tiles; without a tile, in elements.
Shape physicalShape(llvm::ArrayRef<int64_t> collapsed, std::optional<TileShape> tile);

/// Returns why the grid does not divide the physical shape; nothing if it does.
std::optional<std::string> whyNoShards(llvm::ArrayRef<int64_t> physical,
                                       llvm::ArrayRef<int64_t> grid);

Shape shardShape(llvm::ArrayRef<int64_t> physical, llvm::ArrayRef<int64_t> grid);

/// The memory of a host tensor that has the padding of a layout, in elements.
struct HostMemory {
  Shape strides;
  int64_t volume = 1;
};
HostMemory hostMemory(const Layout &layout);

/// Returns the row-major strides of a shape whose elements have `elementBytes` bytes.
Shape byteStrides(llvm::ArrayRef<int64_t> shape, int64_t elementBytes);

} // namespace ttjit::layouts

#endif // TTJIT_IR_LAYOUTS_LAYOUT_H
