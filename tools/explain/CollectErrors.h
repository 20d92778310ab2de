//===- CollectErrors.h - the errors of a launch from its run --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H
#define TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H

#include "hw/device/Device.h"
#include "hw/explain/ErrorTracker.h"
#include "tools/explain/NumericsReport.h"

namespace ttjit::explain {

/// Compares the tensors that a run has written with the reference. `program` is the one that the
/// tracker has listened to.
NumericsReport collectErrors(hw::explain::ErrorTracker &tracker, const hw::Program &program,
                             const hw::Device &device,
                             const std::vector<hw::TensorAllocation> &tensors);

} // namespace ttjit::explain

#endif // TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H
