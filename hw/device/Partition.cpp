//===- Partition.cpp - the nodes of one host thread ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Partition.h"

#include "hw/device/HostThreads.h"
#include "hw/device/ThreadContext.h"

#include <algorithm>
#include <utility>

namespace ttjit::hw {

namespace {

void pauseBriefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace

//===--------------------------------------------------------------------------===//
// One partition
//===--------------------------------------------------------------------------===//

void Partition::add(ThreadContext &thread) {
  allThreads.push_back(&thread);
  ++unfinished;
  ++thread.node->unfinished;
}

bool Partition::finish(ThreadContext &thread) {
  --unfinished;
  return --thread.node->unfinished == 0;
}

void Partition::post(const Arrival &arrival) {
  {
    std::lock_guard lock(inboxMutex);
    inbox.push_back(arrival);
  }
  want();
  all.wake(*this);
}

// Returns whether the partition's threads must end because another partition has asked for it. A
// thread that looks again and again at what another core writes may never end its round, so it gets
// a limited number of steps.
bool Partition::mustStop() {
  constexpr uint64_t kStepsToEndRound = 1 << 16;
  if (!all.isStopping())
    return false;
  if (all.areConnected)
    lastStep = std::min(lastStep, steps.total() + kStepsToEndRound);
  return all.mustStop(now) || steps.total() >= lastStep;
}

const std::vector<Arrival> &Partition::takeInbox() {
  wanted.store(false, std::memory_order_seq_cst);
  taken.clear();
  std::lock_guard lock(inboxMutex);
  std::swap(inbox, taken);
  return taken;
}

void Partition::endIfAsked() {
  if (mustStop())
    cancel();
  else if (all.isStopping() || all.hasCalls(*this))
    want(); // makes the partition check again later
}

void Partition::cancel() {
  isCancelled = true;
  for (ThreadContext *thread : allThreads) {
    steps.settle(*thread);
    steps.revoke(*thread);
  }
}

void Partition::resume() {
  isCancelled = false;
  want(); // makes the threads end where those of one host thread would have ended
}

//===--------------------------------------------------------------------------===//
// All partitions
//===--------------------------------------------------------------------------===//

Partitions::Partitions(size_t count, uint64_t stepLimit, bool areConnected)
    : limit{stepLimit}, areConnected(areConnected) {
  for (size_t number = 0; number < count; ++number)
    parts.push_back(std::make_unique<Partition>(*this, number, limit));
}

void Partitions::stop(Moment moment) {
  Moment last = lastMoment.load();
  while (moment < last && !lastMoment.compare_exchange_weak(last, moment)) {
  }
  for (auto &partition : parts)
    partition->want();
  std::lock_guard lock(mutex);
  unparkAll();
}

//===--------------------------------------------------------------------------===//
// Waiting
//===--------------------------------------------------------------------------===//

void Partitions::unpark(Partition &partition) {
  if (!partition.isParked)
    return;
  partition.isParked = false;
  --numParked;
  partition.unparked.notify_one();
}

void Partitions::unparkAll() {
  for (auto &partition : parts)
    unpark(*partition);
}

// waitForWork() sets isParked and then looks at `wanted` once more; the caller of wake() has set
// `wanted` before this function looks at isParked. So one of the two sees what the other has set.
void Partitions::wake(Partition &partition) {
  if (!partition.isParked.load(std::memory_order_seq_cst))
    return;
  std::lock_guard lock(mutex);
  unpark(partition);
}

// Looks for messages for a short time, because one may come sooner than the operating system could
// wake a thread. If the host threads must share processors, looks only once. Returns whether there
// is a message.
bool Partitions::watchFor(const Partition &own) const {
  static const size_t processors = numHostThreads();
  constexpr int kRounds = 1000;
  for (int i = 0; size() <= processors && i < kRounds && !own.isWanted(); ++i)
    pauseBriefly();
  return own.isWanted();
}

bool Partitions::waitForWork(Partition &own) {
  if (own.number == 0 && serveCalls())
    return true;
  if (isStopping()) {
    own.cancel(); // it has nothing to run, so it cannot find an earlier fault
    return true;
  }
  if (watchFor(own))
    return true;
  std::unique_lock lock(mutex);
  own.isParked.store(true, std::memory_order_seq_cst);
  ++numParked;
  if (own.isWanted())
    unpark(own);
  else if (numParked == size())
    conclude(lock);
  own.unparked.wait(lock, [&] { return !own.isParked || ended; });
  return !ended;
}

// Ends the run, or reports a deadlock: all partitions wait, and all inboxes are empty.
void Partitions::conclude(std::unique_lock<std::mutex> &lock) {
  auto hasThreads = [](const auto &partition) { return partition->hasThreads(); };
  if (std::ranges::none_of(parts, hasThreads)) {
    ended = true;
    return unparkAll();
  }
  lock.unlock(); // no partition runs until stop() wakes it
  reportDeadlock();
  lock.lock();
}

//===--------------------------------------------------------------------------===//
// Work for the launching host thread
//===--------------------------------------------------------------------------===//

void Partitions::callOnLauncher(const std::function<void()> &work) {
  Call call{work, nullptr};
  std::unique_lock lock(callMutex);
  calls.push_back(&call);
  numCalls.store(calls.size(), std::memory_order_release);
  callsChanged.notify_all();
  lock.unlock();
  parts.front()->want();
  wake(*parts.front());
  lock.lock();
  callsChanged.wait(lock, [&] { return call.done; });
  if (call.error)
    std::rethrow_exception(call.error);
}

// Runs all waiting work. Returns whether there was any.
bool Partitions::serveCalls() {
  if (!numCalls.load(std::memory_order_acquire))
    return false;
  std::unique_lock lock(callMutex);
  std::vector<Call *> taken = std::exchange(calls, {});
  numCalls.store(0, std::memory_order_release);
  for (Call *call : taken) {
    lock.unlock();
    try {
      call->work();
    } catch (...) {
      call->error = std::current_exception();
    }
    lock.lock();
    call->done = true;
    callsChanged.notify_all();
  }
  return true;
}

void Partitions::leave(Partition &own) {
  std::unique_lock lock(callMutex);
  ++numLeft;
  callsChanged.notify_all();
  while (own.number == 0 && numLeft < size()) {
    callsChanged.wait(lock, [&] { return numLeft == size() || !calls.empty(); });
    lock.unlock();
    serveCalls();
    lock.lock();
  }
}

} // namespace ttjit::hw
