//===- BodyQueues.cpp - queues and transfers of split regions -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A queue is a circular buffer. A value that is computed for a reserved slot is stored when the
// slot is pushed: at d2m.push or, in older modules, at the end of the IR block. Blocks are popped
// in the same way. A transfer is complete here as soon as it was started, so a wait for it does
// nothing.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Slots and blocks
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lower(d2m::GetCBOp op) {
  FailureOr<Value> buffer = queueFor(op);
  if (failed(buffer))
    return failure();
  queues[op.getResult()] = *buffer;
  return success();
}

LogicalResult BodyLowering::lower(d2m::WaitOp op) {
  Value block = ttl::CBWaitOp::create(builder, op.getLoc(), queues.lookup(op.getCb()));
  waited[op.getResult()] = block;
  setBlock(op.getResult(), block);
  return success();
}

LogicalResult BodyLowering::lower(d2m::ReserveOp op) {
  Value buffer = queues.lookup(op.getCb());
  forget(op.getResult());
  slots[op.getResult()] = ttl::CBReserveOp::create(builder, op.getLoc(), buffer);
  lastReserved[buffer] = op.getResult();
  return success();
}

void BodyLowering::pushSlot(Location loc, Value reserved) {
  Value slot = slots.lookup(reserved);
  if (Value value = blockOf(reserved))
    ttl::BlockStoreOp::create(builder, loc, slot, value, Value());
  ttl::CBPushOp::create(builder, loc, slot);
  slots.erase(reserved);
}

void BodyLowering::releaseBlocks(Block *block) {
  auto leftIn = [&](const llvm::MapVector<Value, Value> &acquired) {
    SmallVector<Value> left;
    for (const auto &entry : acquired)
      if (Value value = entry.first; value.getParentBlock() == block)
        left.push_back(value);
    return left;
  };
  for (Value reserved : leftIn(slots))
    pushSlot(reserved.getLoc(), reserved);
  for (Value value : leftIn(waited)) {
    settleReadersOf(waited.lookup(value));
    ttl::CBPopOp::create(builder, value.getLoc(), waited.lookup(value));
    waited.erase(value);
  }
}

LogicalResult BodyLowering::lower(d2m::PushOp op) {
  Value reserved = lastReserved.lookup(queues.lookup(op.getCb()));
  if (!reserved || !slots.contains(reserved))
    return op.emitOpError("pushes a slot that was not reserved before");
  pushSlot(op.getLoc(), reserved);
  return success();
}

LogicalResult BodyLowering::lower(d2m::PopOp op) {
  Value queue = queues.lookup(op.getCb());
  auto *oldest = llvm::find_if(waited, [&](const auto &entry) {
    Value block = entry.second;
    return block.getDefiningOp<ttl::CBWaitOp>().getCb() == queue;
  });
  if (oldest == waited.end())
    return op.emitOpError("frees a block that was not waited for before");
  settleReadersOf(oldest->second);
  ttl::CBPopOp::create(builder, op.getLoc(), oldest->second);
  waited.erase(oldest);
  return success();
}

LogicalResult BodyLowering::lower(d2m::StoreOp op) {
  FailureOr<Value> value = read(op.getSrc(), op);
  if (failed(value))
    return failure();
  setBlock(op.getDst(), *value);
  return success();
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::loadIntoQueue(d2m::RemoteLoadOp op, const KernelOperand &operand) {
  Value slot = ttl::CBReserveOp::create(builder, op.getLoc(), queues.lookup(op.getCb()));
  if (failed(loadShard(op, operand, slot)))
    return failure();
  ttl::CBPushOp::create(builder, op.getLoc(), slot);
  return success();
}

LogicalResult BodyLowering::storeFromQueue(d2m::RemoteStoreOp op, const KernelOperand &operand) {
  Value block = ttl::CBWaitOp::create(builder, op.getLoc(), queues.lookup(op.getCb()));
  if (failed(copyShard(op, operand, op.getIndices(), block, /*isLoad=*/false)))
    return failure();
  ttl::CBPopOp::create(builder, op.getLoc(), block);
  return success();
}

LogicalResult BodyLowering::moveOwnShard(const KernelOperand &operand, Value queue, bool isLoad) {
  Location loc = generic.getLoc();
  Value block = isLoad ? ttl::CBReserveOp::create(builder, loc, queue).getResult()
                       : ttl::CBWaitOp::create(builder, loc, queue).getResult();
  if (failed(copyShardAt(generic, operand, coordinates, block, isLoad)))
    return failure();
  if (isLoad)
    ttl::CBPushOp::create(builder, loc, block);
  else
    ttl::CBPopOp::create(builder, loc, block);
  return success();
}

LogicalResult BodyLowering::lowerDMA(Operation *op, Value remote, ValueRange indices, Value local,
                                     int64_t elements, bool isLoad) {
  if (elements > 0)
    return op->emitOpError("copies a number of elements from an address, which is not supported: a "
                           "copy of a shard has <0> elements");
  FailureOr<KernelOperand> operand = operandFor(remote, op);
  if (failed(operand))
    return failure();
  Value block = isLoad ? slots.lookup(ownerOf(local)) : blockOf(local);
  if (!block || !isa<ttl::BlockType>(block.getType()))
    return op->emitOpError("copies to or from memory that is no block of a queue, which is not "
                           "supported: d2m.reserve and d2m.wait return blocks");
  if (indices.size() != d2m::getGrid(operand->type).size())
    return op->emitOpError("must have one index for each of the ")
           << d2m::getGrid(operand->type).size() << " dimensions of the grid, found "
           << indices.size();
  return copyShard(op, *operand, indices, block, isLoad);
}

LogicalResult BodyLowering::lower(d2m::DMAReadOp op) {
  return lowerDMA(op, op.getSrc(), op.getSrcIndices(), op.getDst(), op.getNumElems(), true);
}

LogicalResult BodyLowering::lower(d2m::DMAWriteOp op) {
  if (!op.getMcastStartIndex().empty() || !op.getStartDevice().empty())
    return op.emitOpError(
        "writes to several cores or chips, which is not supported: load the block on "
        "each core");
  return lowerDMA(op, op.getDst(), op.getDstIndices(), op.getSrc(), op.getNumElems(), false);
}
