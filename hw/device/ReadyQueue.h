//===- ReadyQueue.h - the runnable threads of a partition -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_READYQUEUE_H
#define TTJIT_HW_DEVICE_READYQUEUE_H

#include "hw/device/Decisions.h"

namespace ttjit::hw {

struct ThreadContext; // defined in hw/device/ThreadContext.h

/// The runnable threads, in the order in which they became runnable.
class ReadyQueue {
public:
  /// Makes room for the threads of a partition. The queue has each thread at most once.
  void reserve(size_t numThreads) { ready.reserve(4 * numThreads + 16); }

  /// Adds a thread.
  void add(ThreadContext &thread, ReadyReason reason);
  /// Adds a thread whose wait is over, or that was switched out at an event.
  void wake(ThreadContext &thread);
  /// Adds a thread that has looked in vain for what it waits for.
  void addPolling(ThreadContext &thread);
  void remove(size_t index);
  void clear();

  size_t size() const { return ready.size() - first; }
  std::span<const ReadyThread> threads() const { return {ready.data() + first, size()}; }

  /// Notes an event: a thread that polls may find what it waits for.
  void noteEvent() { pollsInVain = 0; }
  /// Returns whether each thread in the queue has looked in vain since the last event.
  bool allPollInVain() const { return pollsInVain >= size(); }

private:
  std::vector<ReadyThread> ready; ///< the queue begins at index `first`
  size_t first = 0;
  size_t pollsInVain = 0; ///< number of consecutive polls without an event between them
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_READYQUEUE_H
