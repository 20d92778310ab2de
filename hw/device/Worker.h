//===- Worker.h - runs the threads of a partition on a host thread --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Worker's functions, except run(), must be called on the stack (fiber) of the kernel thread that
// runs now, a thread of this partition. A function that returns Cancelled says that the run has
// ended for the thread, which must then leave.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_WORKER_H
#define TTJIT_HW_DEVICE_WORKER_H

#include "hw/device/Output.h"
#include "hw/device/Scheduler.h"
#include "hw/device/Waiters.h"

namespace ttjit::hw {

class Worker {
  Machine &machine;
  Partition &partition;
  const bool actsAtEvents;
  ReadyQueue ready;

public:
  // The parts of the worker. A part may use those before it.
  Waiters waiters;
  Noc noc;
  Scheduler scheduler;
  Output output;

  Worker(Machine &machine, Partition &partition, NodeMemories &nodeMemories, WorkerStorage &storage,
         DecisionSource &decisions);

  /// Runs the threads of the partition on the calling host thread. Returns when all have left.
  void run() noexcept;
  /// Whether run() would do anything. To prepare a run takes time.
  bool hasWork() const { return scheduler.hasWork(); }

  /// Every call that is not inline calls this first, and returns its status unless that is Ok.
  Status enter(ThreadContext &thread) {
    if (partition.cancelled())
      return Status::Cancelled;
    if (thread.stepsLeft < 0 || machine.interruptRequested() || partition.isWanted())
      return step(thread);
    return Status::Ok;
  }
  /// Looks at limits, interrupts and the inbox, and lets other threads run if the thread has used
  /// up its steps.
  Status step(ThreadContext &thread);

  /// Every call that has made an event calls this last. A scheduling policy may let another thread
  /// run here.
  Status afterEvent(ThreadContext &thread) {
    return actsAtEvents ? actAtEvent(thread) : Status::Ok;
  }
  Status event(ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count = 0,
               const CircularBuffer *buffer = nullptr) {
    machine.listeners.note(thread, kind, object, count, buffer);
    return afterEvent(thread);
  }

  /// Blocks until another thread or a transfer ends the wait.
  Status block(ThreadContext &thread, WaitState wait);
  /// Issues a transfer of Noc::make().
  Status send(Transfer *transfer);
  /// Returns when all transfers in `set` have landed; their pages are then no longer
  /// busy.
  Status barrier(ThreadContext &thread, BarrierSet set);

  /// Leaves a thread for good after one of its calls did not return Ok.
  [[noreturn]] void abandon(ThreadContext &thread) noexcept;

private:
  Status actAtEvent(ThreadContext &thread);
  static void runThread(Fiber &fiber);
  Status callEntry(ThreadContext &thread);
  void threadReturned(ThreadContext &thread, Status status) noexcept;
  void finishThread(ThreadContext &thread, Status status);
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_WORKER_H
