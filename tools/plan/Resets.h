//===- Resets.h - lists the resets of a program ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_RESETS_H
#define TTJIT_TOOLS_PLAN_RESETS_H

#include "tools/plan/LaunchPlan.h"

namespace ttjit::plan {

/// Sets Program::resets from the resets in the threads of the plan.
void findResets(LaunchPlan &plan);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_RESETS_H
