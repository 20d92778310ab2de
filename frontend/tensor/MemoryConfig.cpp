//===- MemoryConfig.cpp - the memory and the shards of a tensor ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/MemoryConfig.h"

#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttjit::frontend {

std::string extentsText(const std::vector<int64_t> &shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::string describe(const ShardSpec &shards) {
  std::string cores;
  for (const CoreRange &range : shards.grid)
    cores += (cores.empty() ? "" : ", ") + hw::describe(range);
  return fmt::format("shards of {} on cores {}{}", extentsText(shards.shape), cores,
                     shards.orientation == ShardOrientation::ColumnMajor ? ", column by column"
                                                                         : "");
}

static void checkShardExtents(const std::vector<int64_t> &shape) {
  constexpr int64_t kMaxElements = int64_t(1) << 40;
  if (shape.empty())
    throw TensorError("a shard must have at least one dimension");
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 1)
      throw TensorError(fmt::format("a shard must have at least {} elements, found {}",
                                    extentsText(std::vector<int64_t>(shape.size(), 1)),
                                    extentsText(shape)));
    if (extent > kMaxElements / elements)
      throw TensorError(fmt::format("shards of {} have more than 2^40 elements, which is the limit",
                                    extentsText(shape)));
    elements *= extent;
  }
}

void ShardSpec::check(const char *name) const {
  constexpr int kMaxCoordinate = 4096;
  if (grid.empty())
    throw TensorError(fmt::format("the {} must name at least one core", name));
  checkShardExtents(shape);
  for (const CoreRange &range : grid)
    if (range.last.x >= kMaxCoordinate || range.last.y >= kMaxCoordinate)
      throw TensorError(
          fmt::format("no chip has the cores {}: use smaller coordinates", hw::describe(range)));
  std::set<std::pair<int, int>> seen;
  for (Core core : cores().all())
    if (!seen.insert({core.x, core.y}).second)
      throw TensorError(fmt::format("the {} must not name a core twice, found ({}, {}) twice", name,
                                    core.x, core.y));
}

void MemoryConfig::check() const {
  if (shards && !isSharded())
    throw TensorError("an interleaved memory config must not have a shard_spec: use a sharded "
                      "layout, or leave shard_spec out");
  if (layout == MemoryLayout::NdSharded && !shards)
    throw TensorError("an ND_SHARDED memory config must have an nd_shard_spec: write "
                      "ttnn.MemoryConfig(buffer_type, ttnn.NdShardSpec(shard_shape, grid))");
}

std::string describe(const MemoryConfig &memory) {
  static constexpr std::string_view kLayouts[] = {"interleaved", "height sharded", "width sharded",
                                                  "block sharded", "ND sharded"};
  std::string text = fmt::format("{} {}", memory.buffer == hw::BufferType::DRAM ? "DRAM" : "L1",
                                 kLayouts[static_cast<int>(memory.layout)]);
  if (!memory.shards)
    return text;
  bool isGrid = memory.layout == MemoryLayout::NdSharded &&
                memory.shards->distribution == ShardDistribution::Grid2D;
  return text + ", " + describe(*memory.shards) + (isGrid ? ", as a grid" : "");
}

} // namespace ttjit::frontend
