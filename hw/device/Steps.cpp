//===- Steps.cpp - limits on endless programs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread gets a number of steps when it is switched in and when they are used up; the
// fast path only counts down. A thread that uses up all of them without a device event
// is taken to be polling in a loop, and another thread runs.
//===--------------------------------------------------------------------------===//

#include "hw/device/Machine.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

namespace ttjit::hw {

namespace {

constexpr int64_t kGrant = 1 << 16;
constexpr int64_t kIdleLimit = 1'000'000'000;
constexpr int64_t kNoEvent = INT64_MAX;

} // namespace

void Machine::grantSteps(ThreadContext &thread) {
  int64_t steps = std::min(kGrant, kIdleLimit - thread.idleSteps);
  if (options.stepLimit) {
    uint64_t used = stepsUsed.load(std::memory_order_relaxed);
    uint64_t left = options.stepLimit > used ? options.stepLimit - used : 0;
    steps = static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(steps), left));
  }
  thread.granted = thread.stepsLeft = cancelled(thread) ? -1 : steps;
  thread.eventMark = kNoEvent;
}

void Machine::settleSteps(ThreadContext &thread) {
  int64_t used = thread.granted - thread.stepsLeft;
  bool hadEvent = thread.eventMark != kNoEvent;
  thread.idleSteps = hadEvent ? thread.eventMark - thread.stepsLeft : thread.idleSteps + used;
  thread.granted = thread.stepsLeft;
  thread.eventMark = kNoEvent;
  thread.partition->steps += static_cast<uint64_t>(used);
  if (options.stepLimit)
    stepsUsed.fetch_add(static_cast<uint64_t>(used), std::memory_order_relaxed);
}

/// Returns whether the limit is not used up, and records the fault if it is.
bool Machine::isWithinLimit(ThreadContext &thread) {
  if (!options.stepLimit || stepsUsed.load(std::memory_order_relaxed) <= options.stepLimit)
    return true;
  fault(&thread, FaultKind::Runtime,
        fmt::format("the limit of {} is used up", plural(options.stepLimit, "step")));
  return false;
}

void Machine::checkLimit(ThreadContext &thread) {
  if (!partitions.isOne())
    (void)isWithinLimit(thread);
}

Status Machine::enter(ThreadContext &thread) {
  if (cancelled(thread))
    return Status::Cancelled;
  if (thread.stepsLeft < 0 || interruptRequested() || thread.partition->isWanted())
    return step(thread);
  return Status::Ok;
}

Status Machine::step(ThreadContext &thread) {
  Partition &partition = *thread.partition;
  if (partition.cancelled())
    return Status::Cancelled;
  if (interruptRequested())
    recordInterrupt(&thread);
  settleSteps(thread);
  partition.attend();
  if (partition.cancelled())
    return Status::Cancelled;
  if (!isWithinLimit(thread))
    return Status::Fault;
  if (thread.idleSteps > kIdleLimit)
    return fault(&thread, FaultKind::Runtime,
                 fmt::format("endless loop: {} steps without any use of a buffer, transfer, "
                             "semaphore or DST section",
                             kIdleLimit));
  if (thread.idleSteps >= kGrant)
    partition.scheduler.poll(thread);
  else if (partitions.hasCalls(partition))
    partition.scheduler.preempt(thread);
  else
    grantSteps(thread);
  return partition.cancelled() ? Status::Cancelled : Status::Ok;
}

} // namespace ttjit::hw
