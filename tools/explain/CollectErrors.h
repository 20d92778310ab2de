//===- CollectErrors.h - the errors of a launch from its run --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H
#define TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H

#include "hw/device/Device.h"
#include "hw/explain/ErrorTracker.h"
#include "tools/explain/NumericsReport.h"

namespace ttjit::explain {

/// The tensors of the same launch with other arithmetic: without a cause, with another setting, or
/// on the other chip.
struct OtherRun {
  enum Kind : uint8_t { WithoutCause, WithSetting, OnOtherChip } kind = WithoutCause;
  int lane = -1;       ///< of the cause
  std::string setting; ///< as a program writes it, such as "fp32_dest_acc_en=True"
  /// The pages of each tensor; null for a tensor that the program does not write.
  std::vector<const std::byte *> tensors;
};

/// Compares the tensors that a run has written with the reference. `program` is the one that the
/// tracker has listened to.
NumericsReport collectErrors(hw::explain::ErrorTracker &tracker, const hw::Program &program,
                             const hw::Device &device,
                             const std::vector<hw::TensorAllocation> &tensors,
                             const std::vector<OtherRun> &others);

} // namespace ttjit::explain

#endif // TTJIT_TOOLS_EXPLAIN_COLLECTERRORS_H
