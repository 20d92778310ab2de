//===- SemaphoreApi.cpp - semaphores: words in L1 -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/calls/Issue.h"
#include "hw/calls/WaitAny.h"
#include "hw/device/L1Word.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Streams.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit::hw;

namespace {

// A word with this value is not awaited by ttl_hw_semaphore_wait_any.
constexpr uint32_t kNotAwaited = 0xffffffff;

// Returns why the word at `address` is no semaphore of the node. Returns an empty text if it is
// one, or if no node has a semaphore there.
std::string whyNotOn(const Machine &machine, const Node &node, uint32_t address) {
  if (!machine.index.semaphoresDiffer())
    return {};
  const SemaphoreConfig *elsewhere = nullptr;
  for (const SemaphoreConfig &semaphore : machine.program.semaphores) {
    if (machine.arch.semaphoreAddress(semaphore.id) != address)
      continue;
    if (semaphore.isOn(node.number))
      return {};
    elsewhere = &semaphore;
  }
  if (!elsewhere)
    return {};
  return fmt::format("core ({}, {}) has no semaphore {}: add the core to the core_ranges of a "
                     "descriptor of this semaphore",
                     node.x, node.y, elsewhere->id);
}

// Checks that the address can be that of a semaphore's word on any core.
Status checkWordOf(const Issue &issue, uint32_t address) {
  std::string mistake = checkWord(issue.machine.memories, address);
  if (mistake.empty())
    settleForGood(*issue.thread.node, address);
  return mistake.empty() ? Status::Ok : issue.fail(FaultKind::Resource, mistake);
}

// Checks a semaphore of the thread's own core.
Status checkSemaphore(const Issue &issue, uint32_t address) {
  RETURN_UNLESS_OK(checkWordOf(issue, address));
  std::string mistake = whyNotOn(issue.machine, *issue.thread.node, address);
  return mistake.empty() ? Status::Ok : issue.fail(FaultKind::Resource, mistake);
}

// Checks that the core at a NoC coordinate has the semaphore.
Status checkRemote(const Issue &issue, int x, int y, uint32_t address) {
  const Node *node = issue.machine.grid.nodeAtVirtual(x, y);
  std::string mistake = node ? whyNotOn(issue.machine, *node, address) : std::string();
  return mistake.empty() ? Status::Ok : issue.fail(FaultKind::Resource, mistake);
}

// Checks that each core of the rectangle has the semaphore. Without `loopback`, the thread's own
// core need not have it.
Status checkRemotes(const Issue &issue, const NocAddress &to, bool loopback) {
  if (!issue.machine.index.semaphoresDiffer())
    return Status::Ok;
  auto [left, right] = std::minmax(to.startX, to.x);
  auto [top, bottom] = std::minmax(to.startY, to.y);
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x)
      if (loopback || issue.machine.grid.nodeAtVirtual(x, y) != issue.thread.node)
        RETURN_UNLESS_OK(checkRemote(issue, x, y, to.local));
  return Status::Ok;
}

Status waitForSemaphore(KernelThread *t, UserCall call, WaitState wait) {
  Issue issue(t, call, wait.object);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, wait.object));
  while (!isOver(wait, t->l1)) {
    ++issue.thread.node->semaphoreWaiters;
    RETURN_UNLESS_OK(issue.thread.worker->block(issue.thread, wait));
  }
  issue.machine.listeners.noteWordWait(issue.thread, wait);
  return issue.thread.worker->afterEvent(issue.thread);
}

} // namespace

uint32_t ttl_hw_get_semaphore(KernelThread *t, int32_t id) {
  const Machine &machine = *contextOf(t).machine;
  uint32_t address = machine.arch.semaphoreAddress(id);
  bool exists = id >= 0 && id < machine.arch.numSemaphores && machine.index.semaphoreAt(address);
  return exists ? address : kNoSemaphore | (static_cast<uint32_t>(id) & 0xffff);
}

uint32_t ttl_hw_load_from_l1(KernelThread *t, uint32_t address) {
  ThreadContext &thread = contextOf(t);
  std::string mistake = checkWord(thread.machine->memories, address);
  if (mistake.empty()) {
    settle(*thread.node, address, sizeof(uint32_t));
    thread.machine->listeners.noteRead(thread, address, sizeof(uint32_t));
    return loadWord(t->l1 + address);
  }
  (void)thread.machine->faults.report(&thread, FaultKind::OutOfBounds, "load_from_l1: " + mistake);
  return 0;
}

Status ttl_hw_noc_semaphore_set(KernelThread *t, uint32_t address, uint32_t value) {
  Issue issue(t, UserCall::SemaphoreSet, address);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, address));
  storeWord(t->l1 + address, value);
  issue.thread.worker->waiters.wakeAtWords(*issue.thread.node);
  return issue.thread.worker->event(issue.thread, EventKind::SemaphoreSet, address, value);
}

Status ttl_hw_noc_semaphore_wait(KernelThread *t, uint32_t address, uint32_t value) {
  return waitForSemaphore(t, UserCall::SemaphoreWaitEqual,
                          {WaitKind::SemaphoreEqual, address, value});
}
Status ttl_hw_noc_semaphore_wait_min(KernelThread *t, uint32_t address, uint32_t value) {
  return waitForSemaphore(t, UserCall::SemaphoreWaitMin, {WaitKind::SemaphoreMin, address, value});
}

Status ttl_hw_semaphore_wait_any(KernelThread *t, const uint32_t *addresses, const uint32_t *values,
                                 int32_t count, int32_t start, uint32_t *index) {
  Issue issue(t, UserCall::WaitAny);
  RETURN_UNLESS_OK(issue.begin());
  std::vector<WaitState> waits;
  std::vector<uint32_t> places;
  for (uint32_t place : cyclicOrder(count, start)) {
    if (values[place] == kNotAwaited)
      continue;
    RETURN_UNLESS_OK(checkSemaphore(issue, addresses[place]));
    waits.push_back({WaitKind::SemaphoreMin, addresses[place], values[place]});
    places.push_back(place);
  }
  size_t chosen = 0;
  RETURN_UNLESS_OK(waitAny(issue, waits, chosen));
  *index = places[chosen];
  return issue.thread.worker->event(issue.thread, EventKind::SemaphoreWait, waits[chosen].object,
                                    waits[chosen].needed);
}

Status ttl_hw_noc_semaphore_inc(KernelThread *t, uint64_t destination, uint32_t increment) {
  NocAddress to = NocAddress::decode(destination);
  Issue issue(t, UserCall::SemaphoreInc, to.local);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkWordOf(issue, to.local));
  RETURN_UNLESS_OK(checkRemote(issue, to.x, to.y, to.local));
  uint8_t *l1 = nullptr;
  RETURN_UNLESS_OK(issue.findCore(to, sizeof(uint32_t), l1));
  Transfer *transfer = issue.noc().make(issue.thread, TransferKind::SemaphoreInc);
  transfer->destination = l1 + to.local;
  transfer->bytes = sizeof(uint32_t);
  transfer->value = increment;
  transfer->x0 = to.x;
  transfer->y0 = to.y;
  transfer->address = to.local;
  issue.direct(*transfer, streamToCore(to.x, to.y));
  return issue.thread.worker->send(transfer);
}

Status ttl_hw_noc_semaphore_set_remote(KernelThread *t, uint32_t source, uint64_t destination) {
  Issue issue(t, UserCall::SemaphoreSetRemote, source);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, source));
  NocAddress to = NocAddress::decode(destination);
  RETURN_UNLESS_OK(checkWordOf(issue, to.local));
  RETURN_UNLESS_OK(checkRemote(issue, to.x, to.y, to.local));
  return issue.write(source, destination, sizeof(uint32_t), {});
}

static Status setMulticast(KernelThread *t, UserCall call, uint32_t source, uint64_t destination,
                           int32_t numDests, bool loopback) {
  Issue issue(t, call, source);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkSemaphore(issue, source));
  NocAddress to = NocAddress::decode(destination);
  RETURN_UNLESS_OK(checkWordOf(issue, to.local));
  RETURN_UNLESS_OK(checkRemotes(issue, to, loopback));
  return issue.multicast(source, destination, sizeof(uint32_t), numDests, loopback, {});
}

Status ttl_hw_noc_semaphore_set_multicast(KernelThread *t, uint32_t source, uint64_t destination,
                                          int32_t numDests) {
  return setMulticast(t, UserCall::SemaphoreSetMulticast, source, destination, numDests, false);
}
Status ttl_hw_noc_semaphore_set_multicast_loopback_src(KernelThread *t, uint32_t source,
                                                       uint64_t destination, int32_t numDests) {
  return setMulticast(t, UserCall::SemaphoreSetMulticastLoopback, source, destination, numDests,
                      true);
}

// Sends one increment to each core of the rectangle, which must not contain the sender.
Status ttl_hw_noc_semaphore_inc_multicast(KernelThread *t, uint64_t destination, uint32_t increment,
                                          int32_t numDests) {
  NocAddress to = NocAddress::decode(destination);
  Issue issue(t, UserCall::SemaphoreIncMulticast, to.local);
  RETURN_UNLESS_OK(issue.begin());
  RETURN_UNLESS_OK(checkWordOf(issue, to.local));
  RETURN_UNLESS_OK(issue.findRectangle(to, sizeof(uint32_t), numDests, /*loopback=*/true));
  const ArchDesc &arch = issue.machine.arch;
  int ownX = t->x + arch.virtualOriginX, ownY = t->y + arch.virtualOriginY;
  if (to.startX <= ownX && ownX <= to.x && to.startY <= ownY && ownY <= to.y)
    return issue.fail(FaultKind::Protocol, "the rectangle contains the sender");
  for (int y = to.startY; y <= to.y; ++y)
    for (int x = to.startX; x <= to.x; ++x)
      RETURN_UNLESS_OK(ttl_hw_noc_semaphore_inc(t, NocAddress{to.local, x, y}.encode(), increment));
  return Status::Ok;
}
