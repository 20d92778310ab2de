//===- FirstLaunch.h - interprets launches while code is generated --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM takes a tenth of a second for a small kernel, often longer than the interpreter takes to run
// the kernel. So under --engine=auto, if the interpreter needs only a few milliseconds for a
// launch, it runs the first launches. Results have the same bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H
#define TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H

#include "tools/options/Options.h"
#include "tools/plan/LaunchPlan.h"

namespace ttjit::session {

/// Returns whether the options allow that: they choose no engine, and show neither code nor
/// times.
bool mayStartInterpreted(const options::Options &options);

/// Returns whether the interpreter runs a launch in about as many milliseconds as LLVM needs for
/// the code. It estimates this from the ops of the threads and the bounds of their loops.
bool isQuicklyInterpreted(const plan::LaunchPlan &plan);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H
