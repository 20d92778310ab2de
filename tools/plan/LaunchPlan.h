//===- LaunchPlan.h - the program of a kernel, without code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
#define TTJIT_TOOLS_PLAN_LAUNCHPLAN_H

#include "hw/device/Program.h"
#include "interp/ThreadSource.h"

namespace ttjit::session {

/// The program of a launch, without code. `sources` and `tensorArguments` have one
/// entry for each of `program.threads`. Common argument k of thread t is the base
/// address of the kernel's argument `tensorArguments[t][k]`.
struct LaunchPlan {
  hw::Program program;
  std::vector<interp::ThreadSource> sources;
  std::vector<std::vector<unsigned>> tensorArguments;
  unsigned numTensors = 0;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
