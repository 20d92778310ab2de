//===- Waiters.h - the threads that wait, and who wakes them --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_WAITERS_H
#define TTJIT_HW_DEVICE_WAITERS_H

#include "hw/device/ReadyQueue.h"

#include <set>
#include <unordered_map>

namespace ttjit::hw {

struct EngineFlag;    // defined in hw/device/EngineState.h
struct Node;          // defined in hw/device/Node.h
struct ThreadContext; // defined in hw/device/ThreadContext.h
struct WaitState;     // defined in hw/device/WaitState.h

/// The blocked threads of one partition. hw/device/Worker.h blocks them.
class Waiters {
public:
  explicit Waiters(ReadyQueue &ready) : ready(ready) {}

  /// Called before and after a thread is blocked.
  void add(ThreadContext &thread, const WaitState &wait);
  void remove(ThreadContext &thread, const WaitState &wait);

  /// Ends the wait of a thread.
  void wake(ThreadContext &thread);
  /// Wakes the threads whose wait for a word of this node's L1 is over.
  void wakeAtWords(Node &node);
  /// Wakes the threads that wait for the flag's present value.
  void wakeAtFlag(const EngineFlag &flag);

private:
  ReadyQueue &ready;
  /// Threads that wait for a flag, in the order of their nodes: threads never move.
  std::unordered_map<const EngineFlag *, std::set<ThreadContext *>> atFlags;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_WAITERS_H
