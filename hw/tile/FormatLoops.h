//===- FormatLoops.h - packing and unpacking loops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each storage format is a class. It converts rows of 16 values; a tile has 64 rows, face after
// face. The members of a class are
//
//   loadRows<Numerics>(tile, row, rows, out)    reads `rows` rows from `row` on as DST elements
//   storeRows<Numerics>(values, tile, row, rows) stores them, rounded to nearest even
//   addRows<Numerics>(values, tile, row, rows)   stores the sums that packAccumulate stores
//   loadElement<Numerics>(tile, index)           reads one element
//   storeElement<Numerics>(tile, index, value)   stores one element
//
// `Numerics` is a numeric policy (hw/tile/HostNumerics.h). For a format whose data are independent
// of each other, ElementRows has these members. In a block float the values of a row share an
// exponent (hw/tile/BlockFloat.h). Integer formats move raw bits: a DST element holds the
// integer's 32 bits (hw/tile/LaneInt.h). The tables of kernels and the JIT's bitcode include this
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

/// The rows of a format whose data are independent of each other. `Element` has
///
///   load(Datum)       returns the DST element
///   store(float)      returns the datum, rounded to nearest even
///   add(Datum, float) returns the datum that packAccumulate stores
template <typename Element, typename T> struct ElementRows {
  using Datum = T;

  template <typename Numerics>
  TTJIT_TILE_INLINE static void loadRows(const void *tile, int row, int rows, float *out) {
    const T *data = dataOf(tile) + row * kFaceDim;
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < rows * kFaceDim; ++i)
      out[i] = Numerics::template unpacked<Element>(data[i]);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static void storeRows(const float *values, void *tile, int row, int rows) {
    T *data = dataOf(tile) + row * kFaceDim;
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < rows * kFaceDim; ++i)
      data[i] = Numerics::template packed<Element>(values[i]);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static void addRows(const float *values, void *tile, int row, int rows) {
    T *data = dataOf(tile) + row * kFaceDim;
    TTJIT_TILE_INDEPENDENT
    for (int i = 0; i < rows * kFaceDim; ++i)
      data[i] = Numerics::template packedSum<Element>(data[i], values[i]);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static float loadElement(const void *tile, int index) {
    return Numerics::template unpacked<Element>(dataOf(tile)[index]);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static void storeElement(void *tile, int index, float value) {
    dataOf(tile)[index] = Numerics::template packed<Element>(value);
  }

private:
  TTJIT_TILE_INLINE static const T *dataOf(const void *tile) {
    return static_cast<const T *>(tile);
  }
  TTJIT_TILE_INLINE static T *dataOf(void *tile) { return static_cast<T *>(tile); }
};

//===--------------------------------------------------------------------------===//
// Floats
//===--------------------------------------------------------------------------===//

struct StoredFloat32 : ElementRows<StoredFloat32, float> {
  static constexpr DataFormat kFormat = DataFormat::Float32;

  TTJIT_TILE_INLINE static float load(float datum) { return datum; }
  TTJIT_TILE_INLINE static float store(float value) {
    return lane::isNanBits(bitsOf(value)) ? floatOf(0x7fc00000) : value;
  }
  TTJIT_TILE_INLINE static float add(float slot, float value) { return store(slot + value); }
};

struct StoredFloat16b : ElementRows<StoredFloat16b, uint16_t> {
  static constexpr DataFormat kFormat = DataFormat::Float16_b;

  TTJIT_TILE_INLINE static float load(uint16_t datum) { return floatOf(uint32_t(datum) << 16); }
  /// Rounds to nearest even. A value that does not fit becomes infinite.
  TTJIT_TILE_INLINE static uint16_t store(float value) { return lane::bfloat16BitsOf(value); }
  TTJIT_TILE_INLINE static uint16_t add(uint16_t slot, float value) {
    return store(load(slot) + value);
  }
};

struct StoredFloat16 : ElementRows<StoredFloat16, uint16_t> {
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

template <typename T, DataFormat format>
struct StoredInteger : ElementRows<StoredInteger<T, format>, T> {
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

template <typename Numerics, typename Format>
TTJIT_TILE_INLINE void unpack(const void *slot, float *dst) {
  Format::template loadRows<Numerics>(slot, 0, kTileRows, dst);
}

/// Unpacks the tile as the matrix engine reads it.
template <typename Numerics, typename Format>
TTJIT_TILE_INLINE void unpackOperand(const void *slot, float *out) {
  unpack<typename Numerics::Operands, Format>(slot, out);
}

template <typename Numerics, typename Format>
TTJIT_TILE_INLINE void pack(const float *dst, void *slot) {
  Format::template storeRows<Numerics>(dst, slot, 0, kTileRows);
}

/// slot = round(float(slot) + dst); integers wrap.
template <typename Numerics, typename Format>
TTJIT_TILE_INLINE void packAccumulate(const float *dst, void *slot) {
  Format::template addRows<Numerics>(dst, slot, 0, kTileRows);
}

//===--------------------------------------------------------------------------===//
// All formats of tile arithmetic
//===--------------------------------------------------------------------------===//

template <typename... Formats> struct FormatList {
  /// Calls visit(Format()) for the format of this number. Returns whether the list has it.
  template <typename Visit> static bool visit(DataFormat format, Visit visit) {
    return ((format == Formats::kFormat && (visit(Formats()), true)) || ...);
  }
  /// Calls visit(Format()) for each format.
  template <typename Visit> static void visitAll(Visit visit) { (visit(Formats()), ...); }
};
using TileFormats = FormatList<StoredFloat32, StoredFloat16b, StoredFloat16, StoredBfp8b,
                               StoredBfp4b, StoredInt32, StoredUInt32, StoredUInt16, StoredUInt8>;

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_FORMATLOOPS_H
