//===- Advice.h - what to change first ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_ADVICE_H
#define TTJIT_TOOLS_TIMING_ADVICE_H

#include "tools/timing/Estimate.h"

namespace ttjit::timing {

/// Returns one sentence: which change is predicted to gain most, and where.
std::string adviceFor(const Estimate &estimate);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_ADVICE_H
