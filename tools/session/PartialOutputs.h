//===- PartialOutputs.h - tensors that a launch writes in part ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_PARTIALOUTPUTS_H
#define TTJIT_TOOLS_SESSION_PARTIALOUTPUTS_H

#include "hw/check/OutputCheck.h"
#include "hw/device/Device.h"
#include "tools/session/TensorPages.h"

#include <string>
#include <vector>

namespace ttjit::session {

/// Tells the check which pages the tensors of a launch have. Those that the program calls partial
/// are left out.
void addPages(hw::check::OutputCheck &check, const hw::Device &device,
              const std::vector<hw::TensorAllocation> &tensors, const TensorPages &pages);

/// Returns a finding for each tensor, on a mesh for what each device has of it, of which a launch,
/// which has ended, has written some elements and not others. Those that are not written must have
/// one value: different values are contents which the program wants to keep.
std::vector<hw::Fault> partialOutputs(const hw::check::OutputCheck &check, hw::Device &device,
                                      const std::vector<hw::TensorAllocation> &tensors,
                                      const TensorPages &pages);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_PARTIALOUTPUTS_H
