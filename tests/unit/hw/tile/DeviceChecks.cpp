//===- DeviceChecks.cpp - what is known of the card's results -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceChecks.h"

#include "tests/unit/hw/tile/DeviceHashes.h"
#include "tests/unit/hw/tile/DeviceModels.h"
#include "tests/unit/hw/tile/DeviceRules.h"

const std::vector<ttjit::hw::DeviceCheck> &ttjit::hw::deviceChecks() {
  static const std::vector<DeviceCheck> checks = [] {
    std::vector<DeviceCheck> all;
    addHashChecks(all);
    addRuleChecks(all);
    addModelChecks(all);
    return all;
  }();
  return checks;
}
