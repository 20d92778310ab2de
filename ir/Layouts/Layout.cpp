//===- Layout.cpp - from logical shapes to shapes on the device ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Layouts/Layout.h"

#include "ir/Layouts/ShapeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace ttjit;
using namespace ttjit::layouts;
using llvm::ArrayRef;

static constexpr int64_t kTile = 32; // rows and columns of the tile that alignments assume

// Returns the product, if it is at most kMaxElements.
static std::optional<int64_t> limitedProduct(int64_t a, int64_t b) {
  std::optional<int64_t> product = llvm::checkedMul(a, b);
  return product && *product <= kMaxElements ? product : std::nullopt;
}

std::optional<int64_t> layouts::volumeOf(ArrayRef<int64_t> shape) {
  std::optional<int64_t> volume = 1;
  for (int64_t extent : shape)
    volume = volume ? limitedProduct(*volume, extent) : std::nullopt;
  return volume;
}

//===--------------------------------------------------------------------------===//
// Intervals and alignments
//===--------------------------------------------------------------------------===//

static Interval fromStart(Interval interval, int64_t rank) {
  return {interval.begin < 0 ? interval.begin + rank : interval.begin,
          interval.end < 0 ? interval.end + rank : interval.end};
}

static std::string textOf(Interval interval) {
  return "[" + std::to_string(interval.begin) + ", " + std::to_string(interval.end) + "]";
}

// Returns what is wrong with the bounds of an interval; nothing if they are right.
static std::optional<std::string> whyNoInterval(Interval given, int64_t rank) {
  auto [begin, end] = fromStart(given, rank);
  if (begin < 0 || end < 0 || begin > rank || end > rank)
    return "the interval " + textOf(given) + " is outside of the " + std::to_string(rank) +
           (rank == 1 ? " dimension" : " dimensions") + " of logical_shape: its bounds must be -" +
           std::to_string(rank) + " to " + std::to_string(rank);
  bool isRowOfVector = rank == 1 && begin == 0 && end == 0;
  if (begin >= end && !isRowOfVector)
    return "the interval " + textOf(given) +
           " has no dimension: its end must be greater than its start";
  return std::nullopt;
}

// Returns what is wrong with intervals that are sorted and counted from the start; nothing if each
// dimension is in one of them.
static std::optional<std::string> whyNoCover(ArrayRef<Interval> intervals) {
  int64_t covered = 0;
  for (Interval each : intervals) {
    if (each.begin > covered)
      return "dimension " + std::to_string(covered) + " is before the interval " + textOf(each) +
             " and in no other: collapsed_intervals must begin at dimension 0 and leave no gap";
    if (each.begin < covered)
      return "dimension " + std::to_string(each.begin) +
             " is in two intervals: collapsed_intervals must not overlap";
    covered = each.end;
  }
  return std::nullopt;
}

// Returns what is wrong with the extents and alignments of the logical dimensions, if anything is.
static std::optional<std::string> whyNoExtents(ArrayRef<int64_t> logical,
                                               ArrayRef<int64_t> alignments) {
  if (logical.size() != alignments.size())
    return "logical_shape has rank " + std::to_string(logical.size()) +
           ", but dim_alignments has " + std::to_string(alignments.size()) +
           ": give one alignment for each dimension";
  for (int64_t extent : logical)
    if (extent < 1)
      return "the extents of logical_shape must be at least 1, found " + std::to_string(extent);
  for (int64_t alignment : alignments)
    if (alignment < 1)
      return "the alignments must be at least 1, found " + std::to_string(alignment);
  return std::nullopt;
}

// Returns whether the collapsed shape has at most kMaxElements.
static bool fits(ArrayRef<int64_t> logical, ArrayRef<int64_t> alignments,
                 ArrayRef<Interval> intervals) {
  Shape shape(logical.size() == 1 ? 1 : 0, kTile);
  for (Interval each : intervals) {
    std::optional<Collapse> collapsed = collapse(logical, alignments, each);
    if (!collapsed)
      return false;
    shape.push_back(collapsed->extent);
  }
  return volumeOf(shape).has_value();
}

std::optional<std::string> layouts::whyNoLayout(ArrayRef<int64_t> logical,
                                                ArrayRef<int64_t> alignments,
                                                ArrayRef<Interval> intervals) {
  if (std::optional<std::string> mistake = whyNoExtents(logical, alignments))
    return mistake;
  int64_t rank = logical.size();
  for (Interval each : intervals)
    if (std::optional<std::string> mistake = whyNoInterval(each, rank))
      return mistake;
  Intervals normalized = normalizeIntervals(intervals, rank);
  if (std::optional<std::string> mistake = whyNoCover(normalized))
    return mistake;
  if (!fits(logical, alignments, normalized))
    return "a tensor of " + textOf(logical) + " with alignments " + textOf(alignments) +
           " has more than 2^56 elements";
  return std::nullopt;
}

Intervals layouts::normalizeIntervals(ArrayRef<Interval> given, int64_t rank) {
  Intervals result;
  for (Interval each : given)
    result.push_back(fromStart(each, rank));
  llvm::stable_sort(result, [](Interval a, Interval b) { return a.begin < b.begin; });
  int64_t covered = 0;
  for (Interval each : result)
    covered = std::max(covered, each.end);
  for (; covered < rank; ++covered)
    result.push_back({covered, covered + 1});
  if (rank == 1 && result.size() == 1)
    result.insert(result.begin(), Interval{0, 0});
  return result;
}

Intervals layouts::defaultIntervals(int64_t rank) {
  if (rank == 0)
    return {};
  return {{0, rank - 1}, {rank - 1, rank}};
}

Shape layouts::tileAlignments(int64_t rank, ArrayRef<Interval> intervals) {
  Shape alignments(rank, 1);
  for (Interval each : intervals.take_back(2))
    if (each.end > each.begin)
      alignments[each.end - 1] = kTile;
  return alignments;
}

// Returns the product of the interval's extents, of which the last two of the tensor are padded to
// tiles; at most kMaxElements.
static int64_t tiledExtent(ArrayRef<int64_t> logical, Interval interval) {
  std::optional<int64_t> extent = 1;
  for (int64_t dim = interval.begin; dim < interval.end && extent; ++dim) {
    bool isTiled = dim + 2 >= int64_t(logical.size());
    extent = limitedProduct(*extent, isTiled ? llvm::alignTo(logical[dim], kTile) : logical[dim]);
  }
  return extent.value_or(kMaxElements);
}

Shape layouts::gridAlignments(ArrayRef<int64_t> logical, ArrayRef<Interval> intervals,
                              ArrayRef<int64_t> device) {
  Shape alignments = tileAlignments(logical.size(), intervals);
  ArrayRef<Interval> last = intervals.take_back(2);
  for (size_t i = 0; i < last.size(); ++i) {
    int64_t cores = kTile * device[device.size() - last.size() + i];
    bool isEmpty = last[i].begin == last[i].end;
    if (!isEmpty && tiledExtent(logical, last[i]) > cores)
      alignments[last[i].begin] = cores;
  }
  return alignments;
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

static std::optional<int64_t> limitedAlign(int64_t value, int64_t alignment) {
  return limitedProduct(llvm::divideCeil(uint64_t(value), uint64_t(alignment)), alignment);
}

std::optional<Collapse> layouts::collapse(ArrayRef<int64_t> logical, ArrayRef<int64_t> alignments,
                                          Interval interval) {
  Collapse result;
  result.strides.resize(interval.end - interval.begin);
  for (int64_t dim = interval.end; dim-- > interval.begin;) {
    result.strides[dim - interval.begin] = result.extent;
    std::optional<int64_t> extent = limitedProduct(logical[dim], result.extent);
    extent = extent ? limitedAlign(*extent, alignments[dim]) : std::nullopt;
    if (!extent)
      return std::nullopt;
    result.extent = *extent;
  }
  return result;
}

Shape layouts::collapsedShape(const Layout &layout) {
  if (layout.logical.empty())
    return {kTile, kTile};
  Shape shape(layout.logical.size() == 1 ? 1 : 0, kTile);
  for (Interval each : layout.intervals)
    if (each.end > each.begin)
      shape.push_back(collapse(layout.logical, layout.alignments, each)->extent);
  return shape;
}

std::optional<std::string> layouts::whyNotTiled(ArrayRef<int64_t> collapsed, TileShape tile) {
  if (collapsed.size() < 2)
    return "tiles need two dimensions, but the intervals collapse the shape to one: " +
           textOf(collapsed);
  auto [height, width] = tile;
  if (collapsed[collapsed.size() - 2] % height == 0 && collapsed.back() % width == 0)
    return std::nullopt;
  return "the collapsed shape " + textOf(collapsed) + " is not made of whole tiles of " +
         textOf({height, width}) + ": dim_alignments must be multiples of the tile's extents";
}

Shape layouts::physicalShape(ArrayRef<int64_t> collapsed, std::optional<TileShape> tile) {
  Shape physical(collapsed);
  if (tile) {
    physical[physical.size() - 2] /= tile->height;
    physical.back() /= tile->width;
  }
  return physical;
}

std::optional<std::string> layouts::whyNoShards(ArrayRef<int64_t> physical,
                                                ArrayRef<int64_t> grid) {
  if (grid.size() != physical.size())
    return "the grid " + textOf(grid) + " has rank " + std::to_string(grid.size()) +
           ", but the physical shape " + textOf(physical) + " has rank " +
           std::to_string(physical.size());
  for (auto [extent, cores] : llvm::zip(physical, grid))
    if (cores < 1 || extent % cores)
      return "the grid " + textOf(grid) + " does not divide the physical shape " +
             textOf(physical) + ": each core must have the same number of tiles or elements";
  return std::nullopt;
}

Shape layouts::shardShape(ArrayRef<int64_t> physical, ArrayRef<int64_t> grid) {
  Shape shard;
  for (auto [extent, cores] : llvm::zip(physical, grid))
    shard.push_back(extent / cores);
  return shard;
}

HostMemory layouts::hostMemory(const Layout &layout) {
  HostMemory memory;
  memory.strides.resize(layout.logical.size());
  for (Interval each : llvm::reverse(layout.intervals)) {
    Collapse collapsed = *collapse(layout.logical, layout.alignments, each);
    for (int64_t dim = each.begin; dim < each.end; ++dim)
      memory.strides[dim] = collapsed.strides[dim - each.begin] * memory.volume;
    memory.volume *= collapsed.extent;
  }
  if (layout.logical.size() == 1)
    memory.volume *= kTile;
  return memory;
}

Shape layouts::byteStrides(ArrayRef<int64_t> shape, int64_t elementBytes) {
  Shape strides(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = elementBytes;
    elementBytes *= shape[dim];
  }
  return strides;
}
