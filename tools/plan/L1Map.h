//===- L1Map.h - what stands where in a core's L1 ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PLAN_L1MAP_H
#define TTJIT_TOOLS_PLAN_L1MAP_H

#include "hw/device/Program.h"
#include "hw/facts/Arch.h"

#include <string>

namespace ttjit::session {

/// The map of a program's buffers, for --dump=l1: a line per range from address 0
/// up with its extent drawn beside it, which buffers share memory, and what is
/// left.
std::string drawL1Map(const hw::Program &program, const hw::ArchDesc &arch);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_PLAN_L1MAP_H
