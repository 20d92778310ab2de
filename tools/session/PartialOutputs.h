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

/// Tells the check which pages the tensors of a launch have, except those of tensors that the
/// program declares as partial.
void addPages(hw::check::OutputCheck &check, const hw::Device &device,
              const std::vector<hw::TensorAllocation> &tensors, const TensorPages &pages);

/// Returns a finding for each tensor (on a mesh, for each device's part of it) of which a launch
/// has written some elements and not others. Call it after the launch. If the unwritten elements
/// have different values, there is no finding: the program seems to want to keep them.
std::vector<hw::Fault> partialOutputs(const hw::check::OutputCheck &check, hw::Device &device,
                                      const std::vector<hw::TensorAllocation> &tensors,
                                      const TensorPages &pages);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_PARTIALOUTPUTS_H
