//===- TileCalls.h - checks around tile arithmetic ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The calls of the kernel API that move or compute tiles: their checks, and the slots
// and registers that they read and write. The parameter `Tiles` computes: the extern
// "C" functions pass the table of tile kernels (hw/abi/InlineTiles.h), the JIT passes
// inline loops (jit/lib/DeviceInlines.cpp). `Tiles` has these members:
//
//   void unpack(DataFormat, const uint8_t *slot, float *dst)
//   const float *operand(DataFormat, const uint8_t *slot, float *scratch)
//   void pack(DataFormat, const float *dst, uint8_t *slot)
//   void packAccumulate(DataFormat, const float *dst, uint8_t *slot)
//   void matmul(DataFormat, const uint8_t *a, DataFormat, const uint8_t *b,
//               float *acc, bool accIsZero)
//   void reduce(Pool, TileDims, DataFormat, const uint8_t *tile,
//               DataFormat, const uint8_t *scaling, float *acc, bool accIsFresh)
//   void broadcast(TileDims, DataFormat, const uint8_t *tile, float *out)
//   void transpose(DataFormat, const uint8_t *tile, float *out)
//   void copy(const float *from, float *to)
//   void fill(float *dst, float value)
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_TILECALLS_H
#define TTJIT_HW_ABI_TILECALLS_H

#include "hw/abi/Inline.h"
#include "hw/facts/DataFormat.h"
#include "hw/facts/ReduceKind.h"
#include "hw/facts/ResultKind.h"
#include "hw/facts/TileCall.h"

namespace ttjit::hw::fast {

inline DataFormat formatOf(const KernelThread *t, int32_t cb) {
  return static_cast<DataFormat>(t->buffers[cb].format);
}

/// Returns tile `index` of the front of `cb`, and tells listeners that the thread reads it. If it
/// is null, the caller returns `status`.
struct TileRead {
  const uint8_t *tile;
  Status status;
};

inline TileRead readTile(KernelThread *t, int32_t cb, int32_t index) {
  const uint8_t *tile = frontTile(t, cb, index);
  if (!likely(tile))
    return {nullptr, ttl_hw_fault_front_tile(t, cb, index)};
  if (!likely(t->quiet))
    if (Status status = ttl_hw_slow_note_tile(t, cb, index); status != Status::Ok)
      return {nullptr, status};
  return {tile, Status::Ok};
}

/// Tells listeners what DST[dst] holds now. The operation has read the registers `in`, unless they
/// are negative, and the tiles for which readTile was called since the last note.
inline Status noteRegister(KernelThread *t, int32_t dst, ResultKind kind, const TileCall &call = {},
                           int32_t in0 = -1, int32_t in1 = -1, int32_t in2 = -1) {
  return likely(t->quiet)
             ? Status::Ok
             : ttl_hw_slow_note_register(t, dst, static_cast<int32_t>(kind), &call, in0, in1, in2);
}

template <typename Tiles>
inline Status copyTile(KernelThread *t, int32_t cb, int32_t index, int32_t dst, Tiles tiles) {
  countCall(t);
  auto [tile, status] = readTile(t, cb, index);
  if (!likely(tile))
    return status;
  float *out = dstToWrite(t, dst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, dst, 0);
  tiles.unpack(formatOf(t, cb), tile, out);
  return noteRegister(t, dst, ResultKind::Copy);
}

template <typename Tiles>
inline Status packTile(KernelThread *t, int32_t dst, int32_t cb, int32_t index, Tiles tiles) {
  countCall(t);
  PackPlace place = packPlace(t, dst, cb, index);
  if (!likely(place.slot))
    return ttl_hw_fault_pack_tile(t, dst, cb, index);
  if (t->l1Accumulate)
    tiles.packAccumulate(formatOf(t, cb), place.source, place.slot);
  else
    tiles.pack(formatOf(t, cb), place.source, place.slot);
  return likely(t->quiet) ? Status::Ok : ttl_hw_slow_note_slot(t, cb, index, dst);
}

/// Packs `count` registers from `dst` on. They go into the slots after those that calls of
/// pack_tile_block have filled since the last push.
template <typename Tiles>
inline Status packTileBlock(KernelThread *t, int32_t dst, int32_t cb, int32_t count, Tiles tiles) {
  CircularBuffer *b = findBuffer(t, cb);
  int32_t first = b ? static_cast<int32_t>(b->packedInOrder) : 0;
  for (int32_t i = 0; i < count; ++i)
    if (Status status = packTile(t, dst + i, cb, first + i, tiles); status != Status::Ok)
      return status;
  if (b && count > 0)
    b->packedInOrder += static_cast<uint32_t>(count);
  return Status::Ok;
}

template <typename Tiles>
inline Status copyDestValues(KernelThread *t, int32_t dstTo, int32_t dstFrom, Tiles tiles) {
  countCall(t);
  const float *from = dstToRead(t, dstFrom);
  if (!likely(from))
    return ttl_hw_fault_dst(t, dstFrom, 1);
  float *to = dstToWrite(t, dstTo);
  if (!likely(to))
    return ttl_hw_fault_dst(t, dstTo, 0);
  tiles.copy(from, to);
  return noteRegister(t, dstTo, ResultKind::Copy, {}, dstFrom);
}

template <typename Tiles>
inline Status fillTile(KernelThread *t, int32_t dst, float value, Tiles tiles) {
  countCall(t);
  float *out = dstToWrite(t, dst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, dst, 0);
  tiles.fill(out, value);
  return noteRegister(t, dst, ResultKind::Constant, {.numbers = &value});
}

/// Combines two tiles in L1 into DST[dst] with `compute(const uint8_t *a, const uint8_t
/// *b, float *out, bool isFresh)`. `isFresh`: the register was not written in this
/// section.
template <typename Compute>
inline Status accumulateFromL1(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0,
                               int32_t index1, int32_t dst, ResultKind kind, Compute compute,
                               const TileCall &call = {}) {
  countCall(t);
  TileRead a = readTile(t, cb0, index0);
  if (!likely(a.tile))
    return a.status;
  TileRead b = readTile(t, cb1, index1);
  if (!likely(b.tile))
    return b.status;
  Accumulator out = dstToAccumulate(t, dst);
  if (!likely(out.data))
    return ttl_hw_fault_dst(t, dst, 0);
  compute(a.tile, b.tile, out.data, out.isZero);
  return noteRegister(t, dst, kind, call, out.isZero ? -1 : dst);
}

template <typename Tiles>
inline Status matmulTiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                          int32_t dst, Tiles tiles) {
  return accumulateFromL1(t, cb0, cb1, index0, index1, dst, ResultKind::Product,
                          [&](const uint8_t *a, const uint8_t *b, float *out, bool isFresh) {
                            tiles.matmul(formatOf(t, cb0), a, formatOf(t, cb1), b, out, isFresh);
                          });
}

/// `kind` is the number of a ReduceKind.
template <typename Tiles>
inline Status reduceTile(KernelThread *t, int32_t cb, int32_t cbScaling, int32_t index,
                         int32_t indexScaling, int32_t dst, int32_t kind, Tiles tiles) {
  auto [pool, dims] = ReduceKind::of(kind);
  return accumulateFromL1(t, cb, cbScaling, index, indexScaling, dst,
                          withDims(ResultKind::Reduced, dims),
                          [&, pool = pool, dims = dims](const uint8_t *tile, const uint8_t *scaling,
                                                        float *out, bool isFresh) {
                            tiles.reduce(pool, dims, formatOf(t, cb), tile, formatOf(t, cbScaling),
                                         scaling, out, isFresh);
                          },
                          {.number = static_cast<int32_t>(pool)});
}

/// DST[dst] = compute(tile), read from L1: `compute(DataFormat, slot, out)`.
template <typename Compute>
inline Status computeFromL1(KernelThread *t, int32_t cb, int32_t index, int32_t dst,
                            ResultKind kind, Compute compute) {
  countCall(t);
  auto [tile, status] = readTile(t, cb, index);
  if (!likely(tile))
    return status;
  float *out = dstToWrite(t, dst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, dst, 0);
  compute(formatOf(t, cb), tile, out);
  return noteRegister(t, dst, kind);
}

template <typename Tiles>
inline Status unaryBcast(KernelThread *t, int32_t cb, int32_t index, int32_t dst, int32_t dims,
                         Tiles tiles) {
  auto kind = withDims(ResultKind::Broadcast, static_cast<TileDims>(dims));
  return computeFromL1(t, cb, index, dst, kind,
                       [&](DataFormat format, const uint8_t *tile, float *out) {
                         tiles.broadcast(static_cast<TileDims>(dims), format, tile, out);
                       });
}

template <typename Tiles>
inline Status transposeTile(KernelThread *t, int32_t cb, int32_t index, int32_t dst, Tiles tiles) {
  return computeFromL1(t, cb, index, dst, ResultKind::Transposed,
                       [&](DataFormat format, const uint8_t *tile, float *out) {
                         tiles.transpose(format, tile, out);
                       });
}

/// Combines two tiles in L1 element by element into DST[dst] with `compute(const float
/// *a, const float *b, float *out, bool isFresh)`.
template <typename Tiles, typename Compute>
inline Status fpuBinary(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                        int32_t dst, Tiles tiles, Compute compute, const TileCall &call,
                        ResultKind kind = ResultKind::ByElement) {
  return accumulateFromL1(
      t, cb0, cb1, index0, index1, dst, kind,
      [&](const uint8_t *a, const uint8_t *b, float *out, bool isFresh) {
        alignas(64) float tileA[kDstTileElements], tileB[kDstTileElements];
        compute(tiles.operand(formatOf(t, cb0), a, tileA),
                tiles.operand(formatOf(t, cb1), b, tileB), out, isFresh);
      },
      call);
}

/// Applies `compute(float *dst)` to DST[dst] in place.
template <typename Compute>
inline Status computeUnary(KernelThread *t, int32_t dst, Compute compute,
                           const TileCall &call = {}) {
  countCall(t);
  float *data = dstToRead(t, dst);
  if (!likely(data))
    return ttl_hw_fault_dst(t, dst, 1);
  compute(data);
  return noteRegister(t, dst, ResultKind::ByElement, call, dst);
}

/// Applies `compute(const float *a, const float *b, float *out)`; the registers may be
/// equal.
template <typename Compute>
inline Status computeBinary(KernelThread *t, int32_t dst0, int32_t dst1, int32_t odst,
                            Compute compute, const TileCall &call = {},
                            ResultKind kind = ResultKind::ByElement) {
  countCall(t);
  const float *a = dstToRead(t, dst0);
  if (!likely(a))
    return ttl_hw_fault_dst(t, dst0, 1);
  const float *b = dstToRead(t, dst1);
  if (!likely(b))
    return ttl_hw_fault_dst(t, dst1, 1);
  float *out = dstToWrite(t, odst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, odst, 0);
  compute(a, b, out);
  return noteRegister(t, odst, kind, call, dst0, dst1);
}

/// Applies `compute(const float *a, const float *b, const float *c, float *out)`, which selects
/// elements of b and c; the registers may be equal.
template <typename Compute>
inline Status computeTernary(KernelThread *t, int32_t dst0, int32_t dst1, int32_t dst2,
                             int32_t odst, Compute compute, const TileCall &call = {}) {
  countCall(t);
  const float *inputs[3];
  const int32_t registers[3] = {dst0, dst1, dst2};
  for (int i = 0; i < 3; ++i) {
    inputs[i] = dstToRead(t, registers[i]);
    if (!likely(inputs[i]))
      return ttl_hw_fault_dst(t, registers[i], 1);
  }
  float *out = dstToWrite(t, odst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, odst, 0);
  compute(inputs[0], inputs[1], inputs[2], out);
  return noteRegister(t, odst, ResultKind::Selected, call, dst0, dst1, dst2);
}

/// Masks DST[dst] in place. The hardware always takes the mask from the next register,
/// so a call that names another mask register is a fault.
template <typename Compute>
inline Status computeMask(KernelThread *t, int32_t dst, int32_t dstMask, Compute compute,
                          const TileCall &call = {}) {
  if (!likely(dstMask == dst + 1))
    return ttl_hw_fault_mask(t, dst, dstMask);
  return computeBinary(t, dst, dstMask, dst, compute, call, ResultKind::Masked);
}

} // namespace ttjit::hw::fast

#endif // TTJIT_HW_ABI_TILECALLS_H
