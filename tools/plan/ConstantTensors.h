//===- ConstantTensors.h - tensors that a kernel does not write -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_CONSTANTTENSORS_H
#define TTJIT_TOOLS_PLAN_CONSTANTTENSORS_H

#include "tools/plan/LaunchPlan.h"

namespace ttjit::plan {

/// Sets the plan's constant arguments: those that threads of stage `ttkernel` only read. If the
/// kernel is of an earlier stage, there are none.
void findConstantArguments(LaunchPlan &plan);

/// Sets the program's constant tensors to those of a launch.
void bindConstantTensors(LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_CONSTANTTENSORS_H
