//===- DeviceChecks.h - what is known of the card's results ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One check for each row of hw/facts/DeviceOps.def. DeviceChecksTest.cpp runs them;
// ttjit-device-claims writes the table of docs/device-numerics.md from them, so that the page
// claims nothing without a check.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_DEVICECHECKS_H
#define TTJIT_TESTS_UNIT_HW_TILE_DEVICECHECKS_H

#include "hw/tile/TileMath.h"

#include <functional>
#include <string>
#include <vector>

namespace ttjit::hw {

enum class Evidence : uint8_t {
  Hashes, ///< hashes over all bf16 inputs, of another implementation of the pinned source
  Rule,   ///< a formula of the test, for all bf16 inputs
  Model,  ///< the second model (ScalarModel.h), for all bf16 inputs and random ones
};

struct DeviceCheck {
  TileOp op;
  Evidence evidence;
  /// Returns what is wrong with the kernels of a configuration; empty if nothing is.
  std::function<std::string(const NumericConfig &)> failure;
};

const std::vector<DeviceCheck> &deviceChecks();

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_DEVICECHECKS_H
