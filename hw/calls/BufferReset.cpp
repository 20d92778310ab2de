//===- BufferReset.cpp - ttl_hw_cb_reset --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The threads of a node meet at a reset. The thread that comes last empties the buffers and wakes
// the others. All threads of a node belong to one partition, so NodeReset needs no lock.
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/device/BufferResets.h"
#include "hw/device/Describe.h"
#include "hw/device/Worker.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit::hw;

namespace {

// A call of ttl_hw_cb_reset by a thread.
class ResetCall {
public:
  ResetCall(KernelThread *t, int32_t number, uint64_t buffers)
      : thread(contextOf(t)), machine(*thread.machine), node(*thread.node), number(number),
        buffers(buffers) {}

  Status run();

private:
  Status completeTransfers() const;
  Status arrive() const;
  Status waitForOthers() const;
  bool isLast() const;
  void resetAll() const;

  ThreadContext &thread;
  Machine &machine;
  Node &node;
  int32_t number;
  uint64_t buffers;
};

// Waits for the reads, writes and increments of the thread.
Status ResetCall::completeTransfers() const {
  if (!thread.outstanding.front())
    return Status::Ok;
  RETURN_UNLESS_OK(ttl_hw_noc_async_read_barrier(&thread));
  RETURN_UNLESS_OK(ttl_hw_noc_async_write_barrier(&thread));
  RETURN_UNLESS_OK(ttl_hw_noc_async_posted_writes_flushed(&thread));
  return ttl_hw_noc_async_atomic_barrier(&thread);
}

// Fails if the other threads wait at another reset.
Status ResetCall::arrive() const {
  NodeReset &reset = node.reset;
  if (!reset.arrived) {
    reset.number = number;
    reset.buffers = buffers;
  }
  if (reset.number == number && reset.buffers == buffers) {
    reset.arrived |= 1u << thread.processor;
    machine.listeners.note(thread, EventKind::ResetReached, static_cast<uint64_t>(number));
    return Status::Ok;
  }
  auto other = std::find_if(std::begin(node.threads), std::end(node.threads),
                            [&](auto *each) { return each && reset.has(each->processor); });
  return machine.faults.report(
      &thread, FaultKind::Protocol,
      fmt::format("{}: {}() reaches this reset while {}() waits at another one: all threads must "
                  "reach the same resets in the same order",
                  resetName(machine.program, number), thread.config->name, (*other)->config->name),
      {{fmt::format("{}() waits here", (*other)->config->name), machine.index.location(**other)}});
}

bool ResetCall::isLast() const {
  return std::all_of(std::begin(node.threads), std::end(node.threads),
                     [&](auto *each) { return !each || node.reset.has(each->processor); });
}

void ResetCall::resetAll() const {
  for (uint32_t i = 0; i < node.numBuffers; ++i) {
    if (!(buffers >> i & 1) || !node.buffers[i].numPages)
      continue;
    resetBuffer(node, *machine.index.bufferConfig(i), number);
    machine.listeners.note(thread, EventKind::BufferReset, i, 0, &node.buffers[i]);
  }
  node.reset.arrived = 0;
  ++node.reset.completed;
  for (ThreadContext *each : node.threads)
    if (each && each != &thread)
      thread.worker->waiters.wake(*each);
}

Status ResetCall::waitForOthers() const {
  uint64_t before = node.reset.completed;
  while (node.reset.completed == before)
    RETURN_UNLESS_OK(
        thread.worker->block(thread, {WaitKind::Reset, static_cast<uint32_t>(number)}));
  return Status::Ok;
}

Status ResetCall::run() {
  RETURN_UNLESS_OK(thread.worker->enter(thread));
  RETURN_UNLESS_OK(completeTransfers());
  RETURN_UNLESS_OK(arrive());
  if (isLast())
    resetAll();
  else
    RETURN_UNLESS_OK(waitForOthers());
  return thread.worker->event(thread, EventKind::ResetPassed, static_cast<uint64_t>(number));
}

} // namespace

Status ttl_hw_cb_reset(KernelThread *t, int32_t reset, uint32_t low, uint32_t high) {
  fast::countCall(t);
  return ResetCall(t, reset, uint64_t{high} << 32 | low).run();
}
