//===- QueuedBlocks.cpp - blocks that pipes bring into tensors ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/QueuedBlocks.h"

#include <algorithm>
#include <iterator>

namespace ttjit::hw::check {

void QueuedBlocks::start(const Program &of) {
  program = &of;
  queues.clear();
  blocks.clear();
}

bool QueuedBlocks::isQueued(const MemoryPlace &place) const {
  return place.memory == MemoryPlace::L1 &&
         std::ranges::any_of(program->ranges, [&](const L1Range &range) {
           return range.isQueued && place.address >= range.address &&
                  place.address - range.address < range.bytes;
         });
}

void QueuedBlocks::sent(const MemoryPlace &queue, const Shared<TransferState> &send) {
  queues[{queue.x, queue.y, queue.address}].push_back(send);
}

void QueuedBlocks::taken(const MemoryPlace &queue, const MemoryPlace &block) {
  std::deque<Shared<TransferState>> &waiting = queues[{queue.x, queue.y, queue.address}];
  if (waiting.empty())
    return;
  blocks[{block.x, block.y, block.address}] = {block.bytes, waiting.front()};
  waiting.pop_front();
}

Shared<TransferState> QueuedBlocks::sendOf(const MemoryPlace &block) const {
  auto next = blocks.upper_bound({block.x, block.y, block.address});
  if (next == blocks.begin())
    return {};
  auto &[key, found] = *std::prev(next);
  auto [x, y, address] = key;
  bool isInside = x == block.x && y == block.y && block.address - address < found.bytes;
  return isInside ? found.send : nullptr;
}

} // namespace ttjit::hw::check
