//===- Scheduler.cpp - chooses the thread that runs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Scheduler.h"

#include "hw/device/Deadlock.h"
#include "hw/device/Machine.h"

#include <utility>

namespace ttjit::hw {

/// Choices of a thread after which the next node starts beside one that goes on.
static constexpr size_t kPatience = 1 << 16;

Scheduler::Scheduler(Machine &machine, Partition &partition, StackPool &stacks,
                     DecisionSource &decisions)
    : machine(machine), partition(partition), stacks(stacks), decisions(decisions) {}

Moment Scheduler::momentOf(const ThreadContext &thread) const {
  return thread.node->round << 24 | thread.agent;
}

void Scheduler::add(ThreadContext &thread) {
  all.push_back(&thread);
  ++unfinished;
  ++thread.node->unfinished;
}

void Scheduler::run() {
  // Threads leave the list at its front and enter at its end; this capacity is never
  // exceeded.
  ready.reserve(4 * all.size() + 16);
  while (!machine.nodeByNode && admitNode()) {
  }
  adoptHostStack(host);
  if (paused)
    goOn();
  while (!paused) {
    if (ThreadContext *thread = next()) {
      switchTo(host, thread, false);
      runHostWork();
    } else if (machine.partitions.isOne() || partition.cancelled() ||
               !machine.partitions.waitForWork(partition)) {
      return;
    }
  }
}

/// Continues the thread that has called pause().
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
  if (partition.number != 0)
    return machine.partitions.callOnLauncher(work);
  hostWork.work = &work;
  switchFiber(thread.fiber, host);
  if (hostWork.error)
    std::rethrow_exception(std::exchange(hostWork.error, nullptr));
}

//===--------------------------------------------------------------------------===//
// Choosing
//===--------------------------------------------------------------------------===//

void Scheduler::enqueue(ThreadContext &thread, ReadyReason reason) {
  if (ready.size() == ready.capacity()) {
    ready.erase(ready.begin(), ready.begin() + static_cast<ptrdiff_t>(readyBegin));
    readyBegin = 0;
  }
  ++thread.node->ready;
  ready.push_back({thread.agent, reason});
}

void Scheduler::makeReady(ThreadContext &thread, ReadyReason reason) {
  thread.state = ThreadState::Ready;
  enqueue(thread, reason);
}

/// Lets the threads of the next node start. Returns false if all nodes have started.
bool Scheduler::admitNode() {
  if (admitted == all.size())
    return false;
  turns = 0;
  Node *node = all[admitted]->node;
  if (machine.nodeByNode && !machine.giveMemory(*node))
    return true; // the run has ended
  for (; admitted < all.size() && all[admitted]->node == node; ++admitted)
    enqueue(*all[admitted], ReadyReason::Starting);
  return true;
}

ThreadContext *Scheduler::pick() {
  std::span<const ReadyThread> candidates(ready.data() + readyBegin, ready.size() - readyBegin);
  size_t choice = decisions.pickThread(candidates);
  ThreadContext &thread = machine.thread(candidates[choice].agent);
  Node &node = *thread.node;
  if (node.leftInRound == 0) {
    ++node.round;
    node.leftInRound = node.ready;
  }
  --node.leftInRound;
  --node.ready;
  latest = momentOf(thread);
  if (choice == 0)
    ++readyBegin;
  else
    ready.erase(ready.begin() + static_cast<ptrdiff_t>(readyBegin + choice));
  if (readyBegin == ready.size()) {
    ready.clear();
    readyBegin = 0;
  }
  return &thread;
}

/// Returns the thread that runs next; null when all have finished, when the run has ended, or
/// when the host's stack must wait or work.
ThreadContext *Scheduler::choose() {
  Noc &noc = partition.noc;
  if (current)
    machine.checkLimit(*current);
  for (;;) {
    partition.attend();
    if (machine.interruptRequested() && !partition.cancelled()) {
      machine.recordInterrupt(current);
      partition.attend();
    }
    if (partition.cancelled() || machine.partitions.hasCalls(partition))
      return nullptr;
    noc.landSome();
    size_t candidates = ready.size() - readyBegin;
    if (pollsInVain >= candidates) {
      pollsInVain = 0;
      if (noc.landOldest() || admitNode())
        continue;
    }
    // A node may look again and again for what another one writes to a tensor.
    if (++turns > kPatience)
      admitNode();
    if (candidates) {
      ThreadContext *thread = pick();
      if (thread->state != ThreadState::Starting || start(*thread))
        return thread;
    } else if (!unfinished || !machine.partitions.isOne()) {
      return nullptr;
    } else {
      machine.recordForAll(explainDeadlock(machine));
    }
  }
}

/// Returns the thread that runs next; null if the host's stack runs next. It is called on the
/// stack of a thread that ends, which no exception can leave; an exception ends the run
/// instead.
ThreadContext *Scheduler::next() noexcept {
  for (;;) {
    ThreadContext *thread = nullptr;
    try {
      thread = choose();
    } catch (...) {
      (void)machine.faultFromException(current);
      partition.attend();
    }
    if (!partition.cancelled())
      return thread;
    if (ThreadContext *leaving = nextToCancel())
      return leaving;
    if (!goOnAfterFault())
      return nullptr;
  }
}

/// Under Fair a node that has not started may have had an earlier fault. Returns whether the next
/// node runs because of that.
bool Scheduler::goOnAfterFault() {
  if (admitted == all.size())
    return false;
  Moment first = Moment(1) << 24 | all[admitted]->agent;
  if (machine.partitions.mustStop(first)) {
    admitted = all.size();
    (void)nextToCancel(); // none of these has started
    return false;
  }
  ready.clear();
  readyBegin = pollsInVain = 0;
  latest = 0; // of the next node
  partition.resume();
  return true;
}

/// After the end of the run, returns each thread that has started, so that it runs once
/// more and leaves.
ThreadContext *Scheduler::nextToCancel() {
  for (; cancelPosition < admitted; ++cancelPosition) {
    ThreadContext &thread = *all[cancelPosition];
    if (thread.state == ThreadState::Starting)
      thread.state = ThreadState::Finished;
    if (thread.state != ThreadState::Finished)
      return &thread;
  }
  return nullptr;
}

bool Scheduler::start(ThreadContext &thread) {
  std::string why;
  Stack stack = stacks.take(why);
  if (!stack.bottom) {
    machine.fault(&thread, FaultKind::Resource, std::move(why));
    return false;
  }
  thread.fiber.owner = &thread;
  thread.stackLimit = stack.limit();
  prepareFiber(thread.fiber, stack, Machine::runThread);
  return true;
}

//===--------------------------------------------------------------------------===//
// Switching
//===--------------------------------------------------------------------------===//

void Scheduler::switchTo(Fiber &from, ThreadContext *to, bool forGood) {
  current = to;
  if (to) {
    ++switchCount;
    to->state = ThreadState::Running;
    machine.grantSteps(*to);
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
  machine.settleSteps(thread);
  ThreadContext *to = next();
  if (to != &thread)
    return switchTo(thread.fiber, to, forGood);
  thread.state = ThreadState::Running;
  machine.grantSteps(thread);
}

void Scheduler::block(ThreadContext &thread) {
  pollsInVain = 0;
  thread.state = ThreadState::Blocked;
  switchFrom(thread, false);
}

void Scheduler::wake(ThreadContext &thread) {
  pollsInVain = 0;
  makeReady(thread, ReadyReason::Woken);
}

void Scheduler::poll(ThreadContext &thread) {
  ++pollsInVain;
  makeReady(thread, ReadyReason::Polled);
  switchFrom(thread, false);
}

void Scheduler::preempt(ThreadContext &thread) {
  pollsInVain = 0;
  makeReady(thread, ReadyReason::Woken);
  switchFrom(thread, false);
}

void Scheduler::leave(ThreadContext &thread) {
  pollsInVain = 0;
  thread.state = ThreadState::Finished;
  --unfinished;
  if (--thread.node->unfinished == 0)
    machine.reuseMemory(*thread.node);
  dead = &thread;
  switchFrom(thread, true);
  __builtin_unreachable();
}

} // namespace ttjit::hw
