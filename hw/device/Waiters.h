//===- Waiters.h - the threads that wait, and who wakes them --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_WAITERS_H
#define TTJIT_HW_DEVICE_WAITERS_H

#include "hw/device/ReadyQueue.h"
#include "hw/device/WaitState.h"

#include <set>
#include <unordered_map>

namespace ttjit::hw {

struct Node;          // defined in hw/device/Node.h
struct ThreadContext; // defined in hw/device/ThreadContext.h

/// The blocked threads of one partition. hw/device/Worker.h blocks them.
class Waiters {
public:
  explicit Waiters(ReadyQueue &ready) : ready(ready) {}

  /// add() must be called before, remove() after a thread is blocked.
  void add(ThreadContext &thread, const WaitState &wait) {
    if (mayBeForFlag(wait))
      addToFlags(thread, wait);
  }
  void remove(ThreadContext &thread, const WaitState &wait) {
    if (mayBeForFlag(wait))
      removeFromFlags(thread, wait);
  }

  /// Ends the wait of a thread.
  void wake(ThreadContext &thread);
  /// Wakes the threads whose wait for a word in this node's L1 is over.
  void wakeAtWords(Node &node);
  /// Wakes the threads that wait for the value that the flag has now.
  void wakeAtFlag(const EngineFlag &flag);

private:
  static bool mayBeForFlag(const WaitState &wait) {
    return wait.kind == WaitKind::Engine || wait.kind == WaitKind::Any;
  }
  void addToFlags(ThreadContext &thread, const WaitState &wait);
  void removeFromFlags(ThreadContext &thread, const WaitState &wait);

  ReadyQueue &ready;
  /// Threads that wait for a flag, in the order of their nodes (that of their addresses).
  std::unordered_map<const EngineFlag *, std::set<ThreadContext *>> atFlags;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_WAITERS_H
