//===- Advice.h - the change that gains most ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_ADVICE_H
#define TTJIT_TOOLS_TIMING_ADVICE_H

#include "tools/timing/Estimate.h"

namespace ttjit::timing {

/// Returns a sentence that names the change that is predicted to gain most, and where to make it.
std::string adviceFor(const Estimate &estimate);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_ADVICE_H
