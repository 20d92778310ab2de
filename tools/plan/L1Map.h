//===- L1Map.h - draws the buffers in a core's L1 -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_L1MAP_H
#define TTJIT_TOOLS_PLAN_L1MAP_H

#include "hw/device/Program.h"
#include "hw/facts/Arch.h"

#include <string>

namespace ttjit::plan {

/// Returns the text of --dump=l1: one line per buffer in the order of addresses, with a
/// drawing of its extent and the buffers that share its memory. The last lines show the
/// free memory.
std::string drawL1Map(const hw::Program &program, const hw::ArchDesc &arch);

} // namespace ttjit::plan

#endif // TTJIT_TOOLS_PLAN_L1MAP_H
