//===- BodyLoops.cpp - loops and branches of d2m.generic ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop of the region becomes a loop of the kernel. It carries the blocks of its own arguments,
// and blocks from outside to whose partial results it adds or that are used after it. If nothing
// was written into such a block before, it starts with the identity of the operation that adds to
// it.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"
#include "passes/d2m/TileBodies.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

// Returns whether the op makes a view of a block.
static bool isPart(Operation *op) {
  return isa_and_nonnull<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
                         memref::CastOp>(op);
}

// Returns the block of which the value is a subview, or another view. It is the value itself if
// that is no view.
static Value wholeOf(Value value) {
  while (isPart(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

// Returns what the op writes, if that is a block.
static Value writtenBy(Operation *op) {
  if (auto load = dyn_cast<d2m::RemoteLoadOp>(op))
    return load.getLocalBuffer();
  if (auto product = dyn_cast<d2m::TileMatmulBlockOp>(op))
    return wholeOf(product.getOutput());
  if (auto copy = dyn_cast<d2m::LocalCopyOp>(op))
    return wholeOf(copy.getDst());
  if (isa<memref::StoreOp, affine::AffineStoreOp>(op))
    return wholeOf(op->getOperand(1));
  if (auto linalg = dyn_cast<linalg::GenericOp>(op); linalg && !op->getNumResults())
    return linalg.getOutputs().empty() ? Value() : wholeOf(linalg.getOutputs().front());
  return {};
}

// Returns whether an operation on single tiles continues a partial result.
static bool accumulatesTiles(Operation *loop) {
  return loop
      ->walk([](d2m::TileOp tile) {
        d2m::TileForm form = tile.getRow().form;
        bool accumulates = form == d2m::TileForm::Matmul || form == d2m::TileForm::ReduceSum ||
                           form == d2m::TileForm::ReduceMax;
        return accumulates ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool continues(Operation *op) {
  auto linalg = dyn_cast<linalg::GenericOp>(op);
  return isa<d2m::TileMatmulBlockOp>(op) || (linalg && readsOutput(linalg));
}

static bool isUsedAfter(Value value, Operation *loop) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (loop->isAncestor(user) || isa<memref::DeallocOp>(user))
      return false;
    if (isPart(user) && isUsedAfter(user->getResult(0), loop))
      return true;
    Operation *around = loop;
    while (around) {
      if (Operation *other = around->getBlock()->findAncestorOpInBlock(*user))
        return around->isBeforeInBlock(other);
      around = around->getParentOp();
    }
    return false;
  });
}

namespace {
// A block from outside that a loop changes.
struct Carried {
  Value block;
  Operation *first; // the first op that uses it in the loop
};
} // namespace

// Returns the blocks from outside of the loop that must be carried from one iteration to the next
// or out of it. All other blocks that it writes have a new value in each iteration.
static SmallVector<Carried> carriedBlocks(Operation *loop, llvm::SetVector<Value> &written) {
  loop->walk([&](Operation *op) {
    Value block = writtenBy(op);
    if (block && !loop->isAncestor(block.getParentBlock()->getParentOp()))
      written.insert(block);
  });
  SmallVector<Carried> result;
  for (Value block : written) {
    Operation *first = nullptr;
    loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!first && llvm::any_of(op->getOperands(), [&](Value operand) {
            return isa<ShapedType>(operand.getType()) && wholeOf(operand) == block;
          }))
        first = op;
    });
    bool startsNew = first && writtenBy(first) == block && !continues(first);
    if (!startsNew || isUsedAfter(block, loop))
      result.push_back({block, first});
  }
  return result;
}

LogicalResult BodyLowering::addStart(LoopPlan &plan, Value block, Value target, Operation *first) {
  Value known = blockOf(block);
  if (!known && first && continues(first))
    known = identityFor(first, target);
  else if (!known && accumulatesTiles(plan.loop))
    known = identityFor(plan.loop, target);
  if (!known)
    return plan.loop->emitOpError("carries a block into which nothing was written before the loop");
  plan.inits.push_back(asExpression(plan.loop->getLoc(), known));
  return success();
}

LogicalResult BodyLowering::planLoop(LoopPlan &plan, ValueRange starts) {
  for (auto [start, argument] : llvm::zip(starts, plan.arguments)) {
    if (isNumber(start.getType())) {
      FailureOr<Value> number = numberFor(start, plan.loop);
      if (failed(number))
        return failure();
      plan.inits.push_back(*number);
      continue;
    }
    auto user = llvm::find_if(argument.getUsers(), continues);
    if (failed(addStart(plan, start, argument, user == argument.user_end() ? nullptr : *user)))
      return failure();
  }
  for (auto [block, first] : carriedBlocks(plan.loop, plan.written)) {
    plan.carried.push_back(block);
    if (failed(addStart(plan, block, block, first)))
      return failure();
  }
  return success();
}

// Lowers the body and yields the values of the next iteration.
LogicalResult BodyLowering::lowerLoopBody(LoopPlan &plan) {
  Location loc = plan.loop->getLoc();
  Block &body = plan.loop->getRegion(0).front();
  for (Operation &op : body.without_terminator())
    if (failed(lower(op)))
      return failure();
  releaseBlocks(&body);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands()) {
    FailureOr<Value> next =
        isNumber(value.getType()) ? numberFor(value, body.getTerminator()) : read(value, plan.loop);
    if (failed(next))
      return failure();
    yielded.push_back(asExpression(loc, *next));
  }
  for (Value block : plan.carried)
    yielded.push_back(asExpression(loc, blockOf(block)));
  for (auto [value, init] : llvm::zip(yielded, plan.inits))
    if (value.getType() != init.getType())
      return plan.loop->emitOpError("carries a block whose tiles change their type");
  if (!yielded.empty())
    scf::YieldOp::create(builder, loc, yielded);
  return success();
}

LogicalResult BodyLowering::lowerLoop(Operation *loop, Bounds bounds, Value variable,
                                      ValueRange starts, Block::BlockArgListType arguments) {
  LoopPlan plan{loop, arguments, {}, {}, {}};
  if (failed(planLoop(plan, starts)))
    return failure();
  auto made =
      scf::ForOp::create(builder, loop->getLoc(), bounds.low, bounds.high, bounds.step, plan.inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  auto before = blocks;
  auto tilesBefore = memory.tiles;
  // Gives numbers and blocks the values that the loop carries.
  auto bind = [&](auto names, ValueRange values) {
    for (auto [name, value] : llvm::zip(names, values))
      isNumber(name.getType()) ? numbers.map(name, value) : setBlock(name, value);
    for (auto [block, value] : llvm::zip(plan.carried, values.drop_front(starts.size())))
      setBlock(block, value);
  };
  numbers.map(variable, made.getInductionVar());
  bind(arguments, made.getRegionIterArgs());
  if (failed(lowerLoopBody(plan)))
    return failure();
  blocks = before;
  memory.tiles = tilesBefore;
  for (Value block : plan.written)
    forget(block);
  bind(loop->getResults(), made.getResults());
  return success();
}

LogicalResult BodyLowering::lower(scf::ForOp op) {
  FailureOr<Value> low = numberFor(op.getLowerBound(), op),
                   high = numberFor(op.getUpperBound(), op), step = numberFor(op.getStep(), op);
  if (failed(low) || failed(high) || failed(step))
    return failure();
  if (isKnownLoop(op, op.getInductionVar()))
    return runLoop(op, {*low, *high, *step}, op.getInductionVar(), op.getInitArgs(),
                   op.getRegionIterArgs());
  return lowerLoop(op, {*low, *high, *step}, op.getInductionVar(), op.getInitArgs(),
                   op.getRegionIterArgs());
}

LogicalResult BodyLowering::lower(affine::AffineForOp op) {
  auto bound = [&](AffineMap map, ValueRange operands) -> FailureOr<Value> {
    if (map.getNumResults() != 1)
      return op.emitOpError("must have bounds of one expression each");
    SmallVector<Value> values;
    for (Value operand : operands) {
      FailureOr<Value> number = numberFor(operand, op);
      if (failed(number))
        return failure();
      values.push_back(*number);
    }
    return builder.createOrFold<affine::AffineApplyOp>(op.getLoc(), map, values);
  };
  FailureOr<Value> low = bound(op.getLowerBoundMap(), op.getLowerBoundOperands());
  FailureOr<Value> high = bound(op.getUpperBoundMap(), op.getUpperBoundOperands());
  if (failed(low) || failed(high))
    return failure();
  Bounds bounds{*low, *high, constant(op.getLoc(), op.getStepAsInt())};
  if (isKnownLoop(op, op.getInductionVar()))
    return runLoop(op, bounds, op.getInductionVar(), op.getInits(), op.getRegionIterArgs());
  return lowerLoop(op, bounds, op.getInductionVar(), op.getInits(), op.getRegionIterArgs());
}

LogicalResult BodyLowering::lower(scf::IfOp op) {
  FailureOr<Value> condition = numberFor(op.getCondition(), op);
  if (failed(condition))
    return failure();
  if (std::optional<int64_t> known = knownNumber(*condition))
    return runBranch(op, *known != 0);
  if (op->getNumResults())
    return op.emitOpError("has results, which is not supported in a d2m.generic");
  llvm::SetVector<Value> written;
  for (const Carried &each : carriedBlocks(op, written))
    return op.emitOpError("writes a block that is used after it, which is not supported")
               .attachNote(each.block.getLoc())
           << "the block is this one";
  bool hasElse = !op.getElseRegion().empty();
  auto made = scf::IfOp::create(builder, op.getLoc(), *condition, hasElse);
  auto before = blocks;
  auto tilesBefore = memory.tiles;
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&to.front());
    for (Operation &each : from.front().without_terminator())
      if (failed(lower(each)))
        return failure();
    releaseBlocks(&from.front());
    blocks = before;
    memory.tiles = tilesBefore;
  }
  return success();
}
