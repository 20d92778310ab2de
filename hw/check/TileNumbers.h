//===- TileNumbers.h - looks at the numbers in a tile ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In these names, "behind" means: in the columns after column 0, or the rows after row 0.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_TILENUMBERS_H
#define TTJIT_HW_CHECK_TILENUMBERS_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/TileShape.h"

#include <array>
#include <cstdint>

namespace ttjit::hw::check {

/// The numbers of a tile in L1, unpacked to the 32-bit words of a DST register.
class TileNumbers {
public:
  TileNumbers(DataFormat format, const uint8_t *tile);
  const float *values() const { return numbers.data(); }

private:
  std::array<float, kTileElements> numbers{};
};

/// Return whether all elements behind are zero (isZeroBehind), or equal (isUniformBehind).
bool isZeroBehind(const float *tile, int axis);
bool isUniformBehind(const float *tile, int axis);
/// Returns whether two neighbours along the axis differ, among the elements behind.
bool differsAlong(const float *tile, int axis);
/// Returns whether a product of two tiles depends on elements behind column 0 of the first and row
/// 0 of the second.
bool multipliesBehind(const float *a, const float *b);

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_TILENUMBERS_H
