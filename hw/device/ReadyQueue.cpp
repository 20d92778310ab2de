//===- ReadyQueue.cpp - the runnable threads of a partition -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/ReadyQueue.h"

#include "hw/device/Node.h"
#include "hw/device/ThreadContext.h"

namespace ttjit::hw {

// Threads leave at the front and enter at the end. The vector never grows beyond its capacity.
void ReadyQueue::add(ThreadContext &thread, ReadyReason reason) {
  if (ready.size() == ready.capacity()) {
    ready.erase(ready.begin(), ready.begin() + static_cast<ptrdiff_t>(first));
    first = 0;
  }
  ++thread.node->ready;
  ready.push_back({thread.agent, reason});
}

void ReadyQueue::wake(ThreadContext &thread) {
  noteEvent();
  thread.state = ThreadPhase::Ready;
  add(thread, ReadyReason::Woken);
}

void ReadyQueue::addPolling(ThreadContext &thread) {
  ++pollsInVain;
  thread.state = ThreadPhase::Ready;
  add(thread, ReadyReason::Polled);
}

void ReadyQueue::remove(size_t index) {
  if (index == 0)
    ++first;
  else
    ready.erase(ready.begin() + static_cast<ptrdiff_t>(first + index));
  if (first == ready.size())
    clear();
}

void ReadyQueue::clear() {
  ready.clear();
  first = 0;
}

} // namespace ttjit::hw
