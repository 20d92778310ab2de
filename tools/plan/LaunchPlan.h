//===- LaunchPlan.h - the program of a kernel, without code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
#define TTJIT_TOOLS_PLAN_LAUNCHPLAN_H

#include "hw/device/Program.h"
#include "interp/ThreadSource.h"

namespace ttjit::session {

/// One launch's program, without code. The vectors run parallel to
/// `program.threads`; `tensorArguments[t][k]` is the argument of the kernel
/// whose base address is common argument k of thread t.
struct LaunchPlan {
  hw::Program program;
  std::vector<interp::ThreadSource> sources;
  std::vector<std::vector<unsigned>> tensorArguments;
  unsigned numTensors = 0;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_LAUNCHPLAN_H
