//===- Formats.h - tiles as they stand in memory --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Conversion between DST's floats and stored tiles, one row of functions per
// data format (TileKernels::format finds it). Unpacking is exact. Packing rounds
// to nearest even and writes every NaN as the format's positive quiet one; this
// is the only place where values are rounded to a storage format.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FORMATS_H
#define TTJIT_HW_TILE_FORMATS_H

#include "hw/facts/DataFormat.h"

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

/// Formats are numbered below this, except Invalid.
inline constexpr int kNumFormatNumbers = 32;

/// Slots are tileBytes(format) long and aligned to the size of a datum;
/// `index` is elementIndex(row, column).
struct FormatKernels {
  void (*unpack)(const std::byte *slot, float *dst);
  void (*pack)(const float *dst, std::byte *slot);
  /// slot = round(float(slot) + dst)
  void (*packAccumulate)(const float *dst, std::byte *slot);
  float (*loadElement)(const std::byte *slot, int index);
  void (*storeElement)(std::byte *slot, int index, float value);
};

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_FORMATS_H
