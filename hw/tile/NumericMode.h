//===- NumericMode.h - host or device arithmetic --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_NUMERICMODE_H
#define TTJIT_HW_TILE_NUMERICMODE_H

#include <cstdint>

namespace ttjit::hw {

/// What tile arithmetic imitates. Host: IEEE, DST holds fp32, denormals are kept,
/// rounding only at pack. Device: the hardware's widths, phases and roundings.
enum class NumericMode : uint8_t { Host, Device };

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_NUMERICMODE_H
