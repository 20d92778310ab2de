//===- LandingQueues.cpp - payloads that wait to be received ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/LandingQueues.h"

#include <algorithm>
#include <cstring>

namespace ttjit::hw {

LandingQueues::LandingQueues(const Program &program) {
  for (const L1Range &range : program.ranges)
    if (range.isQueued)
      ranges.emplace_back(range.address, range.address + range.bytes - 1);
}

bool LandingQueues::has(uint32_t address) const {
  return std::ranges::any_of(
      ranges, [&](auto &range) { return range.first <= address && address <= range.second; });
}

void LandingQueues::push(uint32_t node, uint32_t address, const uint8_t *bytes, uint32_t count) {
  queues[{node, address}].emplace_back(bytes, bytes + count);
}

bool LandingQueues::pop(uint32_t node, uint32_t address, uint8_t *to, uint32_t count) {
  std::deque<std::vector<uint8_t>> &queue = queues[{node, address}];
  if (queue.empty() || queue.front().size() != count)
    return false;
  std::memcpy(to, queue.front().data(), count);
  queue.pop_front();
  return true;
}

} // namespace ttjit::hw
