//===- Sharding.cpp - from shards to banks ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Sharding.h"

#include "hw/facts/Words.h"

#include <algorithm>

#include <fmt/format.h>

namespace ttjit::hw {

std::string describe(const CoreRange &range) {
  return fmt::format("[({}, {}) - ({}, {})]", range.first.x, range.first.y, range.last.x,
                     range.last.y);
}

std::vector<Core> ShardCores::all() const {
  std::vector<Core> cores;
  bool byRow = orientation == ShardOrientation::RowMajor;
  for (const CoreRange &range : grid) {
    int outer = byRow ? range.height() : range.width();
    int inner = byRow ? range.width() : range.height();
    for (int i = 0; i < outer; ++i)
      for (int j = 0; j < inner; ++j)
        cores.push_back({range.first.x + (byRow ? j : i), range.first.y + (byRow ? i : j)});
  }
  return cores;
}

std::vector<ShardDim> shardDims(std::span<const int64_t> pages, std::span<const int64_t> shard) {
  std::vector<ShardDim> dims(shard.size());
  for (size_t i = 0; i < dims.size(); ++i)
    dims[i].shard = static_cast<uint32_t>(shard[i]);
  for (size_t i = 0; i < pages.size(); ++i) {
    size_t fromLast = pages.size() - 1 - i;
    ShardDim &dim = dims[fromLast < dims.size() ? dims.size() - 1 - fromLast : 0];
    dim.pages *= static_cast<uint32_t>(pages[i]);
  }
  return dims;
}

// Returns the number of shards along the last two dimensions.
static std::pair<uint32_t, uint32_t> shardGrid(std::span<const ShardDim> dims) {
  return {dims.size() > 1 ? dims[dims.size() - 2].numShards() : 1, dims.back().numShards()};
}

std::string whyNoGrid2D(std::span<const ShardDim> dims, const ShardCores &cores) {
  for (size_t i = 0; i + 2 < dims.size(); ++i)
    if (dims[i].numShards() > 1)
      return fmt::format("it has {} along dimension {} of the shards, and only the last two "
                         "may be divided",
                         plural(dims[i].numShards(), "shard"), i);
  auto [down, across] = shardGrid(dims);
  if (cores.grid.size() != 1)
    return "its cores are not one rectangle";
  const CoreRange &range = cores.grid.front();
  bool byRow = cores.orientation == ShardOrientation::RowMajor;
  int64_t height = byRow ? range.height() : range.width();
  int64_t width = byRow ? range.width() : range.height();
  if (down <= height && across <= width)
    return {};
  return fmt::format("it has {}x{} shards, and the cores {} have room for {}x{}{}", down, across,
                     describe(range), height, width, byRow ? "" : ", column by column");
}

std::vector<Core> coresOfShards(std::span<const ShardDim> dims, const ShardCores &cores) {
  if (cores.distribution == ShardDistribution::RoundRobin1D) {
    uint64_t shards = 1;
    for (const ShardDim &dim : dims)
      shards *= dim.numShards();
    std::vector<Core> result = cores.all();
    result.resize(std::min<uint64_t>(result.size(), shards));
    return result;
  }
  auto [down, across] = shardGrid(dims);
  Core first = cores.grid.front().first;
  bool byRow = cores.orientation == ShardOrientation::RowMajor;
  std::vector<Core> result;
  for (int i = 0; i < static_cast<int>(down); ++i)
    for (int j = 0; j < static_cast<int>(across); ++j)
      result.push_back({first.x + (byRow ? j : i), first.y + (byRow ? i : j)});
  return result;
}

} // namespace ttjit::hw
