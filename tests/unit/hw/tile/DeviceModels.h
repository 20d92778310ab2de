//===- DeviceModels.h - the vector engine, modelled again -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_DEVICEMODELS_H
#define TTJIT_TESTS_UNIT_HW_TILE_DEVICEMODELS_H

#include "tests/unit/hw/tile/DeviceChecks.h"

namespace ttjit::hw {

/// Adds a check for each function that the second model computes.
void addModelChecks(std::vector<DeviceCheck> &checks);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_DEVICEMODELS_H
