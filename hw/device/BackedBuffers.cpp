//===- BackedBuffers.cpp - buffers that are parts of tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor-backed buffer uses the pages of the node's shard that begin at the buffer's
// offset. Each node must have a shard, and the shard must have all pages of the buffer.
//===--------------------------------------------------------------------------===//

#include "hw/device/BackedBuffers.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw {

namespace {

// Finds the pages of a buffer in the shards of its tensor.
class ShardPages {
public:
  ShardPages(const BufferConfig &buffer, const TensorAccess &tensor, uint32_t numShards)
      : tensor(tensor), numShards(numShards), first(buffer.backing->offset / tensor.stride) {
    uint64_t end = buffer.backing->offset + uint64_t(buffer.pageBytes) * buffer.numPages;
    last = (end - 1) / tensor.stride;
  }

  // Returns the number of the shard in `bank`; nothing if there is none.
  std::optional<uint32_t> shardIn(uint32_t bank) const {
    const uint32_t *banks = tensor.shardBanks, *found = std::find(banks, banks + numShards, bank);
    return found == banks + numShards ? std::nullopt : std::optional(uint32_t(found - banks));
  }

  // Returns the first page of the buffer that the shard does not have, counted from the
  // shard's start; nothing if it has all.
  std::optional<uint64_t> missingIn(uint32_t shard) const {
    for (uint64_t page = first; page <= last; ++page)
      if (page >= tensor.pagesPerBank() || !exists(shard, page))
        return page;
    return std::nullopt;
  }

private:
  bool exists(uint32_t shard, uint64_t page) const {
    uint32_t across =
        tensor.pageColumns / tensor.shardColumns + (tensor.pageColumns % tensor.shardColumns != 0);
    uint64_t row = uint64_t(shard / across) * tensor.shardRows + page / tensor.shardColumns;
    uint64_t column = uint64_t(shard % across) * tensor.shardColumns + page % tensor.shardColumns;
    return row < tensor.numPages / tensor.pageColumns && column < tensor.pageColumns;
  }

  const TensorAccess &tensor;
  uint32_t numShards;
  uint64_t first, last;
};

bool checkBacking(Machine &machine, const BufferConfig &buffer) {
  const Program &program = machine.program;
  const ArchDesc &arch = machine.arch;
  const PlacedTensor *tensor = machine.memories.find(BufferType::L1, buffer.backing->base);
  std::string what =
      fmt::format("buffer '{}' is part of tensor '{}'", buffer.name, buffer.backing->tensor);
  auto fail = [&](const std::string &why) {
    return machine.faults.refuse(what + ", " + why, buffer.location);
  };
  if (!tensor || !tensor->access.isSharded())
    return fail("which is not sharded in L1");
  ShardPages pages(buffer, tensor->access, static_cast<uint32_t>(tensor->sharding.banks.size()));
  std::vector<NodeCoord> without;
  for (int i = 0; i < program.numNodes; ++i) {
    int x = i % program.gridX, y = i / program.gridX, column = x % program.columnsOfDevice();
    bool onChip = column < arch.gridX && y < arch.gridY;
    auto shard = onChip ? pages.shardIn(uint32_t(y * arch.gridX + column)) : std::nullopt;
    std::optional<uint64_t> missing = shard ? pages.missingIn(*shard) : std::nullopt;
    if (missing)
      return fail(fmt::format("but the shard of {} has no page {}: make the buffer "
                              "smaller, or the shards so that they divide the tensor",
                              describeNode(program, x, y), *missing));
    if (!shard)
      without.push_back({x, y});
  }
  if (without.empty())
    return true;
  return fail(fmt::format("but no shard of it is on these nodes: {}; shard the tensor over all "
                          "nodes of the kernel, or run the kernel on a smaller grid",
                          describeNodes(program, without)));
}

} // namespace

bool checkBackedBuffers(Machine &machine) {
  return std::ranges::all_of(machine.program.buffers, [&](const BufferConfig &buffer) {
    return !buffer.backing || checkBacking(machine, buffer);
  });
}

} // namespace ttjit::hw
