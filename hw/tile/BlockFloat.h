//===- BlockFloat.h - rows of 16 values with one exponent -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The formats Bfp8_b and Bfp4_b. A row of a face is 16 values that share one exponent of 8 bits,
// the largest of their exponents. A tile begins with its 64 exponents; then come the data, row
// after row. A datum is a sign and a magnitude of 7 (3) bits with the leading one; a value is
//
//   magnitude * 2^(exponent - 127 - 6)       (Bfp4_b: - 2)
//
// Packing rounds to nearest even and saturates. A magnitude of 0 has no sign. NaN is stored
// as infinity. Unpacking takes a datum with a sign and magnitude 0 as -infinity, as the
// hardware does.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_BLOCKFLOAT_H
#define TTJIT_HW_TILE_BLOCKFLOAT_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/Target.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

/// Rows of 16 values of a tile, in the order in which they are stored.
inline constexpr int kTileRows = kTileElements / kFaceDim;

/// A storage format (hw/tile/FormatLoops.h) with data of `Bits` bits.
template <int Bits, DataFormat format> struct StoredBlockFloat {
  static constexpr DataFormat kFormat = format;

  template <typename Numerics>
  TTJIT_TILE_INLINE static void loadRows(const void *tile, int row, int rows, float *out) {
    for (int r = 0; r < rows; ++r)
      loadRow(static_cast<const uint8_t *>(tile), row + r, out + r * kFaceDim);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static void storeRows(const float *values, void *tile, int row, int rows) {
    for (int r = 0; r < rows; ++r)
      storeRow<Numerics>(values + r * kFaceDim, static_cast<uint8_t *>(tile), row + r);
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static void addRows(const float *values, void *tile, int row, int rows) {
    auto *bytes = static_cast<uint8_t *>(tile);
    for (int r = 0; r < rows; ++r) {
      float sum[kFaceDim];
      loadRow(bytes, row + r, sum);
      for (int i = 0; i < kFaceDim; ++i)
        sum[i] += values[r * kFaceDim + i];
      storeRow<Numerics>(sum, bytes, row + r);
    }
  }
  template <typename Numerics>
  TTJIT_TILE_INLINE static float loadElement(const void *tile, int index) {
    float row[kFaceDim];
    loadRow(static_cast<const uint8_t *>(tile), index / kFaceDim, row);
    return row[index % kFaceDim];
  }
  /// Stores an element, and rounds the other values of its row to the new common exponent.
  template <typename Numerics>
  TTJIT_TILE_INLINE static void storeElement(void *tile, int index, float value) {
    float row[kFaceDim];
    auto *bytes = static_cast<uint8_t *>(tile);
    loadRow(bytes, index / kFaceDim, row);
    row[index % kFaceDim] = value;
    storeRow<Numerics>(row, bytes, index / kFaceDim);
  }

private:
  TTJIT_TILE_INLINE static void loadRow(const uint8_t *tile, int row, float *out) {
    const uint8_t *data = tile + kTileRows + row * kRowBytes;
    float scale = scaleOf(tile[row]);
    for (int i = 0; i < kFaceDim; ++i) {
      uint32_t datum = Bits == 8 ? data[i] : uint32_t(data[i / 2]) >> (i % 2 * 4) & 15;
      out[i] = valueOf(datum << (8 - Bits), scale);
    }
  }

  template <typename Numerics>
  TTJIT_TILE_INLINE static void storeRow(const float *values, uint8_t *tile, int row) {
    uint32_t bits[kFaceDim], exponent = 0;
    for (int i = 0; i < kFaceDim; ++i) {
      bits[i] = values[i] != values[i] ? 0x7f800000 : bitsOf(values[i]);
      uint32_t own = bits[i] >> 23 & 255;
      exponent = own > exponent ? own : exponent;
    }
    tile[row] = static_cast<uint8_t>(exponent);
    uint32_t datum[kFaceDim];
    for (int i = 0; i < kFaceDim; ++i)
      datum[i] = datumOf<Numerics>(bits[i], exponent);
    uint8_t *data = tile + kTileRows + row * kRowBytes;
    for (int i = 0; i < kRowBytes; ++i)
      data[i] = static_cast<uint8_t>(Bits == 8 ? datum[i] : datum[2 * i] | datum[2 * i + 1] << 4);
  }

  static constexpr int kRowBytes = kFaceDim * Bits / 8;
  static constexpr uint32_t kLargest = (1u << (Bits - 1)) - 1;

  /// 2^(exponent - 133), which may be denormal.
  TTJIT_TILE_INLINE static float scaleOf(uint32_t exponent) {
    return floatOf(exponent > 6 ? (exponent - 6) << 23 : 1u << (exponent + 16));
  }

  /// Returns the value of a datum, whose sign is in bit 7.
  TTJIT_TILE_INLINE static float valueOf(uint32_t datum, float scale) {
    float magnitude = float(int32_t(datum & 127)) * scale;
    magnitude = datum == 128 ? floatOf(0x7f800000) : magnitude;
    return datum & 128 ? -magnitude : magnitude;
  }

  /// Returns the datum of a float with these bits: the float is m * 2^(own - 150), a datum counts
  /// multiples of 2^(exponent - 127 - (Bits - 2)).
  template <typename Numerics>
  TTJIT_TILE_INLINE static uint32_t datumOf(uint32_t bits, uint32_t exponent) {
    uint32_t own = bits >> 23 & 255;
    uint32_t m = (bits & 0x7fffff) | (own ? 0x800000 : 0);
    uint32_t shift = 25 - Bits + exponent - (own ? own : 1);
    shift = shift > 31 ? 31 : shift;
    uint32_t magnitude = Numerics::dropBits(m, shift);
    magnitude = magnitude > kLargest ? kLargest : magnitude;
    return magnitude ? magnitude | bits >> 31 << (Bits - 1) : 0;
  }
};
using StoredBfp8b = StoredBlockFloat<8, DataFormat::Bfp8_b>;
using StoredBfp4b = StoredBlockFloat<4, DataFormat::Bfp4_b>;

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_BLOCKFLOAT_H
