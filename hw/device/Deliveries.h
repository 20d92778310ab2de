//===- Deliveries.h - reports transfers that were not received ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DELIVERIES_H
#define TTJIT_HW_DEVICE_DELIVERIES_H

#include "hw/device/Machine.h"

namespace ttjit::hw {

/// Returns warnings about sends over pipes without a receive.
std::vector<Fault> findUnreceived(const Machine &machine);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DELIVERIES_H
