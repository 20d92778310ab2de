//===- Checks.h - checks launches for mistakes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CHECKS_H
#define TTJIT_TOOLS_SESSION_CHECKS_H

#include "hw/device/Device.h"
#include "tools/options/Options.h"

#include <functional>

namespace ttjit::session {

/// A launch for --check.
struct CheckedLaunch {
  hw::Device &device;
  const hw::Program &program;
  const std::vector<hw::TensorAllocation> &tensors;
  const std::vector<unsigned> &constantTensors; ///< those that the program does not write
  /// Runs the program.
  std::function<hw::RunResult(const hw::RunOptions &)> run;
  /// Runs the program once more, invisibly to the user. Empty if that is not possible.
  std::function<hw::RunResult(const hw::RunOptions &)> runAgain;
};

/// Implements --check: runs the launch with listeners that look for mistakes. If the run has no
/// fault, the first mistake becomes its fault, whose notes have the others.
hw::RunResult runChecked(const options::CheckChoices &choices, const CheckedLaunch &launch,
                         const hw::RunOptions &options);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CHECKS_H
