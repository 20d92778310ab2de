//===- TileMath.h - arithmetic on whole tiles -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tile kernels of the emulated device, as one table of functions per
// instruction set level; every level gives the same bits. Whoever runs kernels
// takes the table once (tileKernels()) and keeps the reference.
//
// A DST tile is 1024 floats in face order (hw/tile/TileShape.h); no function
// needs more than natural alignment. The bits of a NaN in DST mean nothing: pack
// and storeElement write the canonical one.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILEMATH_H
#define TTJIT_HW_TILE_TILEMATH_H

#include "hw/facts/DataFormat.h"
#include "hw/facts/TileDims.h"
#include "hw/facts/TileOps.h"
#include "hw/tile/TileShape.h"

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

/// x86-64-v2 (SSE4.2), v3 (AVX2 and FMA), v4 (AVX-512). Hosts of other
/// architectures have V2 alone: their compiler's baseline.
enum class IsaLevel : uint8_t { V2, V3, V4 };
inline constexpr int kNumIsaLevels = 3;

/// What tile arithmetic imitates. Host: IEEE, DST holds fp32, denormals are kept,
/// rounding only at pack. Device: the hardware's widths, phases and roundings.
enum class NumericMode : uint8_t { Host, Device };

/// Formats are numbered below this, except Invalid.
inline constexpr int kNumFormatNumbers = 32;

/// Conversion between DST's elements and stored tiles of one format. Unpacking is exact.
/// Packing rounds to nearest even and writes every NaN as the format's positive quiet
/// one (block floats: as infinity); values are rounded to a storage format only here.
/// Integers are raw bits in DST: unpacking extends them with zeros, packing keeps their
/// low bits.
///
/// Slots are tileBytes(format) long and aligned to the size of a datum (block floats: 1);
/// `index` is elementIndex(row, column).
struct FormatKernels {
  void (*unpack)(const std::byte *slot, float *dst);
  void (*pack)(const float *dst, std::byte *slot);
  /// slot = round(float(slot) + dst); integers wrap.
  void (*packAccumulate)(const float *dst, std::byte *slot);
  float (*loadElement)(const std::byte *slot, int index);
  void (*storeElement)(std::byte *slot, int index, float value);
};

struct TileKernels {
  IsaLevel level;
  NumericMode mode;

  /// DST[dst] = op(DST[dst]); `op` has one operand.
  void unary(TileOp op, float *dst) const { unaryOps[static_cast<int>(op)](dst); }
  /// out = op(a, b); `op` has two operands. Each pair of tiles is the same or
  /// does not overlap.
  void binary(TileOp op, const float *a, const float *b, float *out) const {
    binaryOps[static_cast<int>(op)](a, b, out);
  }
  /// In place, with the row's numbers.
  void unaryParam(TileOp op, float *dst, const float *numbers) const {
    paramOps[static_cast<int>(op)](dst, numbers);
  }
  void unaryInt(TileOp op, float *dst, int32_t number) const {
    intOps[static_cast<int>(op)](dst, number);
  }
  void ternary(TileOp op, const float *a, const float *b, const float *c, float *out) const {
    ternaryOps[static_cast<int>(op)](a, b, c, out);
  }
  /// acc = what `dims` leave of the tile, combined with acc, or with the start
  /// (+0, -inf) if `accIsFresh`, in its place (hw/tile/TileReduce.h), the rest zero.
  void reduce(Pool pool, TileDims dims, const float *tile, float scaling, float *acc,
              bool accIsFresh) const {
    reduceOps[static_cast<int>(pool)][static_cast<int>(dims)](tile, scaling, acc, accIsFresh);
  }
  void broadcast(TileDims dims, const float *tile, float *out) const {
    broadcastOps[static_cast<int>(dims)](tile, out);
  }
  /// How tiles of `format` are stored; null if the format cannot be computed on.
  const FormatKernels *format(DataFormat format) const {
    int number = static_cast<int>(format);
    return number < kNumFormatNumbers && formats[number].unpack ? &formats[number] : nullptr;
  }
  /// acc += a @ b of two stored tiles, whose formats must be supported. Each
  /// element chains fma over k ascending, from acc, or from +0 if `accIsZero`
  /// (then acc is only written). Uses 8 KiB of stack.
  void matmulStored(DataFormat formatA, const std::byte *a, DataFormat formatB, const std::byte *b,
                    float *acc, bool accIsZero) const;

  /// Same as matmulStored, of two tiles of floats. `acc` overlaps neither.
  void (*matmul)(const float *a, const float *b, float *acc, bool accIsZero);
  /// The same of stored tiles. `scaling` is element (0, 0) of its tile.
  void reduceStored(Pool pool, TileDims dims, DataFormat format, const std::byte *tile,
                    DataFormat scalingFormat, const std::byte *scaling, float *acc,
                    bool accIsFresh) const;
  void broadcastStored(TileDims dims, DataFormat format, const std::byte *tile, float *out) const;
  void transposeStored(DataFormat format, const std::byte *tile, float *out) const;

  void (*transpose)(const float *tile, float *out); ///< no overlap
  void (*fill)(float *dst, float value);
  void (*copy)(const float *from, float *to); ///< the same tile or no overlap
  /// acc = fma(a, b, acc), element by element; acc overlaps neither.
  void (*multiplyAdd)(const float *a, const float *b, float *acc);

  // By row of TileOps.def; null for rows of another kind (masks are binary here).
  void (*unaryOps[kNumTileOps])(float *dst);
  void (*paramOps[kNumTileOps])(float *dst, const float *numbers);
  void (*intOps[kNumTileOps])(float *dst, int32_t number);
  void (*binaryOps[kNumTileOps])(const float *a, const float *b, float *out);
  void (*ternaryOps[kNumTileOps])(const float *a, const float *b, const float *c, float *out);
  void (*reduceOps[2][3])(const float *tile, float scaling, float *acc, bool accIsFresh);
  void (*broadcastOps[3])(const float *tile, float *out);
  FormatKernels formats[kNumFormatNumbers]; ///< by number; unpack is null if unsupported
};

/// The table for this CPU, chosen at the first call. `mode` must be Host.
const TileKernels &tileKernels(NumericMode mode = NumericMode::Host);

/// The table of one level; null if this CPU or this build cannot run it.
const TileKernels *tileKernels(NumericMode mode, IsaLevel level);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILEMATH_H
