//===- InlineTiles.h - tile calls with the table's arithmetic -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel API's calls that move or compute tiles, as the extern "C" functions
// do them: hw/abi/TileCalls.h with the thread's table of tile kernels.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_INLINETILES_H
#define TTJIT_HW_ABI_INLINETILES_H

#include "hw/abi/TileCalls.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::fast {

/// `Tiles` of hw/abi/TileCalls.h over the table.
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

/// `tileOp` is a row of TileOps.def with one operand.
inline Status sfpuUnary(KernelThread *t, int32_t tileOp, int32_t dst) {
  return computeUnary(t, dst,
                      [&](float *data) { t->tiles->unary(static_cast<TileOp>(tileOp), data); });
}

/// `tileOp` is a row of TileOps.def with two operands.
inline Status sfpuBinary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1,
                         int32_t odst) {
  return computeBinary(t, dst0, dst1, odst, [&](const float *a, const float *b, float *out) {
    t->tiles->binary(static_cast<TileOp>(tileOp), a, b, out);
  });
}

} // namespace ttjit::hw::fast

#endif // TTJIT_HW_ABI_INLINETILES_H
