//===- FormCompute.cpp - ttl-form-compute ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: compute threads are written as expressions on blocks, whose values
// are those of the moment at which they are written; the hardware computes tile
// by tile, from L1 through DST registers to L1.
//
// 0. The bodies of ttl.compute_region and ttl.block_compute go to where these stand.
// 1. Walk each compute thread in program order. An expression stays pending:
//    nothing is computed where it is written.
// 2. At each block_store fuse the pending expression into one ttl.compute.
// 3. Before a block is released or overwritten, store every pending value that
//    reads it and is needed later. If all it is needed for is a later store into
//    a block that is there already, do that store now. Otherwise the value goes
//    into a compiler-made Float32 buffer (reserve, compute, push, wait) and from
//    there on stands in that block. So do operands of products, reductions, broadcasts
//    and transposes, which the hardware reads from L1, values used inside a loop but
//    written before it, costly ones that several stores need, and reductions that
//    more is computed of: the packer makes the zeros around their results.
// 4. Expressions carried by scf.for, scf.while or returned by scf.if live in a
//    compiler-made buffer too: the initial value is pushed before the loop; the
//    body waits for the old value, pushes the new one and pops the old one;
//    after the loop the thread waits for the last one.
// 5. A block that the thread reserved and wrote cannot be read by the unpacker. What
//    is stored into a block that is read back is packed a second time, into a
//    compiler-made buffer of the same format.
// 6. Pop each compiler-made block after its last use. Buffers of one shape whose
//    blocks are never held together are merged.
//
// Rejects: reading back a block that the thread reserved where what it holds comes
// from another branch or iteration, or from accumulating stores; storing into a
// block that it waited for; expressions made in the condition of a while loop.
//===--------------------------------------------------------------------------===//

#include "passes/compute/Passes.h"

#include "passes/common/CarriedValues.h"
#include "passes/compute/CompilerBuffers.h"
#include "passes/compute/BlockExpressions.h"
#include "passes/compute/ExpressionChecks.h"
#include "passes/common/RegionInliner.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLFORMCOMPUTE
#include "passes/compute/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isRelease(Operation *op) { return isa<ttl::CBPopOp, ttl::CBPushOp>(op); }

// The block whose contents `op` ends; null if it ends none.
Value clobberedBlock(Operation *op) {
  if (isRelease(op))
    return op->getOperand(0);
  if (auto store = dyn_cast<ttl::BlockStoreOp>(op))
    return store.getDst();
  return {};
}

bool accumulates(Operation *op) {
  auto fromL1 = dyn_cast<ttl::BlockFromL1OpInterface>(op);
  return fromL1 && fromL1.getNumReductions() > 0;
}

bool isReduction(Operation *op) {
  return isa<ttl::BlockReduceSumOp, ttl::BlockReduceMaxOp>(op);
}

// A reduction's result is one column, row or element: the device's packer writes
// zeros around it, math does not. So it is packed before anything else is computed
// of it in DST.
bool leavesZerosToPacker(Operation *op) {
  return isReduction(op) && llvm::any_of(op->getUses(), [](OpOperand &use) {
           return ttl::isBlockExpression(use.getOwner()) && !isReadFromL1(use);
         });
}

// Gives every reduction a scaling operand; the one it creates, or null.
Value addScalings(ttl::ComputeThreadOp thread) {
  SmallVector<Operation *> unscaled;
  thread.walk([&](Operation *op) {
    if (isReduction(op) && op->getNumOperands() == 1)
      unscaled.push_back(op);
  });
  if (unscaled.empty())
    return {};
  OpBuilder builder = OpBuilder::atBlockBegin(&thread.getBody().front());
  Location loc = unscaled.front()->getLoc();
  Value one = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1.0f));
  Value ones = ttl::BlockFillOp::create(
      builder, loc, ttl::getBlockTensorType(thread.getContext(), {1, 1}), one);
  for (Operation *op : unscaled)
    op->insertOperands(1, ones);
  return ones;
}

class ComputeFormer {
public:
  explicit ComputeFormer(ttl::ComputeThreadOp thread) : thread(thread), buffers(thread) {}

  LogicalResult run() {
    if (failed(checkExpressions(thread)))
      return failure();
    inlineComputeRegions(thread);
    if (failed(checkStores()))
      return failure();
    turnSelectsToIfs(thread);
    ones = addScalings(thread);
    sinks = findSinks(thread);
    if (failed(formBlock(thread.getBody().front())))
      return failure();
    eraseExpressions(thread);
    dropBlockTensors(thread);
    buffers.popAfterLastUse();
    buffers.mergeBuffers();
    return success();
  }

private:
  /// A carried value: operand `index` of the terminator goes into `buffer`.
  struct Carried {
    unsigned index;
    Value buffer;
  };

  LogicalResult checkStores();
  LogicalResult checkReads(Operation *op);
  LogicalResult formBlock(Block &block);
  LogicalResult formOp(Operation *op);
  LogicalResult formStore(ttl::BlockStoreOp store);
  void storeWithCopy(ttl::BlockStoreOp store, OpBuilder &builder);
  LogicalResult formRegions(Operation *op);
  LogicalResult formFor(scf::ForOp loop);
  LogicalResult formWhile(scf::WhileOp loop);
  LogicalResult formIf(scf::IfOp conditional);
  LogicalResult formExpression(Operation *op);

  void placeForRegions(Operation *op);
  void placeReadersOf(Value block, Operation *before);
  void place(Value value, OpBuilder &builder);
  bool storeEarly(Value value, Operation *before);
  bool isStored(Value value) {
    return value.hasOneUse() && storedEarly.contains(&*value.use_begin());
  }
  bool storeEarly(ttl::BlockStoreOp store, Operation *before);
  void storeInto(Value buffer, Value value, OpBuilder &builder);
  bool neededAfter(Value value, Operation *op);
  void setPlace(Value value, Value block);
  void waitAfter(Operation *op, Value result, Value buffer);
  void waitAtStart(Block &block, Value argument, Value buffer);
  LogicalResult carryThroughWhile(scf::WhileOp loop, unsigned index);

  ttl::ComputeThreadOp thread;
  CompilerBuffers buffers;
  Places places;
  /// Values given a place in the region being formed: forgotten at its end.
  SmallVector<Value> *placedHere = nullptr;
  /// Pending values that read a block, directly or through others.
  DenseMap<Value, SmallVector<Value>> readers;
  DenseMap<Value, SmallVector<Value>> blocksRead;
  /// Ops that must be computed to have a pending value.
  DenseMap<Value, unsigned> cost;
  DenseMap<Value, Operation *> sinks;
  /// What the terminator of a region stores.
  DenseMap<Operation *, SmallVector<Carried>> carriedBy;
  /// Uses of values that were stored before their turn came.
  DenseSet<OpOperand *> storedEarly;
  /// The scaling of reductions that have none of their own; stands in L1 all the time.
  Value ones;
};

// True if something in the store's IR block reads the stored block after it.
bool isReadBack(ttl::BlockStoreOp store) {
  return llvm::any_of(store.getDst().getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    auto other = dyn_cast<ttl::BlockStoreOp>(user);
    if (other ? &use != &other.getSrcMutable() : !ttl::isBlockExpression(user))
      return false;
    Operation *ancestor = store->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && store->isBeforeInBlock(ancestor);
  });
}

//===--------------------------------------------------------------------------===//
// Placing pending values
//===--------------------------------------------------------------------------===//

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
  Value buffer = buffers.create(value, "tmp", /*blocks=*/1);
  storeInto(buffer, value, builder);
  setPlace(value, buffers.wait(builder, value.getLoc(), buffer));
}

// Values of regions that were left, and values placed before the region of `op`
// was entered, are not its concern.
bool ComputeFormer::neededAfter(Value value, Operation *op) {
  Block *block = op->getBlock();
  if (value.getParentBlock() != block)
    return false;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !block->findAncestorOpInBlock(*user)->isBeforeInBlock(op);
  });
}

// The destination must be there and nobody may look at it in between.
bool ComputeFormer::storeEarly(ttl::BlockStoreOp store, Operation *before) {
  Block *block = before->getBlock();
  if (store->getBlock() != block)
    return false;
  auto isThere = [&](Value value) {
    Operation *definition = value ? value.getDefiningOp() : nullptr;
    return !definition || definition->getBlock() != block ||
           definition->isBeforeInBlock(before);
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
    // A carried value, whose buffer has room for the old and the new one.
    const Carried *carried = llvm::find_if(carriedBy[user], [&](const Carried &c) {
      return c.index == use.getOperandNumber();
    });
    if (carried == carriedBy[user].end() || user->getBlock() != before->getBlock())
      return false;
    OpBuilder builder(before);
    storeInto(carried->buffer, value, builder);
  }
  storedEarly.insert(&use);
  return true;
}

void ComputeFormer::placeReadersOf(Value block, Operation *before) {
  auto it = readers.find(block);
  if (it == readers.end())
    return;
  OpBuilder builder(before);
  for (Value value : SmallVector<Value>(it->second))
    if (!placeOf(value, places) && before != sinks.lookup(value) &&
        neededAfter(value, before) && !isStored(value) && !storeEarly(value, before))
      place(value, builder);
  readers.erase(block);
}

// Before an op with regions: whatever it releases or overwrites inside, and
// whatever a loop would compute again and again.
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
    // Another iteration may have stored something else.
    if (loop)
      places.erase(block);
  }
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

LogicalResult ComputeFormer::formExpression(Operation *op) {
  if (failed(checkReads(op)))
    return failure();
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isReadFromL1(operand))
      place(operand.get(), builder);
  Value result = op->getResult(0);
  SetVector<Value> reads;
  unsigned work = accumulates(op) ? 16 : 1;
  for (Value operand : op->getOperands()) {
    bool isNumber = !isa<ttl::BlockType, RankedTensorType>(operand.getType());
    if (Value block = isNumber ? Value() : placeOf(operand, places)) {
      reads.insert(block);
      if (isa<ttl::BlockType>(operand.getType()))
        reads.insert(operand); // overwriting it replaces the copy, too
    } else {
      reads.insert_range(blocksRead[operand]);
      work = std::min(work + cost.lookup(operand), 1u << 20);
    }
  }
  cost[result] = work;
  blocksRead[result] = reads.takeVector();
  for (Value block : blocksRead[result])
    readers[block].push_back(result);
  constexpr unsigned kWorthStoring = 8;
  bool isWorthStoring = work >= kWorthStoring && result.hasNUsesOrMore(2) &&
                        !sinks.lookup(result) && !op->hasAttr(kKeepInDSTAttrName);
  if (isWorthStoring || result == ones || leavesZerosToPacker(op)) {
    builder.setInsertionPointAfter(op);
    place(result, builder);
  }
  return success();
}

LogicalResult ComputeFormer::formStore(ttl::BlockStoreOp store) {
  if (storedEarly.erase(&store.getSrcMutable())) {
    store.erase();
    return success();
  }
  if (failed(checkReads(store)))
    return failure();
  Value block = store.getDst();
  placeReadersOf(block, store);
  OpBuilder builder(store);
  if (isReadBack(store) && !store.getAccumulate()) {
    storeWithCopy(store, builder);
  } else {
    createCompute(builder, store.getLoc(), store.getSrc(), block, store.getAccumulate(), places);
    places.erase(block);
  }
  store.erase();
  return success();
}

void ComputeFormer::storeWithCopy(ttl::BlockStoreOp store, OpBuilder &builder) {
  Location loc = store.getLoc();
  Value buffer = buffers.createCopyOf(store.getDst());
  Value copy = ttl::CBReserveOp::create(builder, loc, buffer);
  createCompute(builder, loc, store.getSrc(), {store.getDst(), copy}, {}, places);
  ttl::CBPushOp::create(builder, loc, copy);
  setPlace(store.getDst(), buffers.wait(builder, loc, buffer));
}

LogicalResult ComputeFormer::formOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder builder(op);
    for (auto [index, buffer] : carriedBy.lookup(op))
      if (!storedEarly.contains(&op->getOpOperand(index)))
        storeInto(buffer, op->getOperand(index), builder);
    return success();
  }
  if (ttl::isBlockExpression(op))
    return formExpression(op);
  if (auto store = dyn_cast<ttl::BlockStoreOp>(op))
    return formStore(store);
  if (isRelease(op)) {
    placeReadersOf(op->getOperand(0), op);
    return success();
  }
  if (op->getNumRegions() == 0)
    return success();
  placeForRegions(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return formFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return formWhile(loop);
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return formIf(conditional);
  return formRegions(op);
}

LogicalResult ComputeFormer::formBlock(Block &block) {
  SmallVector<Value> placed;
  SmallVector<Value> *outer = std::exchange(placedHere, &placed);
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(formOp(&op)))
      return failure();
  for (Value value : placed)
    places.erase(value);
  placedHere = outer;
  return success();
}

LogicalResult ComputeFormer::formRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(formBlock(block)))
        return failure();
  return success();
}

//===--------------------------------------------------------------------------===//
// Carried values
//===--------------------------------------------------------------------------===//

void ComputeFormer::waitAfter(Operation *op, Value result, Value buffer) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  setPlace(result, buffers.wait(builder, result.getLoc(), buffer));
}

void ComputeFormer::waitAtStart(Block &block, Value argument, Value buffer) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  setPlace(argument, buffers.wait(builder, argument.getLoc(), buffer));
}

LogicalResult ComputeFormer::formFor(scf::ForOp loop) {
  OpBuilder before(loop);
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Carried> &carried = carriedBy[yield];
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value init = loop.getInitArgs()[i];
    if (!ttl::isBlockTensor(argument.getType()))
      continue;
    if (yield->getOperand(i) == argument) {
      place(init, before);
      setPlace(argument, placeOf(init, places));
      setPlace(loop.getResult(i), placeOf(init, places));
      continue;
    }
    Value buffer = buffers.create(argument, "acc", /*blocks=*/2);
    storeInto(buffer, init, before);
    waitAtStart(*loop.getBody(), argument, buffer);
    carried.push_back({static_cast<unsigned>(i), buffer});
  }
  if (failed(formBlock(*loop.getBody())))
    return failure();
  for (auto [index, buffer] : carriedBy.lookup(yield))
    waitAfter(loop, loop.getResult(index), buffer);
  return success();
}

LogicalResult ComputeFormer::formIf(scf::IfOp conditional) {
  SmallVector<Carried> carried;
  for (auto [i, result] : llvm::enumerate(conditional.getResults()))
    if (ttl::isBlockTensor(result.getType()))
      carried.push_back({static_cast<unsigned>(i), buffers.create(result, "tmp", /*blocks=*/1)});
  if (!carried.empty()) {
    carriedBy[conditional.thenYield()] = carried;
    carriedBy[conditional.elseYield()] = carried;
  }
  if (failed(formRegions(conditional)))
    return failure();
  for (auto [index, buffer] : carried)
    waitAfter(conditional, conditional.getResult(index), buffer);
  return success();
}

// Carries argument `index` of the condition's region: the condition hands it to
// the body and, in the end, to the results.
LogicalResult ComputeFormer::carryThroughWhile(scf::WhileOp loop, unsigned index) {
  OpBuilder before(loop);
  BlockArgument argument = loop.getBeforeArguments()[index];
  SmallVector<unsigned> handedOn;
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs()))
    if (value == argument)
      handedOn.push_back(i);
  if (llvm::any_of(argument.getUsers(),
                   [&](Operation *user) { return user != loop.getConditionOp(); }))
    return loop.emitError("the condition of a while loop computes on blocks: compute the value in "
                          "the loop's body");
  Value next = loop.getYieldOp().getOperand(index);
  Value buffer;
  Value init = loop.getInits()[index];
  if (llvm::none_of(handedOn, [&](unsigned i) { return loop.getAfterArguments()[i] == next; })) {
    if (handedOn.empty())
      return success();
    buffer = buffers.create(argument, "acc", /*blocks=*/2);
    storeInto(buffer, init, before);
    carriedBy[loop.getYieldOp()].push_back({index, buffer});
    waitAtStart(*loop.getAfterBody(), loop.getAfterArguments()[handedOn[0]], buffer);
    waitAfter(loop, loop.getResult(handedOn[0]), buffer);
  } else {
    place(init, before);
    setPlace(loop.getAfterArguments()[handedOn[0]], placeOf(init, places));
    setPlace(loop.getResult(handedOn[0]), placeOf(init, places));
  }
  for (unsigned i : ArrayRef(handedOn).drop_front()) {
    setPlace(loop.getAfterArguments()[i],
             placeOf(loop.getAfterArguments()[handedOn[0]], places));
    setPlace(loop.getResult(i), placeOf(loop.getResult(handedOn[0]), places));
  }
  return success();
}

LogicalResult ComputeFormer::formWhile(scf::WhileOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
    if (ttl::isBlockTensor(argument.getType()) && failed(carryThroughWhile(loop, i)))
      return failure();
  // A value from before the loop was placed there.
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs())) {
    if (!ttl::isBlockTensor(value.getType()) || placeOf(loop.getResult(i), places))
      continue;
    if (loop->isAncestor(value.getParentRegion()->getParentOp()))
      return emitError(value.getLoc(), "the condition of a while loop computes on blocks: compute "
                                       "the value in the loop's body");
    OpBuilder before(loop);
    place(value, before);
    setPlace(loop.getAfterArguments()[i], placeOf(value, places));
    setPlace(loop.getResult(i), placeOf(value, places));
  }
  return formRegions(loop);
}

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

LogicalResult ComputeFormer::checkStores() {
  WalkResult result = thread.walk([&](ttl::BlockStoreOp store) -> WalkResult {
    if (isa<ttl::CBWaitOp>(acquireOf(store.getDst())))
      return store.emitError("stores into a block that this thread waited for: a compute thread "
                             "packs into blocks that it reserved");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// What a reserved block holds must be known where it is read.
LogicalResult ComputeFormer::checkReads(Operation *op) {
  auto store = dyn_cast<ttl::BlockStoreOp>(op);
  OperandRange read = store ? op->getOperands().slice(1, 1) : op->getOperands();
  for (Value operand : read)
    if (isa<ttl::BlockType>(operand.getType()) && isa<ttl::CBReserveOp>(acquireOf(operand)) &&
        !places.count(operand))
      return op->emitError("reads back a block that this thread reserved, where what it holds "
                           "comes from another branch or iteration: keep the expression in a "
                           "variable");
  return success();
}

struct FormCompute : ttjit::impl::TTLFormComputeBase<FormCompute> {
  void runOnOperation() override {
    unsigned computesBefore = count<ttl::ComputeOp>(), buffersBefore = count<ttl::CreateCBOp>();
    getOperation().walk([&](Operation *op) { numExpressions += ttl::isBlockExpression(op); });
    WalkResult result = getOperation().walk([](ttl::ComputeThreadOp thread) -> WalkResult {
      return ComputeFormer(thread).run();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    numComputes += count<ttl::ComputeOp>() - computesBefore;
    numBuffers += count<ttl::CreateCBOp>() - buffersBefore;
  }

  template <typename OpT>
  unsigned count() {
    unsigned number = 0;
    getOperation().walk([&](OpT) { ++number; });
    return number;
  }
};

} // namespace
