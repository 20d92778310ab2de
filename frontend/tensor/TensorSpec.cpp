//===- TensorSpec.cpp - the properties of a tensor, without its data ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorSpec.h"

#include "hw/facts/Words.h"

#include <algorithm>
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
  return {shape, layout == TensorLayout::Tile, cutsRows ? memory.shards->shape.back() : 0};
}

std::vector<int64_t> TensorSpec::shardShape() const {
  std::vector<int64_t> extents = memory.shards->shape;
  if (extents.size() == 1)
    extents.insert(extents.begin(), layout == TensorLayout::Tile ? hw::kTileDim : 1);
  return extents;
}

std::vector<int64_t> TensorSpec::shardUnits() const {
  std::vector<int64_t> units = shardShape();
  if (layout == TensorLayout::Tile)
    for (int64_t *extent : {&units.back(), &units[units.size() - 2]})
      *extent /= hw::kTileDim;
  return units;
}

std::vector<hw::ShardDim> TensorSpec::shardDims() const {
  hw::PageLayout all = pages();
  std::vector<int64_t> extents = shape, shard = shardUnits();
  extents.resize(std::max<size_t>(extents.size(), 2) - 2);
  extents.push_back(layout == TensorLayout::Tile ? all.tileRows() : all.rows);
  extents.push_back(all.pageColumns());
  if (layout == TensorLayout::RowMajor)
    shard.back() = 1;
  return hw::shardDims(extents, shard);
}

std::vector<int64_t> TensorSpec::shardGrid() const {
  std::vector<int64_t> grid;
  for (const hw::ShardDim &dim : shardDims())
    grid.push_back(dim.numShards());
  return grid;
}

static int64_t numShards(const TensorSpec &spec) {
  int64_t count = 1;
  for (int64_t extent : spec.shardGrid())
    count *= extent;
  return count;
}

// Returns the cores of the shards. With block sharding, a shard's row and column are its core's.
static hw::ShardCores coresOf(const TensorSpec &spec) {
  hw::ShardCores cores = spec.memory.shards->cores();
  if (spec.memory.layout == MemoryLayout::BlockSharded)
    cores.distribution = ShardDistribution::Grid2D;
  return cores;
}

int64_t TensorSpec::shardsPerCore() const {
  auto cores = static_cast<int64_t>(hw::coresOfShards(shardDims(), coresOf(*this)).size());
  return (numShards(*this) + cores - 1) / cores;
}

// Checks what is known without the number of pages.
static void checkShardShape(const TensorSpec &spec) {
  const std::vector<int64_t> &shard = spec.memory.shards->shape;
  bool tiled = spec.layout == TensorLayout::Tile;
  size_t rank = shard.size();
  if (spec.memory.layout == MemoryLayout::NdSharded && rank > spec.shape.size())
    throw TensorError(fmt::format(
        "shards of {} have {}, but the tensor of shape {} has {}: the rank of shard_shape must be "
        "at most that of the tensor",
        extentsText(shard), hw::plural(rank, "dimension"), describe(spec.shape),
        spec.shape.size()));
  if (rank == 1 && spec.shape.size() > 1)
    throw TensorError(fmt::format("shards of one dimension, ({0},), divide only tensors of one "
                                  "dimension, found shape {1}: write shard_shape=({2}, {0})",
                                  shard[0], describe(spec.shape), tiled ? hw::kTileDim : 1));
  std::vector<int64_t> extents = spec.shardShape();
  if (tiled && (extents[extents.size() - 2] % hw::kTileDim || extents.back() % hw::kTileDim))
    throw TensorError(fmt::format(
        "shards of {} elements would cut tiles: {} must be multiples of {}; or use "
        "ttnn.ROW_MAJOR_LAYOUT",
        extentsText(shard), rank > 2 ? "the last two extents" : "both extents", hw::kTileDim));
}

static void checkMatrixShards(const TensorSpec &spec) {
  const ShardSpec &shards = *spec.memory.shards;
  hw::PageLayout pages = spec.pages();
  bool tiled = spec.layout == TensorLayout::Tile;
  int64_t unit = tiled ? hw::kTileDim : 1;
  int64_t rows = pages.pageRows() * unit;
  int64_t columns = tiled ? pages.pageColumns() * unit : pages.columns;
  std::string found = extentsText(shards.shape);
  if (spec.memory.layout == MemoryLayout::HeightSharded && shards.shape[1] != columns)
    throw TensorError(fmt::format("shards of a height sharded tensor of shape {} must have all its "
                                  "{} columns, found shards of {}",
                                  describe(spec.shape), columns, found));
  if (spec.memory.layout == MemoryLayout::WidthSharded && shards.shape[0] != rows)
    throw TensorError(fmt::format("shards of a width sharded tensor of shape {} must have all its "
                                  "{} rows, found shards of {}",
                                  describe(spec.shape), rows, found));
  std::vector<int64_t> grid = spec.shardGrid();
  auto cores = static_cast<int64_t>(shards.cores().all().size());
  if (grid[0] * grid[1] > cores)
    throw TensorError(fmt::format(
        "a tensor of shape {} has {} of {}, but the ShardSpec names {}: name more cores, or use "
        "ttnn.NdShardSpec, with which a core may have several shards",
        describe(spec.shape), hw::plural(grid[0] * grid[1], "shard"), found,
        hw::plural(cores, "core")));
  if (spec.memory.layout == MemoryLayout::BlockSharded &&
      !hw::whyNoGrid2D(spec.shardDims(), coresOf(spec)).empty())
    throw TensorError(
        fmt::format("a block sharded tensor of shape {} has {}x{} shards: its ShardSpec must name "
                    "one rectangle with at least as many rows and columns of cores, found {}",
                    describe(spec.shape), grid[0], grid[1], describe(shards)));
}

static void checkNdShards(const TensorSpec &spec) {
  hw::ShardCores cores = coresOf(spec);
  if (cores.distribution != ShardDistribution::Grid2D)
    return;
  if (std::string why = hw::whyNoGrid2D(spec.shardDims(), cores); !why.empty())
    throw TensorError(fmt::format("a tensor of shape {} cannot have shards of {} with GRID_2D: {}; "
                                  "or use ttnn.ShardDistributionStrategy.ROUND_ROBIN_1D",
                                  describe(spec.shape), extentsText(spec.memory.shards->shape),
                                  why));
}

static void checkPages(const TensorSpec &spec) {
  constexpr int64_t kMax = std::numeric_limits<uint32_t>::max();
  if (spec.numPages() > kMax || spec.pageBytes() > kMax)
    throw TensorError(fmt::format("shape {} needs {} of {} bytes; both must fit in 32 bits",
                                  describe(spec.shape), hw::plural(spec.numPages(), "page"),
                                  spec.pageBytes()));
  if (!spec.memory.shards)
    return;
  std::vector<int64_t> units = spec.shardUnits();
  if (spec.layout == TensorLayout::RowMajor)
    units.back() = 1;
  int64_t pages = 1; // at most 2^40: ShardSpec::check()
  for (int64_t extent : units)
    pages *= extent;
  if (pages > kMax)
    throw TensorError(fmt::format("shards of {} have {} pages, which must fit in 32 bits",
                                  extentsText(spec.memory.shards->shape), pages));
}

static void checkMemory(const TensorSpec &spec) {
  spec.memory.check();
  if (spec.memory.isSharded() && !spec.memory.shards)
    throw TensorError(
        fmt::format("a tensor in {} memory must have shards: pass shard_spec=ttnn.ShardSpec(grid, "
                    "shape, orientation) to MemoryConfig",
                    describe(spec.memory)));
  if (spec.memory.shards) {
    spec.memory.shards->check();
    checkShardShape(spec);
  }
  checkPages(spec);
  if (!spec.memory.shards)
    return;
  if (spec.memory.layout == MemoryLayout::NdSharded)
    checkNdShards(spec);
  else
    checkMatrixShards(spec);
}

hw::Sharding TensorSpec::sharding(const hw::ArchDesc &arch) const {
  hw::Sharding result{shardDims(), {}};
  bool inL1 = memory.buffer == hw::BufferType::L1;
  int width = inL1 ? arch.gridX : arch.dramBanks, height = inL1 ? arch.gridY : 1;
  for (Core core : hw::coresOfShards(result.dims, coresOf(*this))) {
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

//===--------------------------------------------------------------------------===//
// The other way of describing shards
//===--------------------------------------------------------------------------===//

// Returns whether each shard is a rectangle of the matrix whose rows are all dimensions but the
// last, and the shards have the same order in it.
static bool areRectangles(const std::vector<hw::ShardDim> &dims) {
  size_t i = dims.size() - 1;
  while (i > 0 && dims[i - 1].shard == dims[i - 1].pages)
    --i;
  if (i <= 1)
    return true;
  bool divides = dims[i - 1].pages % dims[i - 1].shard == 0;
  for (size_t outer = 0; outer + 1 < i; ++outer)
    if (dims[outer].shard != 1 || (dims[outer].pages != 1 && !divides))
      return false;
  return true;
}

// Returns the layout with shards of two dimensions in which these shards are on the same cores.
static std::optional<MemoryLayout> layoutOfMatrix(const TensorSpec &spec, int64_t down,
                                                  int64_t across) {
  const ShardSpec &shards = *spec.memory.shards;
  auto cores = static_cast<int64_t>(shards.cores().all().size());
  bool isGrid = shards.distribution == ShardDistribution::Grid2D;
  if (!isGrid && down * across > cores)
    return std::nullopt;
  if (!isGrid && (down == 1 || across == 1))
    return down == 1 ? MemoryLayout::WidthSharded : MemoryLayout::HeightSharded;
  const CoreRange &range = shards.grid.front();
  bool byRow = shards.orientation == ShardOrientation::RowMajor;
  bool isBlock =
      isGrid || (shards.grid.size() == 1 && across == (byRow ? range.width() : range.height()));
  return isBlock ? std::optional(MemoryLayout::BlockSharded) : std::nullopt;
}

static std::optional<OtherShards> asMatrix(const TensorSpec &spec) {
  std::vector<hw::ShardDim> dims = spec.shardDims();
  if (!areRectangles(dims))
    return std::nullopt;
  int64_t down = numShards(spec) / dims.back().numShards(), rows = 1;
  std::optional<MemoryLayout> layout = layoutOfMatrix(spec, down, dims.back().numShards());
  if (!layout)
    return std::nullopt;
  OtherShards other{*layout, *spec.memory.shards};
  other.shards.distribution = ShardDistribution::RoundRobin1D;
  std::vector<int64_t> extents = spec.shardShape();
  for (size_t i = 0; i + 1 < extents.size(); ++i)
    rows *= extents[i];
  other.shards.shape = {rows, extents.back()};
  TensorSpec same = spec;
  same.memory.layout = *layout;
  same.memory.shards = other.shards;
  try {
    same.check();
  } catch (const TensorError &) { // a shard is wider or higher than the tensor
    return std::nullopt;
  }
  return other;
}

MemoryConfig TensorSpec::memoryInBothWays() const {
  MemoryConfig result = memory;
  if (!memory.shards)
    return result;
  if (memory.layout == MemoryLayout::NdSharded) {
    result.other = asMatrix(*this);
    return result;
  }
  result.other = OtherShards{MemoryLayout::NdSharded, *memory.shards};
  result.other->shards.distribution = coresOf(*this).distribution;
  if (shape.size() == 1 && shardUnits()[0] == 1)
    result.other->shards.shape.erase(result.other->shards.shape.begin());
  return result;
}

void TensorSpec::check() const {
  if (isBlockFloat(dtype) && layout != TensorLayout::Tile)
    throw TensorError(fmt::format("a tensor of {} must have tile layout, because 16 elements share "
                                  "an exponent: use layout=ttnn.TILE_LAYOUT, or another type",
                                  nameOf(dtype)));
  checkExtents(shape);
  checkMemory(*this);
}

int64_t TensorSpec::hostBytes() const { return numElements() * elementBytes(dtype); }

int64_t TensorSpec::pageBytes() const { return pages().pageBytes(formatOf(dtype)); }

} // namespace ttjit::frontend
