//===- PipeTransfers.cpp - lowers sends and receives to NoC calls -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/PipeTransfers.h"

#include "ir/TTL/BufferPages.h"
#include "passes/ttkernel/BlockAddress.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Addresses
//===--------------------------------------------------------------------------===//

Value ttjit::translatedX(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value column) {
  return ttkernel::createCall<ttkernel::ConvertLogicalXOp>(builder, loc, builder.getI32Type(),
                                                           arithmetic.toI32(builder, loc, column));
}
Value ttjit::translatedY(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value row) {
  return ttkernel::createCall<ttkernel::ConvertLogicalYOp>(builder, loc, builder.getI32Type(),
                                                           arithmetic.toI32(builder, loc, row));
}

Value ttjit::nocAddress(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value column,
                        Value row, Value address) {
  Value x = translatedX(builder, loc, arithmetic, column);
  Value y = translatedY(builder, loc, arithmetic, row);
  return ttkernel::createCall<ttkernel::GetNocAddrOp>(
      builder, loc, ttkernel::NocAddrType::get(builder.getContext()), x, y, address);
}

Value ttjit::nocMulticastAddress(OpBuilder &builder, Location loc, Arithmetic &arithmetic,
                                 ValueRange corners, Value address) {
  Value x0 = translatedX(builder, loc, arithmetic, corners[0]);
  Value y0 = translatedY(builder, loc, arithmetic, corners[1]);
  Value x1 = translatedX(builder, loc, arithmetic, corners[2]);
  Value y1 = translatedY(builder, loc, arithmetic, corners[3]);
  return ttkernel::createCall<ttkernel::GetNocMulticastAddrOp>(
      builder, loc, ttkernel::NocAddrType::get(builder.getContext()), x0, y0, x1, y1, address);
}

Value PipeTransfers::slotAddress(OpBuilder &builder, Value slot) {
  Operation *op = slot.getDefiningOp();
  Location loc = op->getLoc();
  int64_t base = 0, bytes = 0;
  Value index;
  if (auto landing = dyn_cast<ttl::LandingSlotOp>(op)) {
    auto create = cast<ttl::CreateLandingOp>(binding.boundTo(landing.getLanding()).getDefiningOp());
    base = *create.getAddress();
    bytes = create.getResult().getType().getSlotBytes();
    index = landing.getIndex();
  } else {
    auto direct = cast<ttl::BufferSlotOp>(op);
    ttl::CreateCBOp create = binding.bufferOf(direct.getCb());
    base = *create.getAddress();
    bytes = ttl::blockBytesOf(create);
    index = builder.createOrFold<arith::RemSIOp>(
        loc, direct.getIndex(), arithmetic.index(create.getType().getBufferFactor()));
  }
  Value offset = arithmetic.mul(builder, loc, arithmetic.toI32(builder, loc, index), bytes);
  return arithmetic.add(builder, loc, arithmetic.i32(base), offset);
}

int64_t PipeTransfers::pageSizeOfSlot(Value slot, int64_t unpadded) {
  auto direct = slot.getDefiningOp<ttl::BufferSlotOp>();
  return direct ? ttl::pageSizeOf(binding.bufferOf(direct.getCb())) : unpadded;
}

// Creates the loop over pages that a padded block needs, and leaves the builder in it.
PipeTransfers::Piece PipeTransfers::enterPieces(OpBuilder &builder, Location loc, Value block,
                                                Value slot) {
  auto type = cast<ttl::BlockType>(block.getType()).getCircularBuffer();
  int64_t bytes = type.getPageBytes(), pages = type.getPagesPerBlock();
  int64_t inBlock = ttl::pageSizeOf(binding.bufferOfBlock(block));
  int64_t inSlot = pageSizeOfSlot(slot, bytes);
  if (inBlock == bytes && inSlot == bytes)
    return {arithmetic.i32(pages * bytes), Value(), Value()};
  Value page = arithmetic.enterLoop(builder, loc, pages);
  page = arithmetic.toI32(builder, loc, page);
  Value blockOffset = arithmetic.mul(builder, loc, page, inBlock);
  return {arithmetic.i32(bytes), blockOffset, arithmetic.mul(builder, loc, page, inSlot)};
}

Value PipeTransfers::addressInBlock(OpBuilder &builder, Operation *op, Value block,
                                    const Piece &piece) {
  Location loc = op->getLoc();
  Value start = blockAddress(builder, loc, arithmetic, arguments, block);
  return piece.inBlock ? arithmetic.add(builder, loc, start, piece.inBlock) : start;
}

Value PipeTransfers::addressInSlot(OpBuilder &builder, Value slot, const Piece &piece) {
  Value start = slotAddress(builder, slot);
  return piece.inSlot ? arithmetic.add(builder, slot.getLoc(), start, piece.inSlot) : start;
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

void PipeTransfers::send(ttl::SendOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Piece piece = enterPieces(builder, loc, op.getSrc(), op.getDst());
  Value from = addressInBlock(builder, op, op.getSrc(), piece);
  Value slot = addressInSlot(builder, op.getDst(), piece);
  Value to = nocAddress(builder, loc, arithmetic, op.getX(), op.getY(), slot);
  ttkernel::createCall<ttkernel::NocAsyncWriteOp>(builder, loc, from, to, piece.bytes);
}

void PipeTransfers::multicast(ttl::SendMulticastOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Piece piece = enterPieces(builder, loc, op.getSrc(), op.getDst());
  Value from = addressInBlock(builder, op, op.getSrc(), piece);
  Value slot = addressInSlot(builder, op.getDst(), piece);
  Value to = nocMulticastAddress(builder, loc, arithmetic,
                                 {op.getX0(), op.getY0(), op.getX1(), op.getY1()}, slot);
  Value dests = arithmetic.toI32(builder, loc, op.getNumDests());
  if (op.getLoopback())
    ttkernel::createCall<ttkernel::NocAsyncWriteMulticastLoopbackSrcOp>(builder, loc, from, to,
                                                                        piece.bytes, dests);
  else
    ttkernel::createCall<ttkernel::NocAsyncWriteMulticastOp>(builder, loc, from, to, piece.bytes,
                                                             dests);
}

// Lowers a receive: a copy from a slot in this node's own L1 into the block.
void PipeTransfers::receive(ttl::ReceiveOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value x = ttkernel::createCall<ttkernel::MyLogicalXOp>(builder, loc, builder.getIndexType());
  Value y = ttkernel::createCall<ttkernel::MyLogicalYOp>(builder, loc, builder.getIndexType());
  Piece piece = enterPieces(builder, loc, op.getDst(), op.getSrc());
  Value slot = addressInSlot(builder, op.getSrc(), piece);
  Value from = nocAddress(builder, loc, arithmetic, x, y, slot);
  Value to = addressInBlock(builder, op, op.getDst(), piece);
  ttkernel::createCall<ttkernel::NocAsyncReadOp>(builder, loc, from, to, piece.bytes);
}

bool PipeTransfers::lower(Operation *op) {
  if (auto sendOp = dyn_cast<ttl::SendOp>(op))
    send(sendOp);
  else if (auto multicastOp = dyn_cast<ttl::SendMulticastOp>(op))
    multicast(multicastOp);
  else if (auto receiveOp = dyn_cast<ttl::ReceiveOp>(op))
    receive(receiveOp);
  else
    return isa<ttl::LandingSlotOp, ttl::BufferSlotOp>(op);
  return true;
}
