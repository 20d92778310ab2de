//===- Steps.cpp - limits on endless programs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread gets a number of steps when it is switched in and when they are used up; the
// fast path only counts down. A thread that uses up all of them without a device event
// is taken to be polling in a loop, and another thread runs.
//===--------------------------------------------------------------------------===//

#include "hw/device/Machine.h"

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
    uint64_t left = options.stepLimit > stepsUsed ? options.stepLimit - stepsUsed : 0;
    steps = static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(steps), left));
  }
  thread.granted = thread.stepsLeft = isCancelled ? -1 : steps;
  thread.eventMark = kNoEvent;
}

void Machine::settleSteps(ThreadContext &thread) {
  int64_t used = thread.granted - thread.stepsLeft;
  bool hadEvent = thread.eventMark != kNoEvent;
  thread.idleSteps = hadEvent ? thread.eventMark - thread.stepsLeft : thread.idleSteps + used;
  thread.granted = thread.stepsLeft;
  thread.eventMark = kNoEvent;
  stepsUsed += static_cast<uint64_t>(used);
}

Status Machine::enter(ThreadContext &thread) {
  if (isCancelled)
    return Status::Cancelled;
  if (thread.stepsLeft < 0 || interruptRequested())
    return step(thread);
  return Status::Ok;
}

Status Machine::step(ThreadContext &thread) {
  if (isCancelled)
    return Status::Cancelled;
  if (interruptRequested()) {
    recordInterrupt(&thread);
    return Status::Cancelled;
  }
  settleSteps(thread);
  if (options.stepLimit && stepsUsed > options.stepLimit)
    return fault(&thread, FaultKind::Runtime,
                 fmt::format("the limit of {} steps is used up", options.stepLimit));
  if (thread.idleSteps > kIdleLimit)
    return fault(&thread, FaultKind::Runtime,
                 fmt::format("endless loop: {} steps without any use of a buffer, transfer, "
                             "semaphore or DST section",
                             kIdleLimit));
  if (thread.idleSteps >= kGrant)
    scheduler.poll(thread);
  else
    grantSteps(thread);
  return isCancelled ? Status::Cancelled : Status::Ok;
}

} // namespace ttjit::hw
