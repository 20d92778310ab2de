//===- PipeTransfers.cpp - lowers sends and receives to NoC calls -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/PipeTransfers.h"

#include "passes/ttkernel/BlockAddress.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Addresses
//===--------------------------------------------------------------------------===//

Value ttjit::translatedX(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value column) {
  return ttkernel::ConvertLogicalXOp::create(builder, loc, builder.getI32Type(),
                                             arithmetic.toI32(builder, loc, column));
}
Value ttjit::translatedY(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value row) {
  return ttkernel::ConvertLogicalYOp::create(builder, loc, builder.getI32Type(),
                                             arithmetic.toI32(builder, loc, row));
}

Value ttjit::nocAddress(OpBuilder &builder, Location loc, Arithmetic &arithmetic, Value column,
                        Value row, Value address) {
  Value x = translatedX(builder, loc, arithmetic, column);
  Value y = translatedY(builder, loc, arithmetic, row);
  return ttkernel::GetNocAddrOp::create(
      builder, loc, ttkernel::NocAddrType::get(builder.getContext()), x, y, address);
}

Value ttjit::nocMulticastAddress(OpBuilder &builder, Location loc, Arithmetic &arithmetic,
                                 ValueRange corners, Value address) {
  Value x0 = translatedX(builder, loc, arithmetic, corners[0]);
  Value y0 = translatedY(builder, loc, arithmetic, corners[1]);
  Value x1 = translatedX(builder, loc, arithmetic, corners[2]);
  Value y1 = translatedY(builder, loc, arithmetic, corners[3]);
  return ttkernel::GetNocMulticastAddrOp::create(
      builder, loc, ttkernel::NocAddrType::get(builder.getContext()), x0, y0, x1, y1, address);
}

Value PipeTransfers::addressOf(OpBuilder &builder, Operation *op, Value block) {
  return blockAddress(builder, op->getLoc(), arithmetic, arguments, block);
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
    bytes = create.getType().getPagesPerBlock() * create.getType().getPageBytes();
    index = builder.createOrFold<arith::RemSIOp>(
        loc, direct.getIndex(), arithmetic.index(create.getType().getBufferFactor()));
  }
  Value offset = arithmetic.mul(builder, loc, arithmetic.toI32(builder, loc, index), bytes);
  return arithmetic.add(builder, loc, arithmetic.i32(base), offset);
}

static Value bytesOf(Arithmetic &arithmetic, Value block) {
  auto type = cast<ttl::BlockType>(block.getType()).getCircularBuffer();
  return arithmetic.i32(type.getPagesPerBlock() * type.getPageBytes());
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

void PipeTransfers::send(ttl::SendOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value from = addressOf(builder, op, op.getSrc());
  Value to =
      nocAddress(builder, loc, arithmetic, op.getX(), op.getY(), slotAddress(builder, op.getDst()));
  ttkernel::NocAsyncWriteOp::create(builder, loc, from, to, bytesOf(arithmetic, op.getSrc()));
}

void PipeTransfers::multicast(ttl::SendMulticastOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value from = addressOf(builder, op, op.getSrc());
  Value to = nocMulticastAddress(builder, loc, arithmetic,
                                 {op.getX0(), op.getY0(), op.getX1(), op.getY1()},
                                 slotAddress(builder, op.getDst()));
  Value bytes = bytesOf(arithmetic, op.getSrc());
  Value dests = arithmetic.toI32(builder, loc, op.getNumDests());
  if (op.getLoopback())
    ttkernel::NocAsyncWriteMulticastLoopbackSrcOp::create(builder, loc, from, to, bytes, dests);
  else
    ttkernel::NocAsyncWriteMulticastOp::create(builder, loc, from, to, bytes, dests);
}

// The data is in a slot in this node's own L1.
void PipeTransfers::receive(ttl::ReceiveOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value x = ttkernel::MyLogicalXOp::create(builder, loc, builder.getIndexType());
  Value y = ttkernel::MyLogicalYOp::create(builder, loc, builder.getIndexType());
  Value from = nocAddress(builder, loc, arithmetic, x, y, slotAddress(builder, op.getSrc()));
  Value to = addressOf(builder, op, op.getDst());
  ttkernel::NocAsyncReadOp::create(builder, loc, from, to, bytesOf(arithmetic, op.getDst()));
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
