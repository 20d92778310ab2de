//===- FormCompute.cpp - ttl-form-compute -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: compute threads are written as expressions on blocks. An expression has the
// value that its blocks give it where it is written. The hardware computes tile by
// tile, from L1 through DST registers to L1.
//
// 1. Walk each compute thread in program order. An expression stays pending: nothing is
//    computed where it is written.
// 2. At each block_store fuse the pending expression into one ttl.compute. Stores that follow each
//    other and share ops become one ttl.compute with several outputs (SharedStores.cpp).
// 3. Before a block is released or overwritten, store every pending value that reads it
//    and is needed later. If the only use is a later store into a block that is
//    acquired already, do that store now. Otherwise compute the value into a
//    compiler-made Float32 buffer (reserve, compute, push, wait) and read it from
//    there. Do the same with operands that the hardware reads from L1, with values that
//    a loop uses and that are written before it, with costly values that several stores
//    use, and with reductions whose result is used in DST: only the packer writes the
//    zeros around a reduction's result. A product with a number may be packed in its place
//    (ReductionScale.h).
// 4. Expressions that scf.for, scf.while or scf.if return pass through a compiler-made
//    buffer. Those of loops follow the protocol of `accumulator` (ttl.create_cb).
// 5. The unpacker cannot read a block that the thread reserved and wrote. If a stored
//    block is read back, pack the value a second time into a compiler-made buffer of
//    the same format.
// 6. Pop each compiler-made block after its last use. Merge buffers of one type that
//    are never in use at the same time.
//
// Rejects: reading back a block that the thread reserved, if its contents come from
// another branch or iteration, or from accumulating stores; storing into a block that the
// thread waited for; expressions in the condition of a while loop; ttl.compute_region and
// ttl.block_compute, which ttl-canonicalize replaces by their bodies.
//===--------------------------------------------------------------------------===//

#include "passes/compute/Passes.h"

#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/CarriedValues.h"
#include "passes/common/Threads.h"
#include "passes/compute/ComputeFormer.h"
#include "passes/compute/ExpressionChecks.h"
#include "passes/compute/ReductionScale.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLFORMCOMPUTE
#include "passes/compute/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool accumulates(Operation *op) {
  auto fromL1 = dyn_cast<ttl::BlockFromL1OpInterface>(op);
  return fromL1 && fromL1.getNumReductions() > 0;
}

// Creates a scaling operand with this number in every element. In one of integers, every element is
// the float that has the integer's bits.
Value createScaling(ttl::ComputeThreadOp thread, Location loc, APFloat number, bool ofIntegers) {
  OpBuilder builder = OpBuilder::atBlockBegin(&thread.getBody().front());
  Value value =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(number.convertToFloat()));
  auto type = ofIntegers ? ttcore::DataType::Int32 : ttcore::DataType::Float32;
  return ttl::BlockFillOp::create(
      builder, loc, ttl::getBlockTensorType(thread.getContext(), {1, 1}, type), value);
}

// Gives every reduction a scaling operand. Those with the same number in all elements are created
// once, before everything else. Returns what it creates.
SmallVector<Value> addScalings(ttl::ComputeThreadOp thread) {
  SmallVector<Operation *> reductions;
  thread.walk([&](Operation *op) {
    if (isReduction(op))
      reductions.push_back(op);
  });
  SmallVector<Value> created;
  for (bool ofIntegers : {false, true}) {
    llvm::MapVector<uint64_t, Value> byNumber;
    for (Operation *op : reductions) {
      bool isInteger =
          ttl::getComputedType(op->getOperand(0).getType()) != ttcore::DataType::Float32;
      std::optional<APFloat> number;
      if (isInteger != ofIntegers || !(number = knownScaling(op, ofIntegers)))
        continue;
      Value &scaling = byNumber[number->bitcastToAPInt().getZExtValue()];
      if (!scaling)
        created.push_back(scaling = createScaling(thread, op->getLoc(), *number, ofIntegers));
      op->setOperands(1, op->getNumOperands() - 1, scaling);
    }
  }
  return created;
}

} // namespace

LogicalResult ComputeFormer::run() {
  if (failed(checkExpressions(thread)) || failed(checkStores()))
    return failure();
  turnSelectsToIfs(thread);
  shareReductions(thread);
  scalings = addScalings(thread);
  sinks = findSinks(thread);
  if (failed(formBlock(thread.getBody().front())))
    return failure();
  eraseExpressions(thread);
  if (failed(dropBlockTensors(thread)))
    return failure();
  buffers.popAfterLastUse();
  buffers.mergeBuffers();
  return success();
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
        reads.insert(operand); // a store into the block also changes its copy
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
                        !sinks.lookup(result) && !op->hasAttr(ttl::kKeepInDSTAttr) &&
                        !isForOneCompute(result);
  bool isRounded = roundsToFloat16(op) && !op->hasAttr(ttl::kKeepInDSTAttr);
  if (isWorthStoring || isRounded || llvm::is_contained(scalings, result) ||
      (isReduction(op) && needsZerosInDST(op))) {
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
  placeReadersOf(store.getDst(), store);
  if (waitsForNext(store)) {
    waiting.push_back(store);
    return success();
  }
  OpBuilder builder(store);
  if (isReadBack(store) && !store.getAccumulate())
    storeWithCopy(store, builder);
  else
    storeWithWaiting(store, builder);
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
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op)) {
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
// Checks
//===--------------------------------------------------------------------------===//

LogicalResult ComputeFormer::checkStores() {
  WalkResult result = thread.walk([&](ttl::BlockStoreOp store) -> WalkResult {
    if (!isReserved(acquireOf(store.getDst())))
      return store.emitError(
          "cannot store into a block that this thread waited for: a compute thread "
          "can only store into blocks that it reserved");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

// Refuses to read a reserved block where its contents are not known.
LogicalResult ComputeFormer::checkReads(Operation *op) {
  auto store = dyn_cast<ttl::BlockStoreOp>(op);
  OperandRange read = store ? op->getOperands().slice(1, 1) : op->getOperands();
  for (Value operand : read)
    if (isa<ttl::BlockType>(operand.getType()) && isReserved(acquireOf(operand)) &&
        !places.count(operand))
      return op->emitError("cannot read back a block that this thread reserved if its contents "
                           "come from another branch or iteration: keep the expression in a "
                           "variable");
  return success();
}

namespace {

struct FormCompute : ttjit::impl::TTLFormComputeBase<FormCompute> {
  void runOnOperation() override {
    unsigned computesBefore = count<ttl::ComputeOp>(), buffersBefore = count<ttl::CreateCBOp>();
    getOperation().walk([&](Operation *op) { numExpressions += ttl::isBlockExpression(op); });
    WalkResult result = getOperation().walk(
        [](ttl::ComputeThreadOp thread) -> WalkResult { return ComputeFormer(thread).run(); });
    if (result.wasInterrupted())
      return signalPassFailure();
    numComputes += count<ttl::ComputeOp>() - computesBefore;
    numBuffers += count<ttl::CreateCBOp>() - buffersBefore;
  }

  template <typename OpT> unsigned count() {
    unsigned number = 0;
    getOperation().walk([&](OpT) { ++number; });
    return number;
  }
};

} // namespace
