//===- Checks.h - launches that are watched for mistakes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_CHECKS_H
#define TTJIT_TOOLS_SESSION_CHECKS_H

#include "hw/device/Device.h"
#include "tools/session/Options.h"

#include <functional>

namespace ttjit::session {

/// Implements --check: calls `launch` with the listeners that look for mistakes. The first mistake
/// is the fault of the result, unless the run has another; its notes have the rest.
hw::RunResult runChecked(const CheckChoices &choices, const hw::Device &device,
                         const std::vector<hw::TensorAllocation> &tensors, hw::RunOptions options,
                         const std::function<hw::RunResult(const hw::RunOptions &)> &launch);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_CHECKS_H
