//===- InlineTiles.h - tile calls over DST --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel API's calls that move or compute tiles: checks from hw/abi/Inline.h,
// arithmetic from the thread's table of tile kernels. An engine that computes
// tiles itself uses the checks alone and calls countCall().
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_INLINETILES_H
#define TTJIT_HW_ABI_INLINETILES_H

#include "hw/abi/Inline.h"
#include "hw/tile/TileMath.h"

namespace ttjit::hw::fast {

inline DataFormat formatOf(const KernelThread *t, int32_t cb) {
  return static_cast<DataFormat>(t->buffers[cb].format);
}
inline const FormatKernels &formatKernels(const KernelThread *t, int32_t cb) {
  return t->tiles->formats[t->buffers[cb].format];
}
inline const std::byte *bytes(const uint8_t *data) {
  return reinterpret_cast<const std::byte *>(data);
}

inline Status copyTile(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  countCall(t);
  const uint8_t *tile = frontTile(t, cb, index);
  if (!likely(tile))
    return ttl_hw_fault_front_tile(t, cb, index);
  float *out = dstToWrite(t, dst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, dst, 0);
  formatKernels(t, cb).unpack(bytes(tile), out);
  return Status::Ok;
}

inline Status packTile(KernelThread *t, int32_t dst, int32_t cb, int32_t index) {
  countCall(t);
  PackPlace place = packPlace(t, dst, cb, index);
  if (!likely(place.slot))
    return ttl_hw_fault_pack_tile(t, dst, cb, index);
  const FormatKernels &kernels = formatKernels(t, cb);
  auto *pack = t->l1Accumulate ? kernels.packAccumulate : kernels.pack;
  pack(place.source, reinterpret_cast<std::byte *>(place.slot));
  return Status::Ok;
}

inline Status copyDestValues(KernelThread *t, int32_t dstTo, int32_t dstFrom) {
  countCall(t);
  const float *from = dstToRead(t, dstFrom);
  if (!likely(from))
    return ttl_hw_fault_dst(t, dstFrom, 1);
  float *to = dstToWrite(t, dstTo);
  if (!likely(to))
    return ttl_hw_fault_dst(t, dstTo, 0);
  t->tiles->copy(from, to);
  return Status::Ok;
}

inline Status fillTile(KernelThread *t, int32_t dst, float value) {
  countCall(t);
  float *out = dstToWrite(t, dst);
  if (!likely(out))
    return ttl_hw_fault_dst(t, dst, 0);
  t->tiles->fill(out, value);
  return Status::Ok;
}

inline Status matmulTiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                          int32_t dst) {
  countCall(t);
  const uint8_t *a = frontTile(t, cb0, index0);
  if (!likely(a))
    return ttl_hw_fault_front_tile(t, cb0, index0);
  const uint8_t *b = frontTile(t, cb1, index1);
  if (!likely(b))
    return ttl_hw_fault_front_tile(t, cb1, index1);
  Accumulator out = dstToAccumulate(t, dst);
  if (!likely(out.data))
    return ttl_hw_fault_dst(t, dst, 0);
  t->tiles->matmulStored(formatOf(t, cb0), bytes(a), formatOf(t, cb1), bytes(b), out.data,
                         out.isZero);
  return Status::Ok;
}

/// `tileOp` is a row of TileOps.def with one operand.
inline Status sfpuUnary(KernelThread *t, int32_t tileOp, int32_t dst) {
  countCall(t);
  float *data = dstToRead(t, dst);
  if (!likely(data))
    return ttl_hw_fault_dst(t, dst, 1);
  t->tiles->unary(static_cast<TileOp>(tileOp), data);
  return Status::Ok;
}

/// `tileOp` is a row of TileOps.def with two operands.
inline Status sfpuBinary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1,
                         int32_t odst) {
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
  t->tiles->binary(static_cast<TileOp>(tileOp), a, b, out);
  return Status::Ok;
}

} // namespace ttjit::hw::fast

#endif // TTJIT_HW_ABI_INLINETILES_H
