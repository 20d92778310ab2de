//===- Worker.cpp - runs the threads of a partition on a host thread ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Worker.h"

#include "hw/device/FloatEnvironment.h"
#include "hw/device/SignalGuard.h"

#include <fmt/format.h>

namespace ttjit::hw {

Worker::Worker(Machine &machine, Partition &partition, NodeMemories &nodeMemories,
               WorkerStorage &storage, DecisionSource &decisions)
    : machine(machine), partition(partition), actsAtEvents(machine.plan.actsAtEvents()),
      waiters(ready), noc(machine, partition, waiters, storage.transfers, decisions),
      scheduler(machine, partition, ready, noc, nodeMemories, storage.stacks, decisions, runThread),
      output(machine, scheduler) {}

void Worker::run() noexcept {
  try {
    DefaultFloatEnvironment environment;
    SignalGuard signals(scheduler,
                        machine.index.runsCpp() ? HandlerCheck::All : HandlerCheck::Segv);
    scheduler.run();
  } catch (...) {
    (void)machine.faults.reportException(nullptr);
  }
  if (!machine.partitions.isOne() && !machine.plan.inRounds)
    machine.partitions.leave(partition);
}

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

Status Worker::step(ThreadContext &thread) {
  if (partition.cancelled())
    return Status::Cancelled;
  if (machine.interruptRequested())
    machine.faults.reportInterrupt(&thread);
  partition.steps.settle(thread);
  scheduler.attend();
  if (partition.cancelled())
    return Status::Cancelled;
  if (!scheduler.isWithinLimit(thread))
    return Status::Fault;
  if (thread.idleSteps > kIdleLimit)
    return machine.faults.report(
        &thread, FaultKind::Runtime,
        fmt::format("endless loop: {} steps without any use of a buffer, transfer, "
                    "semaphore or DST section",
                    kIdleLimit));
  if (thread.idleSteps >= kStepGrant)
    scheduler.poll(thread);
  else if (machine.partitions.hasCalls(partition))
    scheduler.preempt(thread);
  else
    partition.steps.grant(thread);
  return partition.cancelled() ? Status::Cancelled : Status::Ok;
}

Status Worker::actAtEvent(ThreadContext &thread) {
  if (machine.plan.switchesAtEvents)
    scheduler.preempt(thread);
  else
    noc.landSome();
  return partition.cancelled() ? Status::Cancelled : Status::Ok;
}

Status Worker::block(ThreadContext &thread, WaitState wait) {
  if (partition.cancelled())
    return Status::Cancelled;
  thread.wait = wait;
  machine.listeners.noteBlocked(thread, wait);
  waiters.add(thread, wait);
  scheduler.block(thread);
  waiters.remove(thread, wait);
  return partition.cancelled() ? Status::Cancelled : Status::Ok;
}

Status Worker::send(Transfer *transfer) {
  ThreadContext &owner = *transfer->owner;
  RETURN_UNLESS_OK(noc.issue(transfer));
  return afterEvent(owner);
}

Status Worker::barrier(ThreadContext &thread, BarrierSet set) {
  noc.landFor(thread, set);
  while (!Noc::allLanded(thread, set)) {
    thread.barrier = set;
    RETURN_UNLESS_OK(block(thread, {WaitKind::Barrier, 0, 0}));
  }
  noc.complete(thread, set);
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

void Worker::runThread(Fiber &fiber) {
  ThreadContext &thread = *static_cast<ThreadContext *>(fiber.owner);
  Worker &worker = *thread.worker;
  worker.scheduler.arrive();
  worker.threadReturned(thread, worker.callEntry(thread));
  worker.scheduler.leave(thread);
}

Status Worker::callEntry(ThreadContext &thread) {
  try {
    machine.listeners.note(thread, EventKind::ThreadStart, 0);
    return thread.config->entry(thread);
  } catch (...) {
    return machine.faults.reportException(&thread);
  }
}

void Worker::threadReturned(ThreadContext &thread, Status status) noexcept {
  try {
    finishThread(thread, status);
  } catch (...) {
    (void)machine.faults.reportException(&thread);
  }
}

void Worker::finishThread(ThreadContext &thread, Status status) {
  if (partition.cancelled())
    return;
  if (status != Status::Ok) {
    machine.faults.report(
        &thread, FaultKind::Runtime,
        fmt::format("internal error: thread {}() returned status {} without a fault",
                    thread.config->name, static_cast<int>(status)));
    return;
  }
  noc.finish(thread);
  if (thread.openConnections > 0)
    (void)machine.faults.report(
        &thread, FaultKind::Protocol,
        "the kernel ends with an open connection to the fabric, for which the next program would "
        "wait forever: close it");
  output.finish(thread);
  thread.loc = 0; // engines differ in the position of the last call: report none
  machine.listeners.note(thread, EventKind::ThreadEnd, 0);
}

void Worker::abandon(ThreadContext &thread) noexcept {
  threadReturned(thread, Status::Cancelled);
  scheduler.leave(thread);
}

} // namespace ttjit::hw
