//===- DeviceStorage.h - stored tiles as the card converts them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The conversions between tiles in L1, source registers and DST of device numerics
// (hw/tile/DeviceFormats.h), for the tables of kernels. Reading and writing single elements of a
// stored tile is exact in every mode; so are integers, which move as raw bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICESTORAGE_H
#define TTJIT_HW_TILE_DEVICESTORAGE_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/BlockFloat.h"
#include "hw/tile/DeviceFormats.h"
#include "hw/tile/DeviceTile.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

//===--------------------------------------------------------------------------===//
// The rows of a stored tile, as the bits of floats
//===--------------------------------------------------------------------------===//

struct Float32Rows {
  TTJIT_TILE_INLINE static IntRow load(const std::byte *slot, int row) {
    return loadRow(reinterpret_cast<const float *>(slot) + row * kFaceDim);
  }
  TTJIT_TILE_INLINE static void store(IntRow bits, std::byte *slot, int row) {
    storeRow(bits, reinterpret_cast<float *>(slot) + row * kFaceDim);
  }
};

struct HalfRows {
  using Half = uint16_t __attribute__((vector_size(kFaceDim * 2)));

  TTJIT_TILE_INLINE static IntRow load(const std::byte *slot, int row) {
    Half data;
    __builtin_memcpy(&data, slot + row * sizeof data, sizeof data);
    return __builtin_convertvector(data, IntRow);
  }
  TTJIT_TILE_INLINE static void store(IntRow words, std::byte *slot, int row) {
    Half data = __builtin_convertvector(words, Half);
    __builtin_memcpy(slot + row * sizeof data, &data, sizeof data);
  }
};
struct Bf16Rows {
  TTJIT_TILE_INLINE static IntRow load(const std::byte *slot, int row) {
    return HalfRows::load(slot, row) << 16;
  }
  TTJIT_TILE_INLINE static void store(IntRow bits, std::byte *slot, int row) {
    HalfRows::store(shiftRightWord(bits, all<IntRow>(16)), slot, row);
  }
};

/// Rows of 16 data of `width` bits that share an exponent.
template <int width> struct BlockFloatRows {
  static constexpr int kRowBytes = kFaceDim * width / 8;

  TTJIT_TILE_INLINE static IntRow load(const std::byte *slot, int row) {
    auto *bytes = reinterpret_cast<const uint8_t *>(slot);
    const uint8_t *data = bytes + kRows + row * kRowBytes;
    IntRow datum{};
    for (int i = 0; i < kFaceDim; ++i)
      datum[i] = (width == 8 ? data[i] : data[i / 2] >> (i % 2 * 4) & 15) << (8 - width);
    return unpackedBlockFloat(datum, all<IntRow>(bytes[row]));
  }
  /// Stores a row of bf16 values, `bits`.
  TTJIT_TILE_INLINE static void store(IntRow bits, std::byte *slot, int row) {
    auto *bytes = reinterpret_cast<uint8_t *>(slot);
    uint8_t *data = bytes + kRows + row * kRowBytes;
    int32_t shared = 0;
    for (int i = 0; i < kFaceDim; ++i)
      shared = larger(shared, exponentOf<int32_t>(bits[i]));
    bytes[row] = static_cast<uint8_t>(shared);
    IntRow datum = blockFloatDatum<width, IntRow>(bits, all<IntRow>(shared));
    for (int i = 0; i < kRowBytes; ++i)
      data[i] = static_cast<uint8_t>(width == 8 ? datum[i] : datum[2 * i] | datum[2 * i + 1] << 4);
  }
};

//===--------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------===//

/// Returns data as a source register holds them: fp32 becomes TF32, or bf16 if DST has 16 bits, or
/// fp16 if other tiles are fp16.
template <DataFormat format, FpuMode mode> TTJIT_TILE_INLINE IntRow inSource(IntRow bits) {
  if constexpr (format == DataFormat::Float32)
    return !mode.wideExponents ? truncatedToFp16(bits)
           : mode.dst32        ? truncatedToTf32(bits)
                               : truncatedToBf16(bits);
  else if constexpr (format == DataFormat::Float16)
    return unpackedFp16(bits);
  return bits;
}

/// Returns data after the way from a source register to DST: a move (broadcast rows, 16-bit DST),
/// or an addition of zero, which makes NaN infinite. fp32 data reach an fp32 DST unchanged.
template <DataFormat format, FpuMode mode, bool isMoved>
TTJIT_TILE_INLINE IntRow inDst(IntRow bits) {
  if constexpr (format == DataFormat::Float32 && mode.dst32)
    return bits;
  bits = flushed(inSource<format, mode>(bits));
  return mode.dst32 && !isMoved ? infiniteIfNaN(bits) : bits;
}

//===--------------------------------------------------------------------------===//
// The kernels of a format
//===--------------------------------------------------------------------------===//

/// Returns an element of DST after the packer's early conversion for a format in L1. Elements of a
/// 16-bit DST that are fp16 keep their bits.
template <DataFormat format, FpuMode mode> TTJIT_TILE_INLINE IntRow packerSource(IntRow bits) {
  if constexpr (!mode.wideExponents && !mode.dst32)
    return flushed(bits);
  else if constexpr (format == DataFormat::Float32)
    return mode.dst32 ? bits : packedBf16<false>(bits);
  else if constexpr (isBlockFloat(format))
    return packedForBlockFloat<mode.dst32>(bits);
  return packedBf16<mode.dst32>(bits);
}

/// Returns the same for block floats with bfp8_pack_precise, which cuts an fp32 DST to bf16.
template <FpuMode mode> TTJIT_TILE_INLINE IntRow precisePackerSource(IntRow bits) {
  return mode.dst32 ? flushed(bits & ~0xffff) : packedBf16<false>(bits);
}

/// `Policy` gives the functions internal linkage.
template <typename Policy, typename Rows, DataFormat format, FpuMode mode> struct DeviceFormat {
  static void unpack(const std::byte *slot, float *dst) {
    for (int row = 0; row < kRows; ++row)
      storeRow(inDst<format, mode, false>(Rows::load(slot, row)), dst + row * kFaceDim);
  }
  static void unpackMoved(const std::byte *slot, float *dst) {
    for (int row = 0; row < kRows; ++row)
      storeRow(inDst<format, mode, true>(Rows::load(slot, row)), dst + row * kFaceDim);
  }
  static void unpackOperand(const std::byte *slot, float *out) {
    for (int row = 0; row < kRows; ++row)
      storeRow(inSource<format, mode>(Rows::load(slot, row)), out + row * kFaceDim);
  }
  static void pack(const float *dst, std::byte *slot) {
    for (int row = 0; row < kRows; ++row) {
      IntRow bits = packerSource<format, mode>(loadRow(dst + row * kFaceDim));
      Rows::store(format == DataFormat::Float16 ? packedFp16(bits) : bits, slot, row);
    }
  }
  static void packPrecisely(const float *dst, std::byte *slot) {
    for (int row = 0; row < kRows; ++row)
      Rows::store(precisePackerSource<mode>(loadRow(dst + row * kFaceDim)), slot, row);
  }
  static void packAccumulate(const float *dst, std::byte *slot) {
    constexpr bool isHalf = format == DataFormat::Float16;
    for (int row = 0; row < kRows; ++row) {
      IntRow bits = packerSource<format, mode>(loadRow(dst + row * kFaceDim));
      bits = isHalf ? packedFp16(bits) : bits;
      IntRow old = Rows::load(slot, row);
      for (int i = 0; i < kFaceDim; ++i) {
        auto a = static_cast<uint32_t>(old[i]), b = static_cast<uint32_t>(bits[i]);
        bits[i] = static_cast<int32_t>(isHalf                          ? accumulatedFp16(a, b)
                                       : format == DataFormat::Float32 ? accumulatedFp32(a, b)
                                                                       : accumulatedBf16(a, b));
      }
      Rows::store(bits, slot, row);
    }
  }
};

/// UInt8 in registers of 32 bits: the packer limits the integer.
template <typename Policy> struct ByteFormat {
  static void pack(const float *dst, std::byte *slot) {
    auto *data = reinterpret_cast<uint8_t *>(slot);
    for (int i = 0; i < kTileElements; ++i) {
      auto value = static_cast<int32_t>(bitsOf(dst[i]));
      data[i] = static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
    }
  }
};

template <typename Policy, FpuMode mode> struct DeviceStorage {
  static void fill(TileKernels &kernels, bool preciseBlocks) {
    fillFormat<Float32Rows, DataFormat::Float32>(kernels);
    fillFormat<Bf16Rows, DataFormat::Float16_b>(kernels);
    fillFormat<HalfRows, DataFormat::Float16>(kernels);
    fillFormat<BlockFloatRows<8>, DataFormat::Bfp8_b>(kernels);
    fillFormat<BlockFloatRows<4>, DataFormat::Bfp4_b>(kernels);
    if (preciseBlocks) {
      kernels.formats[static_cast<int>(DataFormat::Bfp8_b)].pack =
          DeviceFormat<Policy, BlockFloatRows<8>, DataFormat::Bfp8_b, mode>::packPrecisely;
      kernels.formats[static_cast<int>(DataFormat::Bfp4_b)].pack =
          DeviceFormat<Policy, BlockFloatRows<4>, DataFormat::Bfp4_b, mode>::packPrecisely;
    }
    if constexpr (mode.dst32)
      kernels.formats[static_cast<int>(DataFormat::UInt8)].pack = ByteFormat<Policy>::pack;
  }

private:
  template <typename Rows, DataFormat format> static void fillFormat(TileKernels &kernels) {
    using Format = DeviceFormat<Policy, Rows, format, mode>;
    FormatKernels &stored = kernels.formats[static_cast<int>(format)];
    stored.unpack = Format::unpack;
    kernels.unpackMoved[static_cast<int>(format)] = Format::unpackMoved;
    stored.unpackOperand = Format::unpackOperand;
    stored.pack = Format::pack;
    if constexpr (!isBlockFloat(format))
      stored.packAccumulate = Format::packAccumulate;
  }
};

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_DEVICESTORAGE_H
