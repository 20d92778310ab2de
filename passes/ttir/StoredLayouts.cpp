//===- StoredLayouts.cpp - layouts that a module asks for ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A metal layout becomes a memory layout of ttnn: each point of the grid is a core with one shard
// of whole tiles. A grid of one row (column) of cores is width (height) sharded, so that it may
// have more points than the device has columns (rows).
//===--------------------------------------------------------------------------===//

#include "passes/ttir/StoredLayouts.h"

#include "ir/TTCore/TTCoreLayouts.h"
#include "passes/ttir/KernelBuilder.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using ttcore::TensorMemoryLayout;

static constexpr int64_t kCores = 8; // rows of cores, and columns

// Returns why the layout does not store the tensor as a matrix of tiles; empty if it does.
static std::string whyNoMatrix(ttcore::MetalLayoutAttr layout, RankedTensorType type) {
  auto tile = dyn_cast<ttcore::TileType>(type.getElementType());
  if (!tile || tile.getHeight() != kTile || tile.getWidth() != kTile)
    return "its elements must be tiles of 32x32";
  int64_t rank = layout.getLogicalShape().size();
  if (layout.getLayout().intervals != layouts::defaultIntervals(rank) || type.getRank() != 4)
    return "all dimensions but the last must be collapsed into one";
  return {};
}

// Returns why the grid times a shard is not the tensor's tiles; empty if it is.
static std::string whyNoShards(ArrayRef<int64_t> device, ArrayRef<int64_t> tiles) {
  int64_t rows = llvm::product_of(tiles.drop_back()), columns = tiles.back();
  if (device[0] * device[2] == rows && device[1] * device[3] == columns)
    return {};
  return "its shards have " + std::to_string(device[0] * device[2]) + "x" +
         std::to_string(device[1] * device[3]) + " tiles, but the tensor has " +
         std::to_string(rows) + "x" + std::to_string(columns) +
         ": padding of whole tiles is not supported";
}

static std::string whyNoGrid(ArrayRef<int64_t> device) {
  bool isLine = device[0] == 1 || device[1] == 1,
       fits = isLine ? device[0] * device[1] <= kCores * kCores
                     : device[0] <= kCores && device[1] <= kCores;
  return fits ? "" : "a grid may have 8x8 cores, or 64 in a line";
}

static ttl::LayoutAttr shardedLayout(MLIRContext *context, ArrayRef<int64_t> device) {
  int64_t rows = device[0], columns = device[1];
  TensorMemoryLayout memory = rows == 1 && columns > 1   ? TensorMemoryLayout::WidthSharded
                              : columns == 1 && rows > 1 ? TensorMemoryLayout::HeightSharded
                                                         : TensorMemoryLayout::BlockSharded;
  return ttl::LayoutAttr::get(context, memory, {kTile, kTile}, {rows, columns},
                              {device[2] * kTile, device[3] * kTile});
}

RankedTensorType ttjit::layoutType(RankedTensorType type, std::string &why) {
  MLIRContext *context = type.getContext();
  auto layout = cast<ttcore::MetalLayoutAttr>(type.getEncoding());
  RankedTensorType stored = deviceType(ttir::logicalType(type));
  if (!stored) {
    why = "the device has no such elements";
    return {};
  }
  ttcore::MemorySpace space = layout.getMemorySpace();
  bool isSharded = layout.getMemoryLayout() != TensorMemoryLayout::Interleaved,
       isL1 = space == ttcore::MemorySpace::DeviceL1;
  why = whyNoMatrix(layout, type);
  if (why.empty() && !isL1 && (isSharded || space != ttcore::MemorySpace::DeviceDRAM))
    why = "shards must be in l1";
  if (why.empty())
    why = whyNoShards(type.getShape(), tilesOf(stored));
  if (why.empty() && isSharded)
    why = whyNoGrid(type.getShape());
  if (!why.empty())
    return {};
  auto encoding = cast<ttl::TensorEncodingAttr>(stored.getEncoding());
  ttl::LayoutAttrInterface made = encoding.getLayout();
  if (isSharded)
    made = shardedLayout(context, type.getShape());
  return RankedTensorType::get(stored.getShape(), stored.getElementType(),
                               ttl::TensorEncodingAttr::get(context, space, made));
}
