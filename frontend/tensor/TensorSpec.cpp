//===- TensorSpec.cpp - the properties of a tensor, without its data ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorSpec.h"

#include "hw/facts/Words.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

namespace {

struct DTypeFacts {
  std::string_view name;
  hw::DataFormat format;
};

// The entries are in the order of the enumeration DType.
constexpr DTypeFacts kDTypes[kNumDTypes] = {
    {"float32", hw::DataFormat::Float32},  {"bfloat16", hw::DataFormat::Float16_b},
    {"float16", hw::DataFormat::Float16},  {"bfloat8_b", hw::DataFormat::Bfp8_b},
    {"bfloat4_b", hw::DataFormat::Bfp4_b}, {"uint32", hw::DataFormat::UInt32},
    {"int32", hw::DataFormat::Int32},      {"uint16", hw::DataFormat::UInt16},
    {"uint8", hw::DataFormat::UInt8},
};

const DTypeFacts &factsOf(DType dtype) { return kDTypes[static_cast<int>(dtype)]; }

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Fails for extents that are not positive or too large. The limit on the number of elements makes
// sure that no size computed from the extents, padding included, overflows.
void checkExtents(const std::vector<int64_t> &shape) {
  constexpr int64_t kMaxElements = int64_t(1) << 44;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 1)
      throw TensorError(
          fmt::format("shape {}: extent {} must be at least 1", describe(shape), extent));
    if (extent > kMaxElements / elements)
      throw TensorError(
          fmt::format("shape {} has more than 2^44 elements, which is the limit", describe(shape)));
    elements *= extent;
  }
}

} // namespace

std::string_view nameOf(DType dtype) { return factsOf(dtype).name; }
hw::DataFormat formatOf(DType dtype) { return factsOf(dtype).format; }
bool isInteger(DType dtype) { return !hw::isFloatFormat(formatOf(dtype)); }
bool isBlockFloat(DType dtype) { return hw::isBlockFloat(formatOf(dtype)); }
DType hostTypeOf(DType dtype) { return isBlockFloat(dtype) ? DType::Float32 : dtype; }
uint32_t elementBytes(DType dtype) {
  return static_cast<uint32_t>(hw::datumBits(formatOf(hostTypeOf(dtype))) / 8);
}

std::string_view nameOf(TensorLayout layout) {
  return layout == TensorLayout::Tile ? "TILE" : "ROW_MAJOR";
}

std::string describe(const std::vector<int64_t> &shape) {
  if (shape.size() == 1)
    return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ", "));
}

//===--------------------------------------------------------------------------===//
// Pages and shards
//===--------------------------------------------------------------------------===//

hw::PageLayout TensorSpec::pages() const {
  bool cutsRows = layout == TensorLayout::RowMajor && memory.shards;
  return {shape, layout == TensorLayout::Tile, cutsRows ? memory.shards->columns : 0};
}

std::array<int64_t, 2> TensorSpec::shardUnits() const {
  int64_t unit = layout == TensorLayout::Tile ? hw::kTileDim : 1;
  return {memory.shards->rows / unit, memory.shards->columns / unit};
}

std::array<int64_t, 2> TensorSpec::shardGrid() const {
  hw::PageLayout all = pages();
  int64_t pageColumns = layout == TensorLayout::Tile ? shardUnits()[1] : 1;
  return {divideUp(all.pageRows(), shardUnits()[0]), divideUp(all.pageColumns(), pageColumns)};
}

static void checkShards(const TensorSpec &spec) {
  const ShardSpec &shards = *spec.memory.shards;
  shards.check();
  bool tiled = spec.layout == TensorLayout::Tile;
  if (tiled && (shards.rows % hw::kTileDim || shards.columns % hw::kTileDim))
    throw TensorError(fmt::format("shards of {}x{} elements would cut tiles: both extents must be "
                                  "multiples of {}; or use ttnn.ROW_MAJOR_LAYOUT",
                                  shards.rows, shards.columns, hw::kTileDim));
  hw::PageLayout pages = spec.pages();
  int64_t unit = tiled ? hw::kTileDim : 1;
  int64_t rows = pages.pageRows() * unit;
  int64_t columns = tiled ? pages.pageColumns() * unit : pages.columns;
  if (spec.memory.layout == MemoryLayout::HeightSharded && shards.columns != columns)
    throw TensorError(fmt::format("shards of a height sharded tensor of shape {} must have all its "
                                  "{} columns, found shards of {}x{}",
                                  describe(spec.shape), columns, shards.rows, shards.columns));
  if (spec.memory.layout == MemoryLayout::WidthSharded && shards.rows != rows)
    throw TensorError(fmt::format("shards of a width sharded tensor of shape {} must have all its "
                                  "{} rows, found shards of {}x{}",
                                  describe(spec.shape), rows, shards.rows, shards.columns));
  auto [down, across] = spec.shardGrid();
  int64_t cores = static_cast<int64_t>(shards.cores().size());
  if (down * across > cores)
    throw TensorError(
        fmt::format("a tensor of shape {} has {} of {}x{}, but the ShardSpec names {}",
                    describe(spec.shape), hw::plural(down * across, "shard"), shards.rows,
                    shards.columns, hw::plural(cores, "core")));
  if (spec.memory.layout != MemoryLayout::BlockSharded)
    return;
  const CoreRange &range = shards.grid.front();
  bool byRow = shards.orientation == ShardOrientation::RowMajor;
  int64_t width = byRow ? range.width() : range.height();
  int64_t height = byRow ? range.height() : range.width();
  if (shards.grid.size() != 1 || down > height || across > width)
    throw TensorError(
        fmt::format("a block sharded tensor of shape {} has {}x{} shards: its ShardSpec must name "
                    "one rectangle with at least as many rows and columns of cores, found {}",
                    describe(spec.shape), down, across, describe(shards)));
}

static void checkMemory(const TensorSpec &spec) {
  spec.memory.check();
  if (spec.memory.isSharded() && !spec.memory.shards)
    throw TensorError(
        fmt::format("a tensor in {} memory must have shards: pass shard_spec=ttnn.ShardSpec(grid, "
                    "shape, orientation) to MemoryConfig",
                    describe(spec.memory)));
  if (spec.memory.shards)
    checkShards(spec);
}

// Returns the core of each shard. In block sharding, shard (i, j) is on the core in row i and
// column j of the rectangle. Otherwise the shards are on one core after the other.
static std::vector<Core> coresOfShards(const TensorSpec &spec) {
  const ShardSpec &shards = *spec.memory.shards;
  auto [down, across] = spec.shardGrid();
  std::vector<Core> cores;
  if (spec.memory.layout != MemoryLayout::BlockSharded) {
    cores = shards.cores();
    cores.resize(static_cast<size_t>(down * across));
    return cores;
  }
  Core first = shards.grid.front().first;
  bool byRow = shards.orientation == ShardOrientation::RowMajor;
  for (int i = 0; i < down; ++i)
    for (int j = 0; j < across; ++j)
      cores.push_back({first.x + (byRow ? j : i), first.y + (byRow ? i : j)});
  return cores;
}

hw::Sharding TensorSpec::sharding(const hw::ArchDesc &arch) const {
  auto [rows, columns] = shardUnits();
  hw::Sharding result;
  result.rows = static_cast<uint32_t>(rows);
  result.columns = layout == TensorLayout::Tile ? static_cast<uint32_t>(columns) : 1;
  result.pageColumns = static_cast<uint32_t>(pages().pageColumns());
  bool inL1 = memory.buffer == hw::BufferType::L1;
  int width = inL1 ? arch.gridX : arch.dramBanks, height = inL1 ? arch.gridY : 1;
  for (Core core : coresOfShards(*this)) {
    if (core.x >= width || core.y >= height)
      throw TensorError(
          inL1 ? fmt::format("a shard is placed on core ({}, {}), but {} has {}x{} cores", core.x,
                             core.y, arch.name, width, height)
               : fmt::format("a shard is placed in DRAM bank ({}, {}), but {} has the banks (0, 0) "
                             "to ({}, 0)",
                             core.x, core.y, arch.name, width - 1));
    result.banks.push_back(static_cast<uint32_t>(core.y * width + core.x));
  }
  return result;
}

void TensorSpec::check() const {
  if (isBlockFloat(dtype) && layout != TensorLayout::Tile)
    throw TensorError(fmt::format("a tensor of {} must have tile layout, because 16 elements share "
                                  "an exponent: use layout=ttnn.TILE_LAYOUT, or another type",
                                  nameOf(dtype)));
  checkExtents(shape);
  checkMemory(*this);
  constexpr int64_t kMax = std::numeric_limits<uint32_t>::max();
  if (numPages() > kMax || pageBytes() > kMax)
    throw TensorError(fmt::format("shape {} needs {} of {} bytes; both must fit in 32 bits",
                                  describe(shape), hw::plural(numPages(), "page"), pageBytes()));
}

int64_t TensorSpec::hostBytes() const { return numElements() * elementBytes(dtype); }

int64_t TensorSpec::pageBytes() const { return pages().pageBytes(formatOf(dtype)); }

} // namespace ttjit::frontend
