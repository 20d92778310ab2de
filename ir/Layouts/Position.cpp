//===- Position.cpp - where a tensor's elements are ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Layouts/Position.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace ttjit;
using namespace ttjit::layouts;
using llvm::ArrayRef;

Shape layouts::collapsedIndex(const Layout &layout, ArrayRef<int64_t> element) {
  if (element.empty())
    return {0, 0};
  Shape index(element.size() == 1 ? 1 : 0, 0);
  for (Interval each : layout.intervals) {
    if (each.begin == each.end)
      continue;
    Shape strides = collapse(layout.logical, layout.alignments, each)->strides;
    ArrayRef<int64_t> inside = element.slice(each.begin, strides.size());
    index.push_back(std::inner_product(inside.begin(), inside.end(), strides.begin(), int64_t(0)));
  }
  return index;
}

// Returns the element at an index of the collapsed shape; nothing for padding.
static std::optional<Shape> elementOf(const Layout &layout, ArrayRef<int64_t> collapsed) {
  size_t made = layout.logical.empty() ? 2 : layout.logical.size() == 1 ? 1 : 0;
  for (int64_t index : collapsed.take_front(made))
    if (index != 0)
      return std::nullopt;
  ArrayRef<int64_t> rest = collapsed.drop_front(made);
  Shape element;
  for (Interval each : layout.intervals) {
    if (each.begin == each.end)
      continue;
    Shape strides = collapse(layout.logical, layout.alignments, each)->strides;
    llvm::append_range(element, mlir::delinearize(rest.front(), strides));
    rest = rest.drop_front();
  }
  bool isInside = llvm::all_of(llvm::zip(element, layout.logical),
                               [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
  return isInside ? std::optional(element) : std::nullopt;
}

Position layouts::positionOf(const PlacedLayout &placement, ArrayRef<int64_t> element) {
  Shape index = collapsedIndex(placement.layout, element);
  Position position;
  if (std::optional<TileShape> tile = placement.tile) {
    int64_t &down = index[index.size() - 2], &across = index.back();
    position.row = down % tile->height;
    position.column = across % tile->width;
    down /= tile->height;
    across /= tile->width;
  }
  for (auto [i, extent] : llvm::zip(index, placement.shard())) {
    position.core.push_back(i / extent);
    position.inShard.push_back(i % extent);
  }
  return position;
}

Shape layouts::physicalIndex(const PlacedLayout &placement, const Position &position) {
  Shape index;
  for (auto [core, inShard, extent] : llvm::zip(position.core, position.inShard, placement.shard()))
    index.push_back(core * extent + inShard);
  return index;
}

std::optional<Shape> layouts::elementAt(const PlacedLayout &placement, const Position &position) {
  Shape index = physicalIndex(placement, position);
  if (std::optional<TileShape> tile = placement.tile) {
    index[index.size() - 2] = index[index.size() - 2] * tile->height + position.row;
    index.back() = index.back() * tile->width + position.column;
  }
  return elementOf(placement.layout, index);
}

int64_t layouts::elementInTile(TileShape tile, int64_t row, int64_t column) {
  constexpr int64_t kFace = 16;
  int64_t faceHeight = std::min(tile.height, kFace);
  int64_t face = row / kFace * (tile.width / kFace) + column / kFace;
  return face * faceHeight * kFace + row % kFace * kFace + column % kFace;
}

int64_t layouts::byteInTile(hw::DataFormat format, TileShape tile, int64_t row, int64_t column) {
  int64_t data = tile.height * tile.width * hw::datumBits(format) / 8;
  int64_t exponents = hw::tileBytes(format, tile.height, tile.width) - data;
  return exponents + elementInTile(tile, row, column) * hw::datumBits(format) / 8;
}

int64_t layouts::unitBytes(hw::DataFormat format, std::optional<TileShape> tile) {
  return tile ? hw::tileBytes(format, tile->height, tile->width) : hw::datumBits(format) / 8;
}

int64_t layouts::byteInShard(const PlacedLayout &placement, const Position &position,
                             hw::DataFormat format) {
  Shape strides = byteStrides(placement.shard(), unitBytes(format, placement.tile));
  int64_t unit = mlir::linearize(position.inShard, strides);
  return placement.tile ? unit + byteInTile(format, *placement.tile, position.row, position.column)
                        : unit;
}
