//===- FormatLoops.h - packing and unpacking loops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One class per storage format: how a datum becomes a float and back. The loops are
// templates over such a class. hw/tile/TileKernels.cpp and the JIT's bitcode include
// this header.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FORMATLOOPS_H
#define TTJIT_HW_TILE_FORMATLOOPS_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/Target.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

struct StoredFloat32 {
  using Datum = float;
  static constexpr DataFormat kFormat = DataFormat::Float32;

  TTJIT_TILE_INLINE static float load(float datum) { return datum; }
  TTJIT_TILE_INLINE static float store(float value) {
    return value != value ? floatOf(0x7fc00000) : value;
  }
};

struct StoredFloat16b {
  using Datum = uint16_t;
  static constexpr DataFormat kFormat = DataFormat::Float16_b;

  TTJIT_TILE_INLINE static float load(uint16_t datum) { return floatOf(uint32_t(datum) << 16); }
  /// Rounds to nearest even. A value that does not fit becomes infinite.
  TTJIT_TILE_INLINE static uint16_t store(float value) {
    uint32_t bits = bitsOf(value);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return uint16_t(value != value ? 0x7fc0 : rounded);
  }
};

template <typename Format>
TTJIT_TILE_INLINE void unpack(const typename Format::Datum *slot, float *dst) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = Format::load(slot[i]);
}

template <typename Format>
TTJIT_TILE_INLINE void pack(const float *dst, typename Format::Datum *slot) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    slot[i] = Format::store(dst[i]);
}

/// slot = round(float(slot) + dst)
template <typename Format>
TTJIT_TILE_INLINE void packAccumulate(const float *dst, typename Format::Datum *slot) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    slot[i] = Format::store(Format::load(slot[i]) + dst[i]);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_FORMATLOOPS_H
