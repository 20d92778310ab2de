//===- TileNumbers.cpp - looks at the numbers in a tile -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/TileNumbers.h"

#include "hw/check/TileContent.h"
#include "hw/tile/TileMath.h"

#include <bit>

namespace ttjit::hw::check {

TileNumbers::TileNumbers(DataFormat format, const uint8_t *tile) {
  if (const FormatKernels *kernels = tileKernels().format(format))
    kernels->unpack(reinterpret_cast<const std::byte *>(tile), numbers.data());
}

// Returns the bits of element `along` of line `line` along an axis. Numbers may be integers.
static uint32_t bitsAt(const float *tile, int axis, int line, int along) {
  int index = axis == Columns ? elementIndex(line, along) : elementIndex(along, line);
  return std::bit_cast<uint32_t>(tile[index]);
}

static bool isZero(uint32_t bits) { return (bits & 0x7fffffff) == 0; }

static bool isZeroAt(const float *tile, int axis, int along) {
  for (int line = 0; line < kTileDim; ++line)
    if (!isZero(bitsAt(tile, axis, line, along)))
      return false;
  return true;
}

bool isZeroBehind(const float *tile, int axis) {
  for (int along = 1; along < kTileDim; ++along)
    if (!isZeroAt(tile, axis, along))
      return false;
  return true;
}

bool isUniformBehind(const float *tile, int axis) {
  uint32_t first = bitsAt(tile, axis, 0, 1);
  for (int line = 0; line < kTileDim; ++line)
    for (int along = 1; along < kTileDim; ++along)
      if (bitsAt(tile, axis, line, along) != first)
        return false;
  return true;
}

bool differsAlong(const float *tile, int axis) {
  for (int line = 0; line < kTileDim; ++line)
    for (int along = 2; along < kTileDim; ++along)
      if (bitsAt(tile, axis, line, along) != bitsAt(tile, axis, line, 1))
        return true;
  return false;
}

bool multipliesBehind(const float *a, const float *b) {
  for (int k = 1; k < kTileDim; ++k)
    if (!isZeroAt(a, Columns, k) && !isZeroAt(b, Rows, k))
      return true;
  return false;
}

} // namespace ttjit::hw::check
