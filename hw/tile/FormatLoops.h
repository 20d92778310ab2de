//===- FormatLoops.h - packing and unpacking loops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One class per storage format. A format whose data are independent of each other has
//
//   Datum             the stored type
//   load(Datum)       returns the DST element
//   store(float)      returns the datum, rounded to nearest even
//   add(Datum, float) returns the datum that packAccumulate stores
//
// A block float (hw/tile/BlockFloat.h) stores rows of 16 values instead. Integer formats
// move raw bits: a DST element holds the integer's 32 bits (hw/tile/LaneInt.h). The loops
// are templates over the class. hw/tile/TileKernels.cpp and the JIT's bitcode include this
// header.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FORMATLOOPS_H
#define TTJIT_HW_TILE_FORMATLOOPS_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/BlockFloat.h"
#include "hw/tile/LaneRound.h"
#include "hw/tile/Target.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

//===--------------------------------------------------------------------------===//
// Floats
//===--------------------------------------------------------------------------===//

struct StoredFloat32 {
  using Datum = float;
  static constexpr DataFormat kFormat = DataFormat::Float32;

  TTJIT_TILE_INLINE static float load(float datum) { return datum; }
  TTJIT_TILE_INLINE static float store(float value) {
    return value != value ? floatOf(0x7fc00000) : value;
  }
  TTJIT_TILE_INLINE static float add(float slot, float value) { return store(slot + value); }
};

struct StoredFloat16b {
  using Datum = uint16_t;
  static constexpr DataFormat kFormat = DataFormat::Float16_b;

  TTJIT_TILE_INLINE static float load(uint16_t datum) { return floatOf(uint32_t(datum) << 16); }
  /// Rounds to nearest even. A value that does not fit becomes infinite.
  TTJIT_TILE_INLINE static uint16_t store(float value) { return lane::bfloat16BitsOf(value); }
  TTJIT_TILE_INLINE static uint16_t add(uint16_t slot, float value) {
    return store(load(slot) + value);
  }
};

struct StoredFloat16 {
  using Datum = uint16_t;
  static constexpr DataFormat kFormat = DataFormat::Float16;

  TTJIT_TILE_INLINE static float load(uint16_t datum) { return lane::floatOfFloat16(datum); }
  TTJIT_TILE_INLINE static uint16_t store(float value) { return lane::float16BitsOf(value); }
  TTJIT_TILE_INLINE static uint16_t add(uint16_t slot, float value) {
    return store(load(slot) + value);
  }
};

//===--------------------------------------------------------------------------===//
// Integers: unpacking extends with zeros, packing keeps the low bits
//===--------------------------------------------------------------------------===//

template <typename T, DataFormat format> struct StoredInteger {
  using Datum = T;
  static constexpr DataFormat kFormat = format;

  TTJIT_TILE_INLINE static float load(T datum) { return floatOf(uint32_t(datum)); }
  TTJIT_TILE_INLINE static T store(float value) { return static_cast<T>(bitsOf(value)); }
  TTJIT_TILE_INLINE static T add(T slot, float value) {
    return static_cast<T>(uint32_t(slot) + bitsOf(value));
  }
};
using StoredInt32 = StoredInteger<uint32_t, DataFormat::Int32>;
using StoredUInt32 = StoredInteger<uint32_t, DataFormat::UInt32>;
using StoredUInt16 = StoredInteger<uint16_t, DataFormat::UInt16>;
using StoredUInt8 = StoredInteger<uint8_t, DataFormat::UInt8>;

//===--------------------------------------------------------------------------===//
// Loops. `slot` has the alignment of a datum.
//===--------------------------------------------------------------------------===//

template <typename Format> TTJIT_TILE_INLINE void unpack(const void *slot, float *dst) {
  if constexpr (isBlockFloat(Format::kFormat)) {
    auto *bytes = static_cast<const uint8_t *>(slot);
    for (int row = 0; row < kTileRows; ++row)
      Format::loadRow(bytes, row, dst + row * kFaceDim);
  } else {
    auto *data = static_cast<const typename Format::Datum *>(slot);
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      dst[i] = Format::load(data[i]);
  }
}

template <typename Format> TTJIT_TILE_INLINE void pack(const float *dst, void *slot) {
  if constexpr (isBlockFloat(Format::kFormat)) {
    auto *bytes = static_cast<uint8_t *>(slot);
    for (int row = 0; row < kTileRows; ++row)
      Format::storeRow(dst + row * kFaceDim, bytes, row);
  } else {
    auto *data = static_cast<typename Format::Datum *>(slot);
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      data[i] = Format::store(dst[i]);
  }
}

/// slot = round(float(slot) + dst); integers wrap.
template <typename Format> TTJIT_TILE_INLINE void packAccumulate(const float *dst, void *slot) {
  if constexpr (isBlockFloat(Format::kFormat)) {
    auto *bytes = static_cast<uint8_t *>(slot);
    for (int row = 0; row < kTileRows; ++row) {
      float sum[kFaceDim];
      Format::loadRow(bytes, row, sum);
      for (int i = 0; i < kFaceDim; ++i)
        sum[i] += dst[row * kFaceDim + i];
      Format::storeRow(sum, bytes, row);
    }
  } else {
    auto *data = static_cast<typename Format::Datum *>(slot);
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < kTileElements; ++i)
      data[i] = Format::add(data[i], dst[i]);
  }
}

template <typename Format> TTJIT_TILE_INLINE float loadElement(const void *slot, int index) {
  if constexpr (isBlockFloat(Format::kFormat)) {
    float row[kFaceDim];
    Format::loadRow(static_cast<const uint8_t *>(slot), index / kFaceDim, row);
    return row[index % kFaceDim];
  } else {
    return Format::load(static_cast<const typename Format::Datum *>(slot)[index]);
  }
}

/// The other values of a block float's row are rounded to the new common exponent.
template <typename Format> TTJIT_TILE_INLINE void storeElement(void *slot, int index, float value) {
  if constexpr (isBlockFloat(Format::kFormat)) {
    float row[kFaceDim];
    auto *bytes = static_cast<uint8_t *>(slot);
    Format::loadRow(bytes, index / kFaceDim, row);
    row[index % kFaceDim] = value;
    Format::storeRow(row, bytes, index / kFaceDim);
  } else {
    static_cast<typename Format::Datum *>(slot)[index] = Format::store(value);
  }
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_FORMATLOOPS_H
