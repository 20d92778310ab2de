//===- Scheduler.cpp - chooses the thread that runs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Scheduler.h"

#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <utility>

namespace ttjit::hw {

// If a node goes on for this many choices of a thread, the next node starts beside it.
static constexpr size_t kPatience = 1 << 16;

Scheduler::Scheduler(Machine &machine, Partition &partition, ReadyQueue &ready, Noc &noc,
                     NodeMemories &nodeMemories, StackPool &stacks, DecisionSource &decisions,
                     FiberEntry entry)
    : machine(machine), partition(partition), ready(ready), noc(noc), nodeMemories(nodeMemories),
      stacks(stacks), decisions(decisions), entry(entry) {}

void Scheduler::run() {
  ready.reserve(partition.threads().size());
  while (!machine.plan.nodeByNode && admitNode()) {
  }
  adoptHostStack(host);
  looksInVain = 0;
  hasEndedTurn = false;
  if (paused)
    goOn();
  while (!paused && !hasEndedTurn) {
    if (ThreadContext *thread = next()) {
      switchTo(host, thread, false);
      runHostWork();
    } else if (machine.partitions.isOne() || machine.plan.inRounds || partition.cancelled() ||
               !machine.partitions.waitForWork(partition)) {
      return;
    }
  }
}

bool Scheduler::hasWork() const {
  return paused || ready.size() || admitted != partition.threads().size() || noc.hasTransfers() ||
         partition.isWanted() || partition.cancelled() || machine.interruptRequested();
}

// Continues the thread in whose event pause() was called.
void Scheduler::goOn() {
  paused = false;
  switchFiber(host, current->fiber);
  arrive();
  runHostWork();
}

void Scheduler::pause() {
  if (!current || hostWork.work)
    return;
  paused = true;
  // If this thread is leaving for good, the host's stack must not free its stack.
  ThreadContext *leaving = std::exchange(dead, nullptr);
  switchFiber(current->fiber, host);
  dead = leaving;
}

void Scheduler::runHostWork() {
  while (hostWork.work) {
    try {
      (*hostWork.work)();
    } catch (...) {
      hostWork.error = std::current_exception();
    }
    hostWork.work = nullptr;
    switchFiber(host, current->fiber);
    arrive();
  }
}

void Scheduler::callOnHost(ThreadContext &thread, const std::function<void()> &work) {
  if (partition.number != 0 && !machine.plan.inRounds)
    return machine.partitions.callOnLauncher(work);
  hostWork.work = &work;
  switchFiber(thread.fiber, host);
  if (hostWork.error)
    std::rethrow_exception(std::exchange(hostWork.error, nullptr));
}

//===--------------------------------------------------------------------------===//
// Choosing
//===--------------------------------------------------------------------------===//

void Scheduler::attend() {
  if (!partition.isWanted() || partition.cancelled())
    return;
  for (const Arrival &arrival : partition.takeInbox())
    noc.arrived(arrival);
  partition.endIfAsked();
}

bool Scheduler::isWithinLimit(const ThreadContext &thread) {
  const StepLimit &limit = machine.partitions.limit;
  if (!limit.isExceeded())
    return true;
  machine.faults.report(&thread, FaultKind::Runtime,
                        fmt::format("the limit of {} is used up", plural(limit.steps, "step")));
  return false;
}

// Makes the threads of the next node runnable. Returns false if all nodes have started.
bool Scheduler::admitNode() {
  const std::vector<ThreadContext *> &all = partition.threads();
  if (admitted == all.size())
    return false;
  turns = 0;
  Node *node = all[admitted]->node;
  if (machine.plan.nodeByNode && !nodeMemories.give(*node))
    return true; // the run has ended
  for (; admitted < all.size() && all[admitted]->node == node; ++admitted)
    ready.add(*all[admitted], ReadyReason::Starting);
  return true;
}

ThreadContext *Scheduler::pick() {
  size_t choice = decisions.pickThread(ready.threads());
  ThreadContext &thread = machine.grid.thread(ready.threads()[choice].agent);
  Node &node = *thread.node;
  if (node.leftInRound == 0) {
    ++node.round;
    node.leftInRound = node.ready;
  }
  --node.leftInRound;
  --node.ready;
  partition.now = momentOf(thread);
  ready.remove(choice);
  return &thread;
}

// Called when all threads that can run poll in vain. Returns whether the turn ends, so that the
// other devices run, from which something may arrive.
bool Scheduler::endsTurn() {
  if (machine.plan.inRounds && ready.size())
    hasEndedTurn = ++looksInVain >= machine.partitions.looksInVain;
  return hasEndedTurn;
}

// Returns the thread that runs next; null when all have finished, when the run has ended, or
// when the host's stack must wait or work.
ThreadContext *Scheduler::choose() {
  // With several partitions, the sum of their granted steps may exceed the limit.
  if (current && !machine.partitions.isOne())
    (void)isWithinLimit(*current);
  for (;;) {
    attend();
    if (machine.interruptRequested() && !partition.cancelled()) {
      machine.faults.reportInterrupt(current);
      attend();
    }
    if (partition.cancelled() || machine.partitions.hasCalls(partition))
      return nullptr;
    noc.landSome();
    if (ready.allPollInVain()) {
      ready.noteEvent();
      if (noc.landOldest() || admitNode())
        continue;
      if (endsTurn())
        return nullptr;
    }
    // The node may poll for something that another node writes to a tensor.
    if (++turns > kPatience)
      admitNode();
    if (ready.size()) {
      ThreadContext *thread = pick();
      if (thread->state != ThreadPhase::Starting || start(*thread))
        return thread;
    } else if (!partition.hasThreads() || !machine.partitions.isOne()) {
      return nullptr;
    } else {
      machine.partitions.reportDeadlock();
    }
  }
}

// Returns the thread that runs next; null if the host's stack runs next. It is called on the
// stack of a thread that ends, which no exception can leave; an exception ends the run
// instead.
ThreadContext *Scheduler::next() noexcept {
  for (;;) {
    ThreadContext *thread = nullptr;
    try {
      thread = choose();
    } catch (...) {
      (void)machine.faults.reportException(current);
      attend();
    }
    if (!partition.cancelled())
      return thread;
    if (ThreadContext *leaving = nextToCancel())
      return leaving;
    if (!goOnAfterFault())
      return nullptr;
  }
}

// Called after a fault. Under Fair a node that has not started may have had an earlier fault.
// Returns whether the next node runs to find out.
bool Scheduler::goOnAfterFault() {
  const std::vector<ThreadContext *> &all = partition.threads();
  if (admitted == all.size())
    return false;
  Moment first = Moment(1) << 24 | all[admitted]->agent;
  if (machine.partitions.mustStop(first)) {
    admitted = all.size();
    (void)nextToCancel(); // skips threads that have not started
    return false;
  }
  ready.clear();
  ready.noteEvent();
  noc.forget();
  partition.now = 0; // the next node begins with its first round
  partition.resume();
  return true;
}

// After the end of the run, returns the next thread that has started, so that it runs once more and
// leaves; null if there are no more.
ThreadContext *Scheduler::nextToCancel() {
  for (; cancelPosition < admitted; ++cancelPosition) {
    ThreadContext &thread = *partition.threads()[cancelPosition];
    if (thread.state == ThreadPhase::Starting)
      thread.state = ThreadPhase::Finished;
    if (thread.state != ThreadPhase::Finished)
      return &thread;
  }
  return nullptr;
}

bool Scheduler::start(ThreadContext &thread) {
  std::string why;
  Stack stack = stacks.take(why);
  if (!stack.bottom) {
    machine.faults.report(&thread, FaultKind::Resource, std::move(why));
    return false;
  }
  thread.fiber.owner = &thread;
  thread.stackLimit = stack.limit();
  prepareFiber(thread.fiber, stack, entry);
  return true;
}

//===--------------------------------------------------------------------------===//
// Switching
//===--------------------------------------------------------------------------===//

void Scheduler::grant(ThreadContext &thread) {
  if (partition.cancelled())
    partition.steps.revoke(thread);
  else
    partition.steps.grant(thread);
}

void Scheduler::switchTo(Fiber &from, ThreadContext *to, bool forGood) {
  current = to;
  if (to) {
    ++switchCount;
    to->state = ThreadPhase::Running;
    grant(*to);
  }
  switchFiber(from, to ? to->fiber : host, forGood);
  arrive();
}

void Scheduler::arrive() {
  if (!dead)
    return;
  stacks.give(dead->fiber.stack);
  retireFiber(dead->fiber);
  dead = nullptr;
}

void Scheduler::switchFrom(ThreadContext &thread, bool forGood) {
  partition.steps.settle(thread);
  ThreadContext *to = next();
  if (to != &thread)
    return switchTo(thread.fiber, to, forGood);
  thread.state = ThreadPhase::Running;
  grant(thread);
}

void Scheduler::block(ThreadContext &thread) {
  ready.noteEvent();
  thread.state = ThreadPhase::Blocked;
  switchFrom(thread, false);
}

void Scheduler::poll(ThreadContext &thread) {
  ready.addPolling(thread);
  switchFrom(thread, false);
}

void Scheduler::preempt(ThreadContext &thread) {
  ready.wake(thread);
  switchFrom(thread, false);
}

void Scheduler::leave(ThreadContext &thread) {
  ready.noteEvent();
  thread.state = ThreadPhase::Finished;
  if (partition.finish(thread))
    nodeMemories.reuse(*thread.node);
  dead = &thread;
  switchFrom(thread, true);
  __builtin_unreachable();
}

} // namespace ttjit::hw
