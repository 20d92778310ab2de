//===- DeviceTensors.cpp - tensors of tt-mlir's layouts by element ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/mlir-run/DeviceTensors.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::mlir_run;
using namespace ttjit::session;

// Returns why the grid does not divide the layout into the type's shards; nothing if it does.
static std::optional<std::string> whyNoPlacement(const layouts::PlacedLayout &placement,
                                                 ArrayRef<int64_t> shard) {
  layouts::Shape collapsed = layouts::collapsedShape(placement.layout);
  if (placement.tile)
    if (std::optional<std::string> why = layouts::whyNotTiled(collapsed, *placement.tile))
      return why;
  if (std::optional<std::string> why =
          layouts::whyNoShards(layouts::physicalShape(collapsed, placement.tile), placement.grid))
    return why;
  if (ArrayRef<int64_t>(placement.shard()) != shard)
    return "its shards do not have the shape that the layout gives them";
  return std::nullopt;
}

std::optional<ElementFinder> ElementFinder::create(Type type, Type storage, AffineMap map,
                                                   std::string &why) {
  auto shaped = cast<ShapedType>(type), whole = cast<ShapedType>(storage);
  ElementFinder finder;
  finder.map = map;
  finder.stored = layouts::Shape(whole.getShape());
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<ttcore::MetalLayoutAttr>(tensor.getEncoding()) : nullptr;
  if (!layout) {
    finder.logical = layouts::Shape(shaped.getShape());
    if (d2m::getGrid(type).empty() && isa<FloatType, IntegerType>(shaped.getElementType()))
      return finder;
    why = "has no logical elements: it needs a #ttcore.metal_layout";
    return std::nullopt;
  }
  layouts::PlacedLayout placement{layout.getLayout(), std::nullopt,
                                  layouts::Shape(d2m::getGrid(type))};
  if (auto tile = dyn_cast<ttcore::TileType>(shaped.getElementType()))
    placement.tile = finder.tile = {tile.getHeight(), tile.getWidth()};
  if (std::optional<std::string> mistake = whyNoPlacement(placement, d2m::getShard(type))) {
    why = "does not fit its layout: " + *mistake;
    return std::nullopt;
  }
  finder.logical = layouts::Shape(layout.getLogicalShape());
  finder.placement = placement;
  return finder;
}

int64_t ElementFinder::find(ArrayRef<int64_t> element) const {
  SmallVector<int64_t> index(element);
  if (placement) {
    layouts::Position position = layouts::positionOf(*placement, element);
    index.assign(position.core.begin(), position.core.end());
    index.append(position.inShard.begin(), position.inShard.end());
    index = map.compose(index);
    if (placement->tile) {
      int64_t &row = index[index.size() - 2], &column = index.back();
      row = row * tile.height + position.row;
      column = column * tile.width + position.column;
    }
  }
  int64_t number = 0;
  for (auto [extent, i] : llvm::zip(stored, index))
    number = number * extent + i;
  return number;
}

//===--------------------------------------------------------------------------===//
// Indices of the device
//===--------------------------------------------------------------------------===//

DeviceElements::DeviceElements(Type type, AffineMap map, ArrayRef<int64_t> stored)
    : map(map), stored(stored) {
  auto shaped = cast<ShapedType>(type);
  extents.assign(shaped.getShape().begin(), shaped.getShape().end());
  if (auto tile = dyn_cast<ttcore::TileType>(shaped.getElementType())) {
    rows = tile.getHeight();
    columns = tile.getWidth();
    extents[extents.size() - 2] *= rows;
    extents.back() *= columns;
  }
}

std::optional<int64_t> DeviceElements::find(ArrayRef<int64_t> index) const {
  SmallVector<int64_t> place(index);
  place[place.size() - 2] /= rows;
  place.back() /= columns;
  place = map.compose(place);
  place[place.size() - 2] = place[place.size() - 2] * rows + index[index.size() - 2] % rows;
  place.back() = place.back() * columns + index.back() % columns;
  int64_t number = 0;
  for (auto [extent, i] : llvm::zip(stored, place)) {
    if (i < 0 || i >= extent)
      return std::nullopt;
    number = number * extent + i;
  }
  return number;
}

bool mlir_run::nextIndex(MutableArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    if (++index[dim] < shape[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}
