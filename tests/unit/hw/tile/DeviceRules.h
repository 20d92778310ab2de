//===- DeviceRules.h - formulas for functions of the vector engine --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_DEVICERULES_H
#define TTJIT_TESTS_UNIT_HW_TILE_DEVICERULES_H

#include "tests/unit/hw/tile/DeviceChecks.h"

namespace ttjit::hw {

/// Adds a check for each function whose results follow a rule.
void addRuleChecks(std::vector<DeviceCheck> &checks);

} // namespace ttjit::hw

#endif // TTJIT_TESTS_UNIT_HW_TILE_DEVICERULES_H
