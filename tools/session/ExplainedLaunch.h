//===- ExplainedLaunch.h - launches whose errors are explained ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_EXPLAINEDLAUNCH_H
#define TTJIT_TOOLS_SESSION_EXPLAINEDLAUNCH_H

#include "diagnostics/TextSink.h"
#include "hw/device/Device.h"
#include "tools/explain/NumericsReport.h"
#include "tools/plan/LaunchPlan.h"

#include <functional>

namespace ttjit::session {

/// A launch for --explain-numerics.
struct ExplainedLaunch {
  hw::Device &device;
  const plan::LaunchPlan &plan;
  const std::vector<hw::TensorAllocation> &tensors;
  std::function<hw::RunResult(const hw::RunOptions &)> run;
  bool mayRunAgain;                      ///< whether a second run repeats no effects on the host
  const std::vector<unsigned> &constant; ///< tensors that the program does not write
};

/// Runs the launch and adds the explanation of its errors. A launch in host numerics is a fault.
hw::RunResult runExplained(const ExplainedLaunch &launch, const hw::RunOptions &options,
                           std::vector<explain::NumericsReport> &explanations);

/// Writes the explanations to `sink` and to the files of --numerics-files. Returns whether all
/// files could be written.
bool deliver(const std::vector<explain::NumericsReport> &reports,
             const std::vector<std::string> &files, const diagnostics::TextSink &sink);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_EXPLAINEDLAUNCH_H
