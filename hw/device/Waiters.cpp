//===- Waiters.cpp - the threads that wait, and who wakes them ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Waiters.h"

#include "hw/device/Node.h"
#include "hw/device/ThreadContext.h"

#include <algorithm>

namespace ttjit::hw {

// Returns the waits for flags among `wait` and its alternatives.
static std::span<const WaitState> flagsOf(const WaitState &wait) {
  std::span<const WaitState> all =
      wait.kind == WaitKind::Any ? wait.alternatives() : std::span(&wait, 1);
  return all.front().kind == WaitKind::Engine ? all : std::span<const WaitState>();
}

void Waiters::addToFlags(ThreadContext &thread, const WaitState &wait) {
  for (const WaitState &each : flagsOf(wait))
    atFlags[each.flag].insert(&thread);
}

void Waiters::removeFromFlags(ThreadContext &thread, const WaitState &wait) {
  for (const WaitState &each : flagsOf(wait))
    if (auto found = atFlags.find(each.flag); found != atFlags.end()) {
      found->second.erase(&thread);
      if (found->second.empty())
        atFlags.erase(found);
    }
}

void Waiters::wake(ThreadContext &thread) {
  thread.wait = {};
  ready.wake(thread);
}

// Returns whether the predicate holds for the thread's wait, or for one of its alternatives.
template <typename Predicate> static bool waitsSo(const ThreadContext &thread, Predicate holds) {
  if (thread.wait.kind == WaitKind::Any)
    return std::ranges::any_of(thread.wait.alternatives(), holds);
  return holds(thread.wait);
}

void Waiters::wakeAtWords(Node &node) {
  auto ends = [&](const WaitState &wait) {
    return wait.kind != WaitKind::Engine && isOver(wait, node.memory.l1);
  };
  for (ThreadContext *thread : node.threads) {
    if (!thread || thread->state != ThreadPhase::Blocked || !waitsSo(*thread, ends))
      continue;
    --node.semaphoreWaiters;
    wake(*thread);
  }
}

void Waiters::wakeAtFlag(const EngineFlag &flag) {
  auto ends = [&](const WaitState &wait) {
    return wait.flag == &flag && wait.needed == flag.value;
  };
  auto waiters = atFlags.find(&flag);
  if (waiters == atFlags.end())
    return;
  for (ThreadContext *thread : waiters->second)
    if (thread->state == ThreadPhase::Blocked && waitsSo(*thread, ends))
      wake(*thread);
}

} // namespace ttjit::hw
