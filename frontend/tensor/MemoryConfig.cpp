//===- MemoryConfig.cpp - the memory and the shards of a tensor ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/MemoryConfig.h"

#include <set>
#include <string_view>

#include <fmt/format.h>

namespace ttjit::frontend {

std::string describe(const CoreRange &range) {
  return fmt::format("[({}, {}) - ({}, {})]", range.first.x, range.first.y, range.last.x,
                     range.last.y);
}

std::string describe(const ShardSpec &shards) {
  std::string cores;
  for (const CoreRange &range : shards.grid)
    cores += (cores.empty() ? "" : ", ") + describe(range);
  return fmt::format("shards of {}x{} on cores {}{}", shards.rows, shards.columns, cores,
                     shards.orientation == ShardOrientation::ColumnMajor ? ", column by column"
                                                                         : "");
}

std::vector<Core> ShardSpec::cores() const {
  std::vector<Core> all;
  for (const CoreRange &range : grid) {
    bool byRow = orientation == ShardOrientation::RowMajor;
    int outer = byRow ? range.height() : range.width();
    int inner = byRow ? range.width() : range.height();
    for (int i = 0; i < outer; ++i)
      for (int j = 0; j < inner; ++j)
        all.push_back({range.first.x + (byRow ? j : i), range.first.y + (byRow ? i : j)});
  }
  return all;
}

void ShardSpec::check() const {
  constexpr int kMaxCoordinate = 4096;
  if (grid.empty())
    throw TensorError("a ShardSpec must name at least one core");
  if (rows < 1 || columns < 1)
    throw TensorError(
        fmt::format("a shard must have at least 1x1 elements, found {}x{}", rows, columns));
  for (const CoreRange &range : grid)
    if (range.last.x >= kMaxCoordinate || range.last.y >= kMaxCoordinate)
      throw TensorError(
          fmt::format("no chip has the cores {}: use smaller coordinates", describe(range)));
  std::set<std::pair<int, int>> seen;
  for (Core core : cores())
    if (!seen.insert({core.x, core.y}).second)
      throw TensorError(fmt::format("a ShardSpec must not name a core twice, found ({}, {}) twice",
                                    core.x, core.y));
}

void MemoryConfig::check() const {
  if (shards && !isSharded())
    throw TensorError("an interleaved memory config must not have a shard_spec: use a sharded "
                      "layout, or leave shard_spec out");
}

std::string describe(const MemoryConfig &memory) {
  static constexpr std::string_view kLayouts[] = {"interleaved", "height sharded", "width sharded",
                                                  "block sharded"};
  std::string text = fmt::format("{} {}", memory.buffer == hw::BufferType::DRAM ? "DRAM" : "L1",
                                 kLayouts[static_cast<int>(memory.layout)]);
  return memory.shards ? text + ", " + describe(*memory.shards) : text;
}

} // namespace ttjit::frontend
