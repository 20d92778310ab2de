//===- KernelApi.cpp - the kernel API out of line -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Definitions of the kernel API's functions: wrappers of the inline functions of
// hw/abi/Inline.h and hw/abi/InlineTiles.h, arguments, faults of programs, and abandon.
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "hw/device/NocAddress.h"
#include "hw/device/Worker.h"
#include "hw/facts/TileOps.h"

#include <fmt/format.h>

using namespace ttjit::hw;

//===--------------------------------------------------------------------------===//
// Arguments and identity
//===--------------------------------------------------------------------------===//

uint32_t ttl_hw_get_arg_val(KernelThread *t, int32_t index) {
  if (static_cast<uint32_t>(index) < t->numNodeArgs)
    return t->nodeArgs[index];
  ThreadContext &thread = contextOf(t);
  (void)thread.machine->faults.report(
      &thread, FaultKind::OutOfBounds,
      fmt::format("get_arg_val: there is no argument {}; this node has {}", index, t->numNodeArgs));
  return 0;
}

uint32_t ttl_hw_get_common_arg_val(KernelThread *t, int32_t index) {
  return fast::getCommonArgVal(t, index);
}
int32_t ttl_hw_my_logical_x(KernelThread *t) { return t->x; }
int32_t ttl_hw_my_logical_y(KernelThread *t) { return t->y; }

//===--------------------------------------------------------------------------===//
// Circular buffers
//===--------------------------------------------------------------------------===//

Status ttl_hw_cb_reserve_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbReserveBack(t, cb, pages);
}
Status ttl_hw_cb_push_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPushBack(t, cb, pages);
}
Status ttl_hw_cb_wait_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbWaitFront(t, cb, pages);
}
Status ttl_hw_cb_pop_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPopFront(t, cb, pages);
}
uint32_t ttl_hw_get_write_ptr(KernelThread *t, int32_t cb) { return fast::getWritePtr(t, cb); }
uint32_t ttl_hw_get_read_ptr(KernelThread *t, int32_t cb) { return fast::getReadPtr(t, cb); }
int32_t ttl_hw_cb_fact(KernelThread *t, int32_t cb, BufferFact fact) {
  const CircularBuffer *buffer = fast::findBuffer(t, cb);
  if (!buffer)
    return 0;
  switch (fact) {
  case BufferFact::Format:
    return buffer->format;
  case BufferFact::PageBytes:
    return static_cast<int32_t>(buffer->pageBytes);
  case BufferFact::NumPages:
    return static_cast<int32_t>(buffer->numPages);
  case BufferFact::PagesFilled:
    return static_cast<int32_t>(buffer->received - buffer->acked);
  case BufferFact::TilesPacked:
    return static_cast<int32_t>(buffer->packedInOrder);
  }
  return 0;
}

//===--------------------------------------------------------------------------===//
// DST and tiles
//===--------------------------------------------------------------------------===//

Status ttl_hw_tile_regs_acquire(KernelThread *t) { return fast::tileRegsAcquire(t); }
Status ttl_hw_tile_regs_commit(KernelThread *t) { return fast::tileRegsCommit(t); }
Status ttl_hw_tile_regs_wait(KernelThread *t) { return fast::tileRegsWait(t); }
Status ttl_hw_tile_regs_release(KernelThread *t) { return fast::tileRegsRelease(t); }

Status ttl_hw_copy_tile(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  return fast::copyTile(t, cb, index, dst);
}
Status ttl_hw_pack_tile(KernelThread *t, int32_t dst, int32_t cb, int32_t index) {
  return fast::packTile(t, dst, cb, index);
}
Status ttl_hw_pack_tile_block(KernelThread *t, int32_t dst, int32_t cb, int32_t count) {
  return fast::packTileBlock(t, dst, cb, count);
}
Status ttl_hw_pack_reconfig_l1_acc(KernelThread *t, int32_t enable) {
  fast::countCall(t);
  t->l1Accumulate = enable != 0;
  return Status::Ok;
}
Status ttl_hw_copy_dest_values(KernelThread *t, int32_t dstTo, int32_t dstFrom) {
  return fast::copyDestValues(t, dstTo, dstFrom);
}
Status ttl_hw_fill_tile(KernelThread *t, int32_t dst, float value) {
  return fast::fillTile(t, dst, value);
}
Status ttl_hw_matmul_tiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0,
                           int32_t index1, int32_t dst) {
  return fast::matmulTiles(t, cb0, cb1, index0, index1, dst);
}
Status ttl_hw_reduce_tile(KernelThread *t, int32_t cb, int32_t cbScaling, int32_t index,
                          int32_t indexScaling, int32_t dst, int32_t kind) {
  return fast::reduceTile(t, cb, cbScaling, index, indexScaling, dst, kind);
}
Status ttl_hw_unary_bcast(KernelThread *t, int32_t cb, int32_t index, int32_t dst, int32_t dims) {
  return fast::unaryBcast(t, cb, index, dst, dims);
}
Status ttl_hw_transpose_wh_tile(KernelThread *t, int32_t cb, int32_t index, int32_t dst) {
  return fast::transposeTile(t, cb, index, dst);
}
Status ttl_hw_add_tiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                        int32_t dst) {
  return fast::fpuTiles(t, TileOp::Add, cb0, cb1, index0, index1, dst);
}
Status ttl_hw_sub_tiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                        int32_t dst) {
  return fast::fpuTiles(t, TileOp::Sub, cb0, cb1, index0, index1, dst);
}
Status ttl_hw_mul_tiles(KernelThread *t, int32_t cb0, int32_t cb1, int32_t index0, int32_t index1,
                        int32_t dst) {
  return fast::fpuTiles(t, TileOp::Mul, cb0, cb1, index0, index1, dst);
}
Status ttl_hw_sfpu_unary(KernelThread *t, int32_t tileOp, int32_t dst) {
  return fast::sfpuUnary(t, tileOp, dst);
}
Status ttl_hw_sfpu_binary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1,
                          int32_t odst) {
  return fast::sfpuBinary(t, tileOp, dst0, dst1, odst);
}
Status ttl_hw_sfpu_unary_param(KernelThread *t, int32_t tileOp, int32_t dst, float p0, float p1,
                               float p2) {
  return fast::sfpuUnaryParam(t, tileOp, dst, p0, p1, p2);
}
Status ttl_hw_sfpu_unary_int(KernelThread *t, int32_t tileOp, int32_t dst, int32_t number) {
  return fast::sfpuUnaryInt(t, tileOp, dst, number);
}
Status ttl_hw_sfpu_ternary(KernelThread *t, int32_t tileOp, int32_t dst0, int32_t dst1,
                           int32_t dst2, int32_t odst) {
  return fast::sfpuTernary(t, tileOp, dst0, dst1, dst2, odst);
}
Status ttl_hw_sfpu_mask(KernelThread *t, int32_t tileOp, int32_t dst, int32_t dstMask) {
  return fast::sfpuMask(t, tileOp, dst, dstMask);
}

//===--------------------------------------------------------------------------===//
// Faults and steps
//===--------------------------------------------------------------------------===//

Status ttl_hw_program_fault(KernelThread *t, int32_t programFault, const char *message) {
  static constexpr const char *texts[] = {"int32 overflow", "division by zero", "assertion failed",
                                          "negative exponent",
                                          "the shift count is negative or too large"};
  auto index = static_cast<uint32_t>(programFault);
  std::string text = index < std::size(texts) ? texts[index] : "fault";
  if (message && *message)
    text = message;
  ThreadContext &thread = contextOf(t);
  return thread.machine->faults.report(&thread, FaultKind::Runtime, std::move(text));
}

// Returns the slice's end for a message; INT64_MAX if the end does not fit into int64.
static int64_t endOfSlice(int64_t index, int64_t size) {
  int64_t end;
  return __builtin_add_overflow(index, size, &end) ? INT64_MAX : end;
}

Status ttl_hw_check_index(KernelThread *t, int64_t index, int64_t size, int64_t bound, int32_t dim,
                          const char *object) {
  fast::countCall(t);
  if (fast::likely(index >= 0 && size >= 0 && index <= bound && size <= bound - index))
    return Status::Ok;
  ThreadContext &thread = contextOf(t);
  std::string range = size == 1 ? fmt::format("index {}", index)
                                : fmt::format("slice {}:{}", index, endOfSlice(index, size));
  return thread.machine->faults.report(
      &thread, FaultKind::OutOfBounds,
      fmt::format("{} is out of range in dimension {} of {}", range, dim,
                  object ? object : fmt::format("a tensor, which has {} there", bound)));
}

Status ttl_hw_step(KernelThread *t) { return fast::step(t); }

Status ttl_hw_slow_step(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  return thread.worker->step(thread);
}

void ttl_hw_abandon(KernelThread *t) {
  ThreadContext &thread = contextOf(t);
  thread.worker->abandon(thread);
}
