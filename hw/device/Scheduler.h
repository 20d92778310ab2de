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

#include "hw/device/Decisions.h"
#include "hw/device/Fiber.h"

#include <exception>
#include <functional>

namespace ttjit::hw {

class Machine;
class Partition;
struct ThreadContext;

/// A position in the order of Fair: the round in the upper 40 bits, the thread in the lower 24.
/// In a round of a node each of its threads runs once that was runnable at the start of the round.
/// If nodes do not depend on each other, Fair runs round after round, in each the nodes in their
/// order. So moments of different nodes compare, whichever ran first.
using Moment = uint64_t;

class Scheduler {
public:
  Scheduler(Machine &machine, Partition &partition, StackPool &stacks, DecisionSource &decisions);

  /// Adds a thread. Threads start in the order in which they are added, those of a node after those
  /// of the node before it, when these can go no further, if the machine runs node by node.
  void add(ThreadContext &thread);
  /// Returns when every thread has finished, or when a thread has called pause(). After a pause,
  /// the next call goes on where that thread stopped; it must be on the same host thread.
  void run();
  bool isPaused() const { return paused; }

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

  /// Makes run() return; called in an event of the running thread. Does nothing on the host
  /// thread's own stack.
  void pause();

  void wake(ThreadContext &thread);

  /// The running thread; null while the host's stack runs.
  ThreadContext *running() const { return current; }
  /// The moment of a thread that runs in the current round of its node.
  Moment momentOf(const ThreadContext &thread) const;
  /// The moment of the thread that was chosen last.
  Moment now() const { return latest; }
  uint64_t switches() const { return switchCount; }
  const std::vector<ThreadContext *> &threads() const { return all; }
  /// Whether threads are left that have not finished.
  bool hasThreads() const { return unfinished != 0; }

private:
  /// Work that a thread asks the host's stack to run.
  struct HostWork {
    const std::function<void()> *work = nullptr;
    std::exception_ptr error;
  };

  void enqueue(ThreadContext &thread, ReadyReason reason);
  bool admitNode();
  bool goOnAfterFault();
  ThreadContext *next() noexcept;
  ThreadContext *choose();
  ThreadContext *nextToCancel();
  ThreadContext *pick();
  void goOn();
  void runHostWork();
  void makeReady(ThreadContext &thread, ReadyReason reason);
  void switchFrom(ThreadContext &thread, bool forGood);
  void switchTo(Fiber &from, ThreadContext *to, bool forGood);
  bool start(ThreadContext &thread);

  Machine &machine;
  Partition &partition;
  StackPool &stacks;
  DecisionSource &decisions;
  Fiber host;
  HostWork hostWork;
  bool paused = false;
  ThreadContext *current = nullptr;
  ThreadContext *dead =
      nullptr; ///< thread that was left for good and whose stack is still to be freed
  std::vector<ReadyThread> ready; ///< runnable threads; the list begins at index `readyBegin`
  size_t readyBegin = 0;
  std::vector<ThreadContext *> all;
  size_t unfinished = 0, cancelPosition = 0;
  size_t pollsInVain = 0; ///< number of consecutive polls without an event between them
  uint64_t switchCount = 0;
  Moment latest = 0;
  size_t admitted = 0; ///< the threads before this one may run; the others have not started
  size_t turns = 0;    ///< choices of a thread since the last node was admitted
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SCHEDULER_H
