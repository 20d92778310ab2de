//===- CacheApi.cpp - the cache in front of L1 --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CacheApi.h"

#include "hw/calls/Issue.h"

using namespace ttjit::hw;

// Few enough that a wait uses up little of the limit of a run; enough that an endless wait takes
// most of its time in its own loop, not in the scheduler.
static constexpr int64_t kStepsBetweenSwitches = 1 << 8;

Status ttl_hw_invalidate_l1_cache(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  if (thread.granted - thread.stepsLeft < kStepsBetweenSwitches)
    return Status::Ok;
  thread.worker->scheduler.poll(thread);
  return thread.partition->cancelled() ? Status::Cancelled : Status::Ok;
}
