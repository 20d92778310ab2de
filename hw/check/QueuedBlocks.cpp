//===- QueuedBlocks.cpp - blocks that pipes bring into tensors ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/QueuedBlocks.h"

#include <algorithm>
#include <iterator>

namespace ttjit::hw::check {

void QueuedBlocks::start(const Program &of) {
  queues.clear();
  blocks.clear();
  ranges.clear();
  for (const L1Range &range : of.ranges)
    if (range.isQueued)
      ranges.push_back(&range);
}

bool QueuedBlocks::isQueued(const MemoryPlace &place) const {
  return place.memory == MemoryPlace::L1 && std::ranges::any_of(ranges, [&](const L1Range *range) {
           return place.address >= range->address && place.address - range->address < range->bytes;
         });
}

void QueuedBlocks::sent(const MemoryPlace &queue, const Shared<TransferState> &send) {
  queues[{queue.x, queue.y, queue.address}].push_back(send);
}

void QueuedBlocks::taken(const MemoryPlace &queue, const MemoryPlace &block) {
  std::vector<Shared<TransferState>> &waiting = queues[{queue.x, queue.y, queue.address}];
  if (waiting.empty())
    return;
  blocks[{block.x, block.y, 0}][block.address] = {block.bytes, block.bytes,
                                                  std::move(waiting.front())};
  waiting.erase(waiting.begin());
}

Shared<TransferState> QueuedBlocks::written(const MemoryPlace &part, bool &isLast) {
  auto ofCore = blocks.find({part.x, part.y, 0});
  if (ofCore == blocks.end())
    return {};
  auto next = ofCore->second.upper_bound(part.address);
  if (next == ofCore->second.begin())
    return {};
  auto place = std::prev(next);
  Block &block = place->second;
  if (part.address - place->first >= block.bytes)
    return {};
  Shared<TransferState> send = block.send;
  block.left -= std::min<uint32_t>(block.left, part.bytes);
  isLast = !block.left;
  if (isLast)
    ofCore->second.erase(place);
  return send;
}

} // namespace ttjit::hw::check
