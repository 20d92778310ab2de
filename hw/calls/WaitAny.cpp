//===- WaitAny.cpp - blocking until one of several waits is over --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/WaitAny.h"

#include <algorithm>

namespace ttjit::hw {

Status waitAny(const Issue &issue, const std::vector<WaitState> &waits, size_t &chosen) {
  if (waits.empty())
    return issue.fail(FaultKind::Protocol, "every receive of the list was completed before, so "
                                           "there is none to wait for");
  ThreadContext &thread = issue.thread;
  bool waitsForWords = waits.front().kind != WaitKind::Engine;
  auto findOver = [&] {
    return std::ranges::find_if(waits,
                                [&](const WaitState &wait) { return isOver(wait, thread.l1); });
  };
  auto over = findOver();
  for (; over == waits.end(); over = findOver()) {
    thread.node->semaphoreWaiters += waitsForWords;
    WaitState any{WaitKind::Any, waits.front().object, waits.front().needed};
    any.firstAlternative = waits.data();
    any.numAlternatives = waits.size();
    RETURN_UNLESS_OK(issue.thread.worker->block(thread, any));
  }
  chosen = static_cast<size_t>(over - waits.begin());
  return Status::Ok;
}

std::vector<uint32_t> cyclicOrder(int32_t count, int32_t start) {
  std::vector<uint32_t> order;
  int32_t first = (start % count + count) % count;
  for (int32_t i = 0; i < count; ++i)
    order.push_back(static_cast<uint32_t>((int64_t(first) + i) % count));
  return order;
}

} // namespace ttjit::hw
