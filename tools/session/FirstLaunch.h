//===- FirstLaunch.h - what runs while code is generated ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM takes a tenth of a second for a small kernel, often longer than the interpreter takes to run
// it. So under --engine=auto the interpreter runs the first launches of a kernel that it runs in a
// few milliseconds. Results have the same bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H
#define TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H

#include "tools/options/Options.h"
#include "tools/plan/LaunchPlan.h"

namespace ttjit::session {

/// Returns whether the options leave open when code is generated: nobody asked for the engine, for
/// the code, or for times.
bool mayStartInterpreted(const options::Options &options);

/// Returns whether the interpreter runs a launch in about as many milliseconds as LLVM needs for
/// the code. This is an estimate from the ops of the threads and the bounds of their loops.
bool isQuicklyInterpreted(const plan::LaunchPlan &plan);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_FIRSTLAUNCH_H
