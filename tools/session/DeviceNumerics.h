//===- DeviceNumerics.h - kernels in the card's arithmetic ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_DEVICENUMERICS_H
#define TTJIT_TOOLS_SESSION_DEVICENUMERICS_H

#include "tools/options/Options.h"
#include "tools/plan/LaunchPlan.h"

#include "llvm/Support/LogicalResult.h"

#include <string>

namespace ttjit::session {

/// Sets the plan's numeric mode. In device numerics warns of each operation whose bits on the card
/// are not known; fails if warnings are errors, and at calls of the user's C++ functions.
llvm::LogicalResult applyNumerics(const options::Options &options, plan::LaunchPlan &plan);

/// Loads the arithmetic of the card, unless it is loaded. Every launch in device numerics needs it.
/// Returns why that failed, as a message; empty if it did not.
std::string loadDeviceKernels();

/// Returns a line with the settings on which the bits of a kernel in device numerics depend.
std::string describeNumerics(const hw::ComputeConfig &config, const hw::ArchDesc &arch);

/// Returns the name of a fidelity, such as "HiFi4".
std::string fidelityName(hw::MathFidelity fidelity);

/// Returns the compute configuration as a JSON object: the text of --dump=config.
std::string configText(const hw::ComputeConfig &config, const std::string &archName);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_DEVICENUMERICS_H
