//===- InlineTiles.h - tile calls that use the table ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The calls of the kernel API that move or compute tiles, as the extern "C" functions make
// them: each calls the function of hw/abi/TileCalls.h with the thread's table of tile
// kernels.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_INLINETILES_H
#define TTJIT_HW_ABI_INLINETILES_H

#include "hw/abi/TileCalls.h"
#include "hw/facts/TileOps.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::fast {

/// Returns whether the thread computes in host numerics. Loops compiled by the JIT do only that.
inline bool usesHostNumerics(const KernelThread *t) { return t->tiles->mode == NumericMode::Host; }

/// The `Tiles` parameter of hw/abi/TileCalls.h. It calls the thread's table of tile
/// kernels.
struct TableTiles {
  const TileKernels &table;

  const FormatKernels &kernels(DataFormat format) const {
    return table.formats[static_cast<int>(format)];
  }
  static const std::byte *bytes(const uint8_t *data) {
    return reinterpret_cast<const std::byte *>(data);
  }
  static std::byte *bytes(uint8_t *data) { return reinterpret_cast<std::byte *>(data); }

  void unpack(DataFormat format, const uint8_t *slot, float *dst) const {
    kernels(format).unpack(bytes(slot), dst);
  }
  const float *operand(DataFormat format, const uint8_t *slot, float *scratch) const {
    return table.operand(format, bytes(slot), scratch);
  }
  void pack(DataFormat format, const float *dst, uint8_t *slot) const {
    kernels(format).pack(dst, bytes(slot));
  }
  void packAccumulate(DataFormat format, const float *dst, uint8_t *slot) const {
    kernels(format).packAccumulate(dst, bytes(slot));
  }
  void matmul(DataFormat formatA, const uint8_t *a, DataFormat formatB, const uint8_t *b,
              float *acc, bool accIsZero) const {
    table.matmulStored(formatA, bytes(a), formatB, bytes(b), acc, accIsZero);
  }
  void reduce(Pool pool, TileDims dims, DataFormat format, const uint8_t *tile,
              DataFormat scalingFormat, const uint8_t *scaling, float *acc, bool accIsFresh) const {
    const std::byte *tiles[] = {bytes(tile)};
    table.reduceStored(pool, dims, format, tiles, scalingFormat, bytes(scaling), acc, accIsFresh);
  }
  void broadcast(TileDims dims, DataFormat format, const uint8_t *tile, float *out) const {
    table.broadcastStored(dims, format, bytes(tile), out);
  }
  void transpose(DataFormat format, const uint8_t *tile, float *out) const {
    table.transposeStored(format, bytes(tile), out);
  }
  void copy(const float *from, float *to) const { table.copy(from, to); }
  void fill(float *dst, float value) const { table.fill(dst, value); }
};

inline Status copyTile(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  return copyTile(t, cb, index, dst, TableTiles{*t->tiles});
}

inline Status packTile(KernelThread *t, int32_t dst, int32_t cb, int32_t index) {
  return packTile(t, dst, cb, index, TableTiles{*t->tiles});
}

inline Status copyDestValues(KernelThread *t, int32_t dstTo, int32_t dstFrom) {
  return copyDestValues(t, dstTo, dstFrom, TableTiles{*t->tiles});
}

inline Status fillTile(KernelThread *t, int32_t dst, float value) {
  return fillTile(t, dst, value, TableTiles{*t->tiles});
}

inline Status matmulTiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                          int32_t dst) {
  return matmulTiles(t, cb0, cb1, index0, index1, dst, TableTiles{*t->tiles});
}

inline Status reduceTile(KernelThread *t, int32_t cb, int32_t cbScaling, int32_t index,
                         int32_t indexScaling, int32_t dst, int32_t kind) {
  return reduceTile(t, cb, cbScaling, index, indexScaling, dst, kind, TableTiles{*t->tiles});
}

inline Status unaryBcast(KernelThread *t, int32_t cb, int32_t index, int32_t dst, int32_t dims) {
  return unaryBcast(t, cb, index, dst, dims, TableTiles{*t->tiles});
}

inline Status transposeTile(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  return transposeTile(t, cb, index, dst, TableTiles{*t->tiles});
}

inline Status packTileBlock(KernelThread *t, int32_t dst, int32_t cb, int32_t count) {
  return packTileBlock(t, dst, cb, count, TableTiles{*t->tiles});
}

/// Computes the sum, difference or product (`op` is Add, Sub or Mul) of two tiles on the matrix
/// engine. A product is added to the register: in host numerics, with one fma per element, or
/// rounded if the register is not written yet.
inline Status fpuTiles(KernelThread *t, TileOp op, int32_t cb0, int32_t cb1, int32_t index0,
                       int32_t index1, int32_t dst) {
  return fpuBinary(t, cb0, cb1, index0, index1, dst, TableTiles{*t->tiles},
                   [&](const float *a, const float *b, float *out, bool isFresh) {
                     t->tiles->matrix(op, a, b, out, isFresh);
                   },
                   {.row = static_cast<int32_t>(op), .isMatrix = true});
}

/// `tileOp` is a row of TileOps.def of kind TILE_UNARY, or of the kind that the name below says.
inline Status sfpuUnary(KernelThread *t, int32_t tileOp, int32_t dst) {
  return computeUnary(t, dst,
                      [&](float *data) { t->tiles->unary(static_cast<TileOp>(tileOp), data); },
                      {.row = tileOp});
}

/// The parameters p0, p1 and p2 beyond those that the row has are ignored.
inline Status sfpuUnaryParam(KernelThread *t, int32_t tileOp, int32_t dst, float p0, float p1,
                             float p2) {
  const float numbers[] = {p0, p1, p2};
  return computeUnary(
      t, dst,
      [&](float *data) { t->tiles->unaryParam(static_cast<TileOp>(tileOp), data, numbers); },
      {.row = tileOp, .numbers = numbers});
}

inline Status sfpuUnaryInt(KernelThread *t, int32_t tileOp, int32_t dst, int32_t number) {
  return computeUnary(
      t, dst, [&](float *data) { t->tiles->unaryInt(static_cast<TileOp>(tileOp), data, number); },
      {.row = tileOp, .number = number});
}

inline Status sfpuBinary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1,
                         int32_t odst) {
  return computeBinary(t, dst0, dst1, odst,
                       [&](const float *a, const float *b, float *out) {
                         t->tiles->binary(static_cast<TileOp>(tileOp), a, b, out);
                       },
                       {.row = tileOp});
}

inline Status sfpuTernary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1, int32_t dst2,
                          int32_t odst) {
  return computeTernary(t, dst0, dst1, dst2, odst,
                        [&](const float *a, const float *b, const float *c, float *out) {
                          t->tiles->ternary(static_cast<TileOp>(tileOp), a, b, c, out);
                        },
                        {.row = tileOp});
}

inline Status sfpuMask(KernelThread *t, int32_t tileOp, int32_t dst, int32_t dstMask) {
  return computeMask(t, dst, dstMask,
                     [&](const float *a, const float *b, float *out) {
                       t->tiles->binary(static_cast<TileOp>(tileOp), a, b, out);
                     },
                     {.row = tileOp});
}

} // namespace ttjit::hw::fast

#endif // TTJIT_HW_ABI_INLINETILES_H
