//===- PendingValues.cpp - stores pending expressions in blocks ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An expression is pending until it is stored. It is computed into a block of its own
// only if blocks that it reads are released or overwritten before that, or if a loop
// would compute it again in each iteration.
//===--------------------------------------------------------------------------===//

#include "passes/common/Threads.h"
#include "passes/compute/BlockExpressions.h"
#include "passes/compute/ComputeFormer.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

Value ttjit::clobberedBlock(Operation *op) {
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
    return op->getOperand(0);
  if (auto store = dyn_cast<ttl::BlockStoreOp>(op))
    return store.getDst();
  return {};
}

bool ttjit::isReadBack(ttl::BlockStoreOp store) {
  return llvm::any_of(store.getDst().getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    auto other = dyn_cast<ttl::BlockStoreOp>(user);
    if (other ? &use != &other.getSrcMutable() : !ttl::isBlockExpression(user))
      return false;
    Operation *ancestor = store->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && store->isBeforeInBlock(ancestor);
  });
}

void ComputeFormer::storeInto(Value buffer, Value value, OpBuilder &builder) {
  Location loc = value.getLoc();
  Value block = ttl::CBReserveOp::create(builder, loc, buffer);
  createCompute(builder, loc, value, block, {}, places);
  ttl::CBPushOp::create(builder, loc, block);
}

void ComputeFormer::setPlace(Value value, Value block) {
  places[value] = block;
  placedHere->push_back(value);
}

void ComputeFormer::place(Value value, OpBuilder &builder) {
  if (placeOf(value, places))
    return;
  Value buffer = roundsToFloat16(value.getDefiningOp())
                     ? buffers.create(value, ttcore::DataType::Float16)
                     : buffers.create(value);
  storeInto(buffer, value, builder);
  setPlace(value, buffers.wait(builder, value.getLoc(), buffer));
}

// Returns whether `op` or a later op uses the value. Looks only at the IR block of `op`: values of
// outer regions got places before the region was entered.
bool ComputeFormer::neededAfter(Value value, Operation *op) {
  Block *block = op->getBlock();
  if (value.getParentBlock() != block)
    return false;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !block->findAncestorOpInBlock(*user)->isBeforeInBlock(op);
  });
}

// Does the store before op `before` if the destination is acquired there and no op
// between `before` and the store uses it.
bool ComputeFormer::storeEarly(ttl::BlockStoreOp store, Operation *before) {
  Block *block = before->getBlock();
  if (store->getBlock() != block)
    return false;
  auto isThere = [&](Value value) {
    Operation *definition = value ? value.getDefiningOp() : nullptr;
    return !definition || definition->getBlock() != block || definition->isBeforeInBlock(before);
  };
  if (!isThere(store.getDst()) || !isThere(store.getAccumulate()) || isReadBack(store))
    return false;
  for (Operation *user : store.getDst().getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (ancestor && ancestor != store && !ancestor->isBeforeInBlock(before) &&
        ancestor->isBeforeInBlock(store))
      return false;
  }
  OpBuilder builder(before);
  createCompute(builder, store.getLoc(), store.getSrc(), store.getDst(), store.getAccumulate(),
                places);
  return true;
}

bool ComputeFormer::storeEarly(Value value, Operation *before) {
  if (!value.hasOneUse())
    return false;
  OpOperand &use = *value.use_begin();
  Operation *user = use.getOwner();
  if (auto store = dyn_cast<ttl::BlockStoreOp>(user)) {
    if (!storeEarly(store, before))
      return false;
  } else {
    // The user is a terminator, which carries the value to the next iteration or out of the
    // region. The value may be stored now, because the buffer of carried values has room for the
    // old and the new block.
    const Carried *carried = llvm::find_if(
        carriedBy[user], [&](const Carried &c) { return c.index == use.getOperandNumber(); });
    if (carried == carriedBy[user].end() || user->getBlock() != before->getBlock())
      return false;
    OpBuilder builder(before);
    storeInto(carried->buffer, value, builder);
  }
  storedEarly.insert(&use);
  return true;
}

// Gives places to values that read the block. If the thread counts its blocks, a release may free
// any of them and moves the front, so the readers of all of them get places.
void ComputeFormer::placeReadersOf(Value block, Operation *before) {
  if (!isCountedBlock(block) || isa<ttl::BlockStoreOp>(before))
    return placeReadersOfOne(block, before);
  BlockQueue queue = queueOf(acquireOf(block));
  SmallVector<Value> others;
  for (auto &[other, values] : readers)
    if (isCountedBlock(other) && queueOf(acquireOf(other)) == queue)
      others.push_back(other);
  for (Value other : others)
    placeReadersOfOne(other, before);
}

void ComputeFormer::placeReadersOfOne(Value block, Operation *before) {
  auto it = readers.find(block);
  if (it == readers.end())
    return;
  OpBuilder builder(before);
  for (Value value : SmallVector<Value>(it->second))
    if (!placeOf(value, places) && before != sinks.lookup(value) && neededAfter(value, before) &&
        !isStored(value) && !storeEarly(value, before))
      place(value, builder);
  readers.erase(block);
}

// Before an op with regions: gives places to values that read a block which the regions
// release or overwrite, and to values that a loop would compute in each iteration.
void ComputeFormer::placeForRegions(Operation *op) {
  SmallVector<Value> clobbered;
  bool loop = !isa<scf::IfOp>(op);
  OpBuilder builder(op);
  op->walk([&](Operation *inner) {
    if (Value block = clobberedBlock(inner))
      clobbered.push_back(block);
    for (Value operand : inner->getOperands())
      if (loop && inner != op && ttl::isBlockTensor(operand.getType()) &&
          !op->isAncestor(operand.getParentRegion()->getParentOp()) &&
          !operand.getDefiningOp<ttl::BlockFillOp>())
        place(operand, builder);
  });
  for (Value block : clobbered) {
    placeReadersOf(block, op);
    // A previous iteration may have stored something else into the block.
    if (loop)
      places.erase(block);
  }
}
