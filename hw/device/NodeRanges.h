//===- NodeRanges.h - text for sets of nodes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NODERANGES_H
#define TTJIT_HW_DEVICE_NODERANGES_H

#include "hw/device/Run.h"

#include <string>
#include <vector>

namespace ttjit::hw {

struct Program; // defined in hw/device/Program.h

/// Returns "(0,0)-(7,7) [64]" or "(0,0), (2,1)-(2,3) [4]": rectangles that cover the
/// nodes, as first and last corner, and the number of nodes. `nodes` is row-major. If the program
/// runs on several devices, the nodes of each one follow its name.
std::string describeNodes(const Program &program, const std::vector<NodeCoord> &nodes);

/// Returns "node (1, 0)"; if the program runs on several devices, "device 2 node (1, 0)". `x`
/// counts the columns of all devices.
std::string describeNode(const Program &program, int x, int y);

/// Returns the node as a Fault has it: its coordinates on its device, and the device's number.
NodeCoord nodeOfDevice(const Program &program, int x, int y);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NODERANGES_H
