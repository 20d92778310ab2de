//===- Estimator.h - makes estimates --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_ESTIMATOR_H
#define TTJIT_TOOLS_TIMING_ESTIMATOR_H

#include "tools/timing/Estimate.h"

namespace ttjit::timing {

/// Estimates the time of a run. `isWhole`: also predicts the effects of changes, which takes about
/// twenty replays. `keepsTraffic`: keeps the transfers for renderNocTrace().
Estimate estimate(const Recording &recording, const hw::Program &program, const hw::ArchDesc &arch,
                  bool isWhole = true, bool keepsTraffic = false);

/// Adds changes that were tried in separate runs; the advice may be one of them. `command`: the
/// command that tries all combinations, or empty.
void addRuns(Estimate &estimate, std::vector<WhatIf> runs, const std::string &command);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_ESTIMATOR_H
