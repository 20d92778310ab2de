//===- Scheduler.h - chooses the thread that runs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the kernel threads of one partition on one host thread. A thread that must wait picks
// the next one and switches to it directly; the host thread's own stack runs again when
// all have finished. If no thread can run, the oldest transfer in flight lands. If none
// is in flight either, the run ends with a deadlock, or the host thread's own stack waits for
// other partitions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_SCHEDULER_H
#define TTJIT_HW_DEVICE_SCHEDULER_H

#include "hw/device/Noc.h"
#include "hw/device/NodeMemories.h"
#include "hw/device/ReadyQueue.h"

#include <exception>
#include <functional>

namespace ttjit::hw {

class Scheduler {
public:
  /// `entry` is the function that threads run on their stacks. It must end with leave().
  Scheduler(Machine &machine, Partition &partition, ReadyQueue &ready, Noc &noc,
            NodeMemories &nodeMemories, StackPool &stacks, DecisionSource &decisions,
            FiberEntry entry);

  /// Runs the threads of the partition in the order in which they were added. If the run goes node
  /// by node, the threads of a node start when those of the nodes before it can go no further.
  /// Returns when every thread has finished, or after pause(). After a pause, the next call
  /// continues there; it must be on the same host thread. If the devices take turns, it returns
  /// when no thread can go on, and may be called again.
  void run();
  bool isPaused() const { return paused; }
  /// Whether run() would do anything.
  bool hasWork() const;

  /// The following functions are called on the stack of `thread`, which must be the
  /// running one.
  void block(ThreadContext &thread);
  void poll(ThreadContext &thread);
  void preempt(ThreadContext &thread); ///< lets another thread run at an event of `thread`
  [[noreturn]] void leave(ThreadContext &thread);
  void arrive(); ///< the first call on a new stack
  /// Runs `work` on the launching host thread's own stack; the thread stays the running one.
  /// Rethrows what `work` throws.
  void callOnHost(ThreadContext &thread, const std::function<void()> &work);

  /// Makes run() return. Call it in an event of the running thread. Does nothing while the host
  /// thread's own stack runs.
  void pause();

  /// Handles the inbox. Ends the run for this partition if another partition has asked for it.
  void attend();
  /// Returns whether the run may make more steps. If its limit is used up, records the fault.
  bool isWithinLimit(const ThreadContext &thread);

  /// Returns whether threads are runnable that have looked in vain for what they wait for.
  bool isPolling() const { return ready.size() != 0; }

  /// The running thread; null while the host's stack runs.
  ThreadContext *running() const { return current; }
  uint64_t switches() const { return switchCount; }

private:
  /// Work that a thread wants to run on the host thread's stack.
  struct HostWork {
    const std::function<void()> *work = nullptr;
    std::exception_ptr error;
  };

  bool admitNode();
  bool endsTurn();
  bool goOnAfterFault();
  ThreadContext *next() noexcept;
  ThreadContext *choose();
  ThreadContext *nextToCancel();
  ThreadContext *pick();
  void grant(ThreadContext &thread);
  void goOn();
  void runHostWork();
  void switchFrom(ThreadContext &thread, bool forGood);
  void switchTo(Fiber &from, ThreadContext *to, bool forGood);
  bool start(ThreadContext &thread);

  Machine &machine;
  Partition &partition;
  ReadyQueue &ready;
  Noc &noc;
  NodeMemories &nodeMemories;
  StackPool &stacks;
  DecisionSource &decisions;
  const FiberEntry entry;
  Fiber host;
  HostWork hostWork;
  bool paused = false;
  ThreadContext *current = nullptr;
  ThreadContext *dead =
      nullptr;               ///< thread that was left for good and whose stack is still to be freed
  size_t cancelPosition = 0; ///< the threads before this one have left after the end of the run
  uint64_t switchCount = 0;
  size_t admitted = 0;      ///< the threads before this one may run; the others have not started
  size_t turns = 0;         ///< choices of a thread since the last node was admitted
  uint32_t looksInVain = 0; ///< how often all threads have looked in vain in this run()
  bool hasEndedTurn = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SCHEDULER_H
