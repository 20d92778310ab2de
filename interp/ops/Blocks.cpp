//===- Blocks.cpp - acquiring and releasing blocks ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/Mailboxes.h"
#include "interp/ops/TileRules.h"

#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Acquire
//===--------------------------------------------------------------------------===//

// Operands: buffer, pages of a block. The kernel API counts pages from the front: a thread that
// already holds blocks must ask for the pages of these blocks, too.
template <bool reserve> static hw::Status runAcquire(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  hw::KernelThread *thread = &frame.thread;
  auto cb = inst.operand<int32_t>(frame, 0), pages = inst.operand<int32_t>(frame, 1);
  const hw::CircularBuffer *ring = hw::fast::findBuffer(thread, cb);
  uint32_t held = !ring ? 0 : reserve ? ring->reserved : ring->waited;
  auto total = static_cast<int32_t>(held + pages);
  hw::Status status =
      reserve ? ttl_hw_cb_reserve_back(thread, cb, total) : ttl_hw_cb_wait_front(thread, cb, total);
  if (status != hw::Status::Ok)
    return status;
  uint32_t first = reserve ? ring->writePage : ring->readPage;
  BlockRef block{hw::fast::pageAfter(*ring, first, held), static_cast<uint16_t>(cb), reserve};
  return inst.finish(frame, block.bits());
}

static SlotNumber pagesOf(Type block, FunctionCompiler &compiler) {
  int64_t pages = cast<ttl::BlockType>(block).getCircularBuffer().getPagesPerBlock();
  return compiler.constantSlot(Slot::of(static_cast<int32_t>(pages)));
}

template <bool reserve> static llvm::Error acquire(Operation *op, FunctionCompiler &compiler) {
  compiler.emit(
      op, runAcquire<reserve>,
      {compiler.slotOf(op->getOperand(0)), pagesOf(op->getResult(0).getType(), compiler)});
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Release
//===--------------------------------------------------------------------------===//

// Operands: block, number of its pages.
template <auto function> static hw::Status runRelease(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  return function(&frame.thread, BlockRef::of(frame, inst.operands[0]).cb,
                  inst.operand<int32_t>(frame, 1));
}

// Before a block is released, waits for the copies on it whose handles have no use: later,
// ttl-insert-synchronization inserts these waits.
template <auto function> static llvm::Error release(Operation *op, FunctionCompiler &compiler) {
  Value block = op->getOperand(0);
  for (Operation *user : block.getUsers()) {
    auto copy = dyn_cast<ttl::CopyOp>(user);
    if (!copy || !copy->use_empty())
      continue;
    if (copy.isSend() || copy.isReceive())
      emitPipeWait(op, copy, compiler);
    else
      compiler.emit(op,
                    copy.isRead() ? apiHandler<ttl_hw_noc_async_read_barrier>
                                  : apiHandler<ttl_hw_noc_async_write_barrier>,
                    {});
  }
  compiler.emit(op, runRelease<function>,
                {compiler.slotOf(block), pagesOf(block.getType(), compiler)});
  return llvm::Error::success();
}

static llvm::Error publish(ttl::CBPublishOp op, FunctionCompiler &compiler) {
  ttl::CircularBufferType type = op.getCb().getType();
  auto pages = static_cast<int32_t>(type.getPagesPerBlock() * type.getBufferFactor());
  compiler.emit(op, apiHandler<ttl_hw_cb_publish>,
                {compiler.slotOf(op.getCb()), compiler.constantSlot(Slot::of(pages))});
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Ops that give a block another name
//===--------------------------------------------------------------------------===//

static uint32_t frontOf(const hw::CircularBuffer &ring, bool reserved) {
  return reserved ? ring.writePage : ring.readPage;
}

// Operands: block, number of pages from the front of its buffer.
static hw::Status runBlockAt(const Instruction &inst, Frame &frame) {
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  const hw::CircularBuffer &ring = frame.thread.buffers[block.cb];
  block.page = frontOf(ring, block.reserved) + inst.operand<int64_t>(frame, 1);
  return inst.finish(frame, block.bits());
}

static llvm::Error blockAt(ttl::BlockAtOp op, FunctionCompiler &compiler) {
  compiler.emit(op, runBlockAt, {compiler.slotOf(op.getBlock()), compiler.slotOf(op.getPages())});
  return llvm::Error::success();
}

// Operands: buffer, number of pages before the block.
template <bool reserved> static hw::Status runHeld(const Instruction &inst, Frame &frame) {
  auto cb = inst.operand<int32_t>(frame, 0);
  const hw::CircularBuffer &ring = frame.thread.buffers[cb];
  BlockRef block{
      hw::fast::pageAfter(ring, frontOf(ring, reserved), inst.operand<uint32_t>(frame, 1)),
      static_cast<uint16_t>(cb), reserved};
  return inst.finish(frame, block.bits());
}

static llvm::Error heldBlock(ttl::HeldBlockOp op, FunctionCompiler &compiler) {
  int64_t pages = op.getBlock().getType().getCircularBuffer().getPagesPerBlock();
  auto before = static_cast<int32_t>(op.getOlder() * pages);
  compiler.emit(op, op.getReserved() ? runHeld<true> : runHeld<false>,
                {compiler.slotOf(op.getCb()), compiler.constantSlot(Slot::of(before))});
  return llvm::Error::success();
}

void interp::addBlockOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<CBWaitOp>(acquire<false>);
  table.add<CBReserveOp>(acquire<true>);
  table.add<CBPopOp>(release<ttl_hw_cb_pop_front>);
  table.add<CBPushOp>(release<ttl_hw_cb_push_back>);
  table.add<CBPublishOp, publish>();
  table.add<BlockAtOp, blockAt>();
  table.add<HeldBlockOp, heldBlock>();
}
