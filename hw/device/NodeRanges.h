//===- NodeRanges.h - text for sets of nodes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NODERANGES_H
#define TTJIT_HW_DEVICE_NODERANGES_H

#include "hw/device/Run.h"

#include <string>
#include <vector>

namespace ttjit::hw {

/// Returns "(0,0)-(7,7) [64]" or "(0,0), (2,1)-(2,3) [4]": rectangles that cover the
/// nodes, as first and last corner, and the number of nodes. `nodes` is row-major.
std::string describeNodes(const std::vector<NodeCoord> &nodes);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NODERANGES_H
