//===- Arrivals.cpp - bytes that another core wrote ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Arrivals.h"

#include "hw/abi/Inline.h"
#include "hw/device/BufferPages.h"
#include "hw/device/Node.h"
#include "hw/device/Waiters.h"

namespace ttjit::hw {

void deliver(const Arrival &arrival, Waiters &waiters) {
  Node &node = *arrival.node;
  for (uint32_t i = 0; i < node.numBuffers; ++i) {
    CircularBuffer &buffer = node.buffers[i];
    auto [first, count] = pagesWithin(buffer, arrival.address, arrival.bytes);
    // If several buffers share this memory, only the one whose pages are reserved is
    // written.
    for (uint32_t page = first; page < first + count; ++page)
      if (!buffer.sharesMemory || fast::inRegion(buffer, page, buffer.writePage, buffer.reserved))
        buffer.written[page] = 1;
  }
  if (node.semaphoreWaiters)
    waiters.wakeAtWords(node);
}

} // namespace ttjit::hw
