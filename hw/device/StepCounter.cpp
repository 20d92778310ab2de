//===- StepCounter.cpp - limits on endless programs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/StepCounter.h"

#include "hw/device/ThreadContext.h"

#include <algorithm>

namespace ttjit::hw {

static constexpr int64_t kNoEvent = INT64_MAX;

void StepCounter::grant(ThreadContext &thread) {
  int64_t steps = std::min(kStepGrant, kIdleLimit - thread.idleSteps);
  if (limit.steps) {
    uint64_t used = limit.used.load(std::memory_order_relaxed);
    uint64_t left = limit.steps > used ? limit.steps - used : 0;
    steps = static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(steps), left));
  }
  thread.granted = thread.stepsLeft = steps;
  thread.eventMark = kNoEvent;
}

void StepCounter::revoke(ThreadContext &thread) {
  thread.quiet = 0;
  thread.granted = thread.stepsLeft = -1;
  thread.eventMark = kNoEvent;
}

void StepCounter::settle(ThreadContext &thread) {
  int64_t used = thread.granted - thread.stepsLeft;
  bool hadEvent = thread.eventMark != kNoEvent;
  thread.idleSteps = hadEvent ? thread.eventMark - thread.stepsLeft : thread.idleSteps + used;
  thread.granted = thread.stepsLeft;
  thread.eventMark = kNoEvent;
  settled += static_cast<uint64_t>(used);
  if (limit.steps)
    limit.used.fetch_add(static_cast<uint64_t>(used), std::memory_order_relaxed);
}

} // namespace ttjit::hw
