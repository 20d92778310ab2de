//===- BackedBuffers.cpp - buffers that are parts of tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor-backed buffer uses the pages of the node's shards that begin at the buffer's
// offset. Each node must have a shard, and its shards must have all pages of the buffer.
//===--------------------------------------------------------------------------===//

#include "hw/device/BackedBuffers.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw {

namespace {

// Finds the pages of a buffer in the shards of its tensor. A bank's shards follow each other.
class ShardPages {
public:
  ShardPages(const BufferConfig &buffer, const TensorAccess &tensor)
      : tensor(tensor), first(buffer.backing->offset / tensor.stride) {
    uint64_t end = buffer.backing->offset + uint64_t(buffer.pageBytes) * buffer.numPages;
    last = (end - 1) / tensor.stride;
  }

  // Returns the number of the first shard in `bank`; nothing if there is none.
  std::optional<uint32_t> firstShardIn(uint32_t bank) const {
    const uint32_t *banks = tensor.shardBanks, *end = banks + tensor.numShardBanks;
    const uint32_t *found = std::find(banks, end, bank);
    return found == end ? std::nullopt : std::optional(uint32_t(found - banks));
  }

  // Returns the number, from the shard's start, of the first page of the buffer that the bank of
  // this shard lacks; nothing if the bank has all pages.
  std::optional<uint64_t> missingFrom(uint32_t shard) const {
    for (uint64_t page = first; page <= last; ++page)
      if (!exists(shard + page / tensor.shardPages * tensor.numShardBanks,
                  page % tensor.shardPages))
        return page;
    return std::nullopt;
  }

private:
  // Returns whether the tensor has this page of the shard: shards may reach beyond the tensor.
  bool exists(uint64_t shard, uint64_t page) const {
    if (shard >= tensor.numShards)
      return false;
    for (uint32_t i = tensor.numShardDims; i-- > 0;) {
      ShardDim dim = tensor.shardDims[i];
      if (shard % dim.numShards() * dim.shard + page % dim.shard >= dim.pages)
        return false;
      shard /= dim.numShards();
      page /= dim.shard;
    }
    return true;
  }

  const TensorAccess &tensor;
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
  ShardPages pages(buffer, tensor->access);
  std::vector<NodeCoord> without;
  for (int i = 0; i < program.numNodes; ++i) {
    int x = i % program.gridX, y = i / program.gridX, column = x % program.columnsOfDevice();
    bool onChip = column < arch.gridX && y < arch.gridY;
    auto shard = onChip ? pages.firstShardIn(uint32_t(y * arch.gridX + column)) : std::nullopt;
    std::optional<uint64_t> missing = shard ? pages.missingFrom(*shard) : std::nullopt;
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
