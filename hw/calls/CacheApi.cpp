//===- CacheApi.cpp - the cache in front of L1 --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CacheApi.h"

#include "hw/calls/Issue.h"

using namespace ttjit::hw;

// Steps between two switches. The number is small, so that a wait uses up little of the step limit
// of a run, and large enough that an endless wait spends little time in the scheduler.
static constexpr int64_t kStepsBetweenSwitches = 1 << 8;

Status ttl_hw_invalidate_l1_cache(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  if (thread.granted - thread.stepsLeft < kStepsBetweenSwitches)
    return Status::Ok;
  thread.worker->scheduler.poll(thread);
  return thread.partition->cancelled() ? Status::Cancelled : Status::Ok;
}
