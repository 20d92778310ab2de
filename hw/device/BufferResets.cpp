//===- BufferResets.cpp - empties buffers of a node ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/BufferResets.h"

#include "hw/device/BufferPages.h"
#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw {

std::string resetName(const Program &program, int64_t reset) {
  bool isKnown = reset >= 0 && static_cast<size_t>(reset) < program.resets.size();
  return isKnown ? program.resets[static_cast<size_t>(reset)].call : "ttl.cb_reset";
}

std::vector<const ThreadContext *> missingAtReset(const ThreadContext &thread) {
  std::vector<const ThreadContext *> missing;
  for (const ThreadContext *other : thread.node->threads)
    if (other && !thread.node->reset.has(other->processor))
      missing.push_back(other);
  return missing;
}

// Adds the blocks that were pushed and popped before the reset to the statistics of the run.
static void addStats(RunStats &stats, const CircularBuffer &buffer, const BufferConfig &config) {
  uint32_t pages = std::max(1u, config.pagesPerBlock);
  stats.blocksPushed += buffer.received / pages;
  stats.blocksPopped += buffer.acked / pages;
}

void resetBuffer(Node &node, const BufferConfig &config, int32_t reset) {
  CircularBuffer &buffer = node.buffers[config.index];
  addStats(node.partition->stats, buffer, config);
  buffer.writePage = buffer.readPage = 0;
  buffer.reserved = buffer.waited = 0;
  buffer.received = buffer.acked = 0;
  buffer.packedInOrder = 0;
  buffer.producer = buffer.consumer = kNoProcessor;
  std::fill_n(buffer.acquisitions, buffer.numPages, Acquisition());
  __atomic_store_n(&node.reset.last, reset, __ATOMIC_RELAXED);
  __atomic_fetch_add(&buffer.resets, 1, __ATOMIC_RELEASE);
}

//===--------------------------------------------------------------------------===//
// Transfers from other nodes
//===--------------------------------------------------------------------------===//

// Calls `visit(node, index)` for each buffer into which the transfer writes.
template <typename Visit> static void forEachTarget(Grid &grid, const Transfer &t, Visit visit) {
  bool isMulticast = t.kind == TransferKind::Multicast;
  if (t.tensor || (!isMulticast && t.kind != TransferKind::Write))
    return;
  for (int y = t.y0; y <= (isMulticast ? t.y1 : t.y0); ++y)
    for (int x = t.x0; x <= (isMulticast ? t.x1 : t.x0); ++x) {
      Node *node = grid.nodeAtVirtual(x, y);
      for (uint32_t i = 0; node && i < node->numBuffers; ++i)
        if (pagesWithin(node->buffers[i], t.address, t.bytes).second)
          visit(*node, i);
    }
}

// Any host thread may call this.
uint64_t LateTransfers::resetsAt(const Transfer &transfer) {
  uint64_t resets = 0;
  forEachTarget(grid, transfer, [&](const Node &node, uint32_t number) {
    resets += __atomic_load_n(&node.buffers[number].resets, __ATOMIC_ACQUIRE);
  });
  return resets;
}

void LateTransfers::report(const Transfer &transfer) {
  const Node *where = nullptr;
  uint32_t buffer = 0;
  forEachTarget(grid, transfer, [&](const Node &node, uint32_t number) {
    if (!where && __atomic_load_n(&node.buffers[number].resets, __ATOMIC_ACQUIRE)) {
      where = &node;
      buffer = number;
    }
  });
  int32_t reset = __atomic_load_n(&where->reset.last, __ATOMIC_RELAXED);
  const BufferConfig &config = *index.bufferConfig(buffer);
  std::vector<FaultNote> notes{{"the copy was issued here", index.location(transfer.loc)}};
  if (reset >= 0 && static_cast<size_t>(reset) < program.resets.size())
    notes.push_back({"the reset is here: the node must wait for the copy before it",
                     program.resets[static_cast<size_t>(reset)].location});
  notes.push_back({fmt::format("'{}' is made here", config.name), config.location});
  (void)faults.report(
      transfer.owner, FaultKind::Protocol,
      fmt::format("{}: {} has reset '{}' while a copy from {} into it was under way",
                  resetName(program, reset), describeNode(program, where->x, where->y), config.name,
                  describeNode(program, transfer.owner->x, transfer.owner->y)),
      std::move(notes));
}

} // namespace ttjit::hw
