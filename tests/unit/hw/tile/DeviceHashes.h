//===- DeviceHashes.h - hashes of the vector engine's functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_DEVICEHASHES_H
#define TTJIT_TESTS_UNIT_HW_TILE_DEVICEHASHES_H

#include "tests/unit/hw/tile/DeviceChecks.h"

namespace ttjit::hw {

/// Adds a check for each function with recorded hashes.
void addHashChecks(std::vector<DeviceCheck> &checks);

/// Returns what is wrong with the variants of functions that only kernels in C++ can call; empty if
/// nothing is.
std::string failureOfVariants(const NumericConfig &config);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_DEVICEHASHES_H
