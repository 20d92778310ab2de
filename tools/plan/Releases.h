//===- Releases.h - finds ops that end waits ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_RELEASES_H
#define TTJIT_TOOLS_PLAN_RELEASES_H

#include "tools/plan/LaunchPlan.h"

namespace ttjit::plan {

/// Adds to `plan.program.releases` the ops of its threads that push or pop a buffer or
/// write a semaphore: for each thread and object the first such op.
void findReleases(LaunchPlan &plan);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_RELEASES_H
