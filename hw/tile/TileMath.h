//===- TileMath.h - arithmetic on whole tiles -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tile kernels of the emulated device: one table of functions per instruction set
// level. Every level gives the same bits. Code that runs kernels calls tileKernels()
// once and keeps the reference.
//
// A DST tile is 1024 floats in face order (hw/tile/TileShape.h). Functions need natural
// alignment only. The bits of a NaN in DST have no meaning: pack and storeElement write
// the canonical NaN.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILEMATH_H
#define TTJIT_HW_TILE_TILEMATH_H

#include "hw/facts/DataFormat.h"
#include "hw/facts/Numerics.h"
#include "hw/facts/TileDims.h"
#include "hw/facts/TileOpFwd.h"
#include "hw/facts/VectorOp.h"
#include "hw/tile/ProductChain.h"
#include "hw/tile/TileShape.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ttjit::hw {

/// x86-64-v2 (SSE4.2), v3 (AVX2 and FMA), v4 (AVX-512). On other architectures V2 is
/// the only level and means the compiler's baseline.
enum class IsaLevel : uint8_t { V2, V3, V4 };
inline constexpr int kNumIsaLevels = 3;

/// All formats except Invalid have numbers below this one.
inline constexpr int kNumFormatNumbers = 32;

/// Converts between DST's elements and stored tiles of one format. Unpacking is exact.
/// Packing rounds to nearest even and writes every NaN as the format's positive quiet NaN
/// (block floats: as infinity). Values are rounded to a storage format only here. Integers
/// are raw bits in DST: unpacking extends them with zeros, packing keeps their low bits.
///
/// Slots are tileBytes(format) long and aligned to the size of a datum (block floats: 1);
/// `index` is elementIndex(row, column).
struct FormatKernels {
  void (*unpack)(const std::byte *slot, float *dst);
  /// Unpacks the tile as the matrix engine reads it.
  void (*unpackOperand)(const std::byte *slot, float *out);
  void (*pack)(const float *dst, std::byte *slot);
  /// slot = round(float(slot) + dst); integers wrap.
  void (*packAccumulate)(const float *dst, std::byte *slot);
  float (*loadElement)(const std::byte *slot, int index);
  void (*storeElement)(std::byte *slot, int index, float value);
};

/// A reduction of one tile of floats on the card.
struct DeviceReduction {
  Pool pool; ///< Sum or Max
  TileDims dims;
  bool isTf32;          ///< whether SrcA holds TF32, else bf16
  const float *tile;    ///< as SrcA holds it
  const float *scaling; ///< row 0 of a face of the scaling tile, as SrcB holds it
  bool isFresh;         ///< whether nothing was written to the register
};

struct TileKernels {
  IsaLevel level;
  NumericMode mode;
  bool readsFloat32; ///< whether tiles of Float32 are read unchanged

  /// DST[dst] = op(DST[dst]); `op` has one operand.
  void unary(TileOp op, float *dst) const { unaryOps[static_cast<int>(op)](dst); }
  /// out = op(a, b); `op` has two operands. Each pair of tiles is the same or
  /// does not overlap.
  void binary(TileOp op, const float *a, const float *b, float *out) const {
    binaryOps[static_cast<int>(op)](a, b, out);
  }
  /// Applies `op` in place with the parameters `numbers`.
  void unaryParam(TileOp op, float *dst, const float *numbers) const {
    paramOps[static_cast<int>(op)](dst, numbers);
  }
  void unaryInt(TileOp op, float *dst, int32_t number) const {
    intOps[static_cast<int>(op)](dst, number);
  }
  void ternary(TileOp op, const float *a, const float *b, const float *c, float *out) const {
    ternaryOps[static_cast<int>(op)](a, b, c, out);
  }
  /// out = a op b for two operands of the matrix engine; `op` is Add, Sub or Mul. A product is
  /// added to `out` unless it is fresh.
  void matrix(TileOp op, const float *a, const float *b, float *out, bool isFresh) const {
    if (mode == NumericMode::Device)
      matrixOps[static_cast<int>(op) - static_cast<int>(TileOp::Add)](a, b, out, isFresh);
    else if (op == TileOp::Mul && !isFresh)
      multiplyAdd(a, b, out);
    else
      binary(op, a, b, out);
  }
  /// Reduces the tile over `dims` and combines the result with acc, or with the start
  /// value (zero, the smallest value) if `accIsFresh`. hw/tile/TileReduce.h says where the results
  /// are; the rest of acc becomes zero.
  void reduce(Pool pool, TileDims dims, const float *tile, float scaling, float *acc,
              bool accIsFresh) const;
  void broadcast(TileDims dims, const float *tile, float *out) const {
    broadcastOps[static_cast<int>(dims)](tile, out);
  }
  /// Returns the kernels of a storage format; null if operations cannot compute on tiles of that
  /// format.
  const FormatKernels *format(DataFormat format) const {
    int number = static_cast<int>(format);
    return number < kNumFormatNumbers && formats[number].unpack ? &formats[number] : nullptr;
  }
  /// Returns a stored tile as the matrix engine reads it: the slot itself, or a copy in
  /// `scratch`. Inline, because the JIT's bitcode calls it.
  const float *operand(DataFormat number, const std::byte *slot, float *scratch) const {
    if (number == DataFormat::Float32 && readsFloat32)
      return reinterpret_cast<const float *>(slot);
    format(number)->unpackOperand(slot, scratch);
    return scratch;
  }

  /// acc += a @ b for two stored tiles, whose formats must be supported. Each element
  /// is a chain of fma over ascending k that starts from acc, or from +0 if
  /// `accIsZero`; then acc is only written. Products of integers wrap. Uses 8 KiB of stack.
  void matmulStored(DataFormat formatA, const std::byte *a, DataFormat formatB, const std::byte *b,
                    float *acc, bool accIsZero) const;

  /// Does the same as matmulStored, for tiles of floats. `acc` must not overlap an operand.
  void matmul(const float *a, const float *b, float *acc, bool accIsZero) const {
    multiplyChain({&a, &b, 1, accIsZero ? nullptr : acc, acc});
  }
  void (*multiplyChain)(const ProductChain &chain);
  /// acc += a @ b for 32-bit integers, which wrap.
  void (*matmulInt)(const float *a, const float *b, float *acc, bool accIsZero);
  /// Does the same as reduce() for each of the stored tiles, in order. `scaling` is element (0, 0)
  /// of the scaling tile. Tiles of integers are reduced as integers; `pool` is Sum or Max. `acc`
  /// overlaps no tile.
  void reduceStored(Pool pool, TileDims dims, DataFormat format,
                    std::span<const std::byte *const> tiles, DataFormat scalingFormat,
                    const std::byte *scaling, float *acc, bool accIsFresh) const;
  void broadcastStored(TileDims dims, DataFormat format, const std::byte *tile, float *out) const;
  void transposeStored(DataFormat format, const std::byte *tile, float *out) const;

  void (*transpose)(const float *tile, float *out); ///< the tiles do not overlap
  void (*fill)(float *dst, float value);
  /// By width of data, 1, 2 and 4 bytes: copy whole tiles side by side from a row-major array to
  /// pages that follow each other, and back. `stride`: bytes between rows of the array.
  void (*storeTiles[3])(const std::byte *array, int64_t stride, int64_t count, std::byte *pages);
  void (*loadTiles[3])(std::byte *array, int64_t stride, int64_t count, const std::byte *pages);
  void (*copy)(const float *from, float *to); ///< the tiles are the same or do not overlap
  /// acc = fma(a, b, acc), element by element; acc overlaps neither a nor b.
  void (*multiplyAdd)(const float *a, const float *b, float *acc);

  // Kernels by row of TileOps.def. A table has null for rows of other kinds (masks are in
  // binaryOps) and after the last row.
  void (*unaryOps[kMaxTileOps])(float *dst);
  void (*paramOps[kMaxTileOps])(float *dst, const float *numbers);
  void (*intOps[kMaxTileOps])(float *dst, int32_t number);
  void (*binaryOps[kMaxTileOps])(const float *a, const float *b, float *out);
  void (*ternaryOps[kMaxTileOps])(const float *a, const float *b, const float *c, float *out);
  /// Combines the elements of the reduced tile with `results`, or with the start value if
  /// `isFresh`. Prefetches the tile `ahead`, which the caller reads next.
  void (*reduceOps[kNumPools][3])(const float *tile, const float *ahead, float scaling,
                                  float *results, bool isFresh);
  void (*broadcastOps[3])(const float *tile, float *out);
  FormatKernels formats[kNumFormatNumbers]; ///< indexed by the format's number; unpack is null if
                                            ///< the format is unsupported

  // Only in tables of mode Device:
  void (*matrixOps[3])(const float *a, const float *b, float *out, bool isFresh);
  void (*deviceReduce)(const DeviceReduction &reduction, float *results);
  /// Replaces a register by what a move to a source register leaves of it.
  void (*moveToSource)(float *dst, bool isTf32);
  /// By format: `unpack` for a broadcast of rows, which the card moves to DST in another way. Null
  /// for integers.
  void (*unpackMoved[kNumFormatNumbers])(const std::byte *slot, float *dst);
  /// acc += a @ b for the integers of two tiles of UInt8.
  void (*multiplyBytes)(const float *a, const float *b, float *acc, bool accIsZero);
  /// By VectorOp. Null for integers with the host's results, and if the card's bits are not known.
  void (*vectorOps[kNumVectorOps])(const float *a, const float *b, float *out);
  /// Replaces each element by its sum with all above it; `sums` has the sums of the tiles above.
  void (*sumDown)(float *dst, float *sums);
  /// Stores results of host numerics in the way of the vector engine.
  void (*storeHostResults)(float *dst);

private:
  void reduceOnDevice(Pool pool, TileDims dims, DataFormat format,
                      std::span<const std::byte *const> tiles, DataFormat scalingFormat,
                      const std::byte *scaling, float *results, bool isFresh) const;
  const float *copied(DataFormat format, const std::byte *slot, float *scratch, bool isMoved) const;
};

/// Fills a table of mode Device for a configuration, given the host's table of the same level.
using FillDeviceKernels = void(IsaLevel, TileKernels &, const TileKernels &host,
                               const NumericConfig &);

/// Sets the function that fills the tables of mode Device. Call it before tileKernels() is called
/// for a configuration of that mode: see hw/tile/DeviceLevels.h.
void setDeviceKernels(FillDeviceKernels *fill);
bool hasDeviceKernels();

/// Returns the table for this CPU. The first call for a configuration makes it; it is never freed.
const TileKernels &tileKernels(const NumericConfig &config = {});

/// Returns the table of one level; null if this CPU or this build cannot run it.
const TileKernels *tileKernels(const NumericConfig &config, IsaLevel level);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_TILEMATH_H
