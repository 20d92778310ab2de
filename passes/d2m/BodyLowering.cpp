//===- BodyLowering.cpp - the body of a d2m.generic as a thread ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"
#include "passes/d2m/TileBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

Value BodyLowering::constant(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

FailureOr<Value> BodyLowering::numberFor(Value value, Operation *user) {
  if (Value known = numbers.lookupOrNull(value))
    return known;
  return user->emitError("needs a number that the kernel cannot have: one that is made in the "
                         "region, of indices and constants, is supported");
}

FailureOr<KernelOperand> BodyLowering::operandFor(Value value, Operation *user) {
  if (auto found = operands.find(value); found != operands.end())
    return found->second;
  FailureOr<Storage> storage = storageOf(value, user);
  if (failed(storage))
    return failure();
  for (const auto &[other, operand] : operands)
    if (operand.storage.base == storage->base) {
      KernelOperand result = operand;
      result.storage = *storage;
      result.type = value.getType();
      return result;
    }
  return user->emitError("moves data of a tensor that is not an operand of the d2m.generic: add it "
                         "to ins(..) or outs(..)");
}

FailureOr<Value> BodyLowering::read(Value block, Operation *user) {
  if (Value known = blockOf(block))
    return known;
  return user->emitError("reads a block before anything is written into it");
}

// Returns a block's value as an expression, which loops can carry.
static Value asExpression(OpBuilder &builder, Location loc, Value block) {
  auto type = dyn_cast<ttl::BlockType>(block.getType());
  if (!type)
    return block;
  ArrayRef<int64_t> shape = ttl::getBlockShape(type);
  return ttl::BlockViewOp::create(
      builder, loc,
      ttl::getBlockTensorType(builder.getContext(), shape, ttl::getComputedType(type)), block,
      AffineMapAttr::get(builder.getMultiDimIdentityMap(shape.size())));
}

Value BodyLowering::identityFor(Operation *op, Value output) {
  auto shaped = cast<ShapedType>(output.getType());
  auto tile = dyn_cast<ttcore::TileType>(shaped.getElementType());
  if (!tile || !tile.isFloat())
    return {};
  float start = beginsAtMinusInfinity(op) ? -std::numeric_limits<float>::infinity() : 0.0f;
  Value number = arith::ConstantOp::create(builder, op->getLoc(), builder.getF32FloatAttr(start));
  return ttl::BlockFillOp::create(builder, op->getLoc(),
                                  ttl::getBlockTensorType(builder.getContext(), shaped.getShape()),
                                  number);
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lower(linalg::GenericOp op) {
  BodyInputs inputs{{}, {}, &numbers};
  for (Value input : op.getInputs()) {
    bool isNumber = !isa<ShapedType>(input.getType());
    FailureOr<Value> block = isNumber ? numberFor(input, op) : read(input, op);
    if (failed(block))
      return failure();
    inputs.blocks.push_back(*block);
  }
  Value output = op.getOutputs().empty() ? Value() : op.getOutputs().front();
  if (output)
    if (inputs.partial = blockOf(output); inputs.partial && readsOutput(op))
      inputs.partial = asExpression(builder, op.getLoc(), inputs.partial);
  FailureOr<Value> value = lowerTileBody(op, inputs, builder);
  if (failed(value))
    return failure();
  if (op->getNumResults())
    setBlock(op.getResult(0), *value);
  if (!op->getNumResults() || slots.contains(output)) // a slot has what is written last
    setBlock(output, *value);
  return success();
}

LogicalResult BodyLowering::lower(d2m::TileMatmulBlockOp op) {
  FailureOr<Value> a = read(op.getA(), op), b = read(op.getB(), op);
  if (failed(a) || failed(b))
    return failure();
  Value partial = blockOf(op.getOutput());
  if (partial)
    partial = asExpression(builder, op.getLoc(), partial);
  FailureOr<Value> value = lowerMatmulBlock(op, *a, *b, partial, builder);
  if (failed(value))
    return failure();
  setBlock(op.getOutput(), *value);
  return success();
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

static bool isNumber(Type type) { return type.isIntOrIndexOrFloat(); }

LogicalResult BodyLowering::lowerNumber(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber))
    return op->emitError() << "'" << op->getName().getStringRef()
                           << "' of tensors is not supported: of numbers, it is";
  for (Value operand : op->getOperands())
    if (failed(numberFor(operand, op)))
      return failure();
  builder.clone(*op, numbers);
  return success();
}

LogicalResult BodyLowering::lowerIndex(Operation *op, int64_t dim) {
  bool ofCore = isa<d2m::CoreIndexOp>(op);
  int64_t count = ofCore ? coordinates.size() : steps.size();
  if (dim >= count)
    return op->emitError() << "has dimension " << dim << " of only " << count
                           << (ofCore ? " of the grid"
                                      : " of the iteration space; a d2m.generic without "
                                        "block_factors has core_index only");
  if (ofCore) {
    numbers.map(op->getResult(0), coordinates[dim]);
    return success();
  }
  int64_t factor = generic.getBlockFactorValues()[dim];
  Value start = constant(op->getLoc(), 0);
  AffineMap output = generic.getIndexingMap(generic.getInputs().size());
  for (auto [position, expr] : llvm::enumerate(output.getResults()))
    if (auto own = dyn_cast<AffineDimExpr>(expr);
        own && int64_t(own.getPosition()) == dim && !generic.isReduction(dim))
      start = arith::MulIOp::create(builder, op->getLoc(), coordinates[position],
                                    constant(op->getLoc(), factor));
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](d2m::IterIndexOp) { return steps[dim]; })
          .Case([&](d2m::BlockOffsetOp) { return start; })
          .Case([&](d2m::GetBlockFactorOp) { return constant(op->getLoc(), factor); })
          .Default([&](Operation *) {
            return arith::AddIOp::create(builder, op->getLoc(), start, steps[dim]).getResult();
          });
  numbers.map(op->getResult(0), result);
  return success();
}

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

// Returns what the op writes, if that is a block.
static Value writtenBy(Operation *op) {
  if (auto load = dyn_cast<d2m::RemoteLoadOp>(op))
    return load.getLocalBuffer();
  if (auto product = dyn_cast<d2m::TileMatmulBlockOp>(op))
    return product.getOutput();
  if (auto linalg = dyn_cast<linalg::GenericOp>(op); linalg && !op->getNumResults())
    return linalg.getOutputs().empty() ? Value() : linalg.getOutputs().front();
  return {};
}

static bool continues(Operation *op) {
  auto linalg = dyn_cast<linalg::GenericOp>(op);
  return isa<d2m::TileMatmulBlockOp>(op) || (linalg && readsOutput(linalg));
}

static bool isUsedAfter(Value value, Operation *loop) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (loop->isAncestor(user))
      return false;
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
  Operation *first; ///< the first op that uses it in the loop
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
      if (!first && llvm::is_contained(op->getOperands(), block))
        first = op;
    });
    bool startsNew = first && writtenBy(first) == block && !continues(first);
    if (!startsNew || isUsedAfter(block, loop))
      result.push_back({block, first});
  }
  return result;
}

LogicalResult BodyLowering::lowerLoop(Operation *loop, Value low, Value high, Value step,
                                      Value variable, ValueRange starts,
                                      Block::BlockArgListType arguments) {
  Location loc = loop->getLoc();
  llvm::SetVector<Value> written;
  SmallVector<Carried> carried = carriedBlocks(loop, written);
  SmallVector<Value> inits;
  auto addStart = [&](Value block, Value target, Operation *first) -> LogicalResult {
    Value known = blockOf(block);
    if (!known && first)
      known = identityFor(first, target);
    if (!known)
      return loop->emitError("carries a block into which nothing was written before the loop");
    inits.push_back(asExpression(builder, loc, known));
    return success();
  };
  for (auto [start, argument] : llvm::zip(starts, arguments)) {
    if (isNumber(start.getType())) {
      FailureOr<Value> number = numberFor(start, loop);
      if (failed(number))
        return failure();
      inits.push_back(*number);
      continue;
    }
    auto user = llvm::find_if(argument.getUsers(), continues);
    if (failed(addStart(start, argument, user == argument.user_end() ? nullptr : *user)))
      return failure();
  }
  for (const Carried &each : carried)
    if (failed(addStart(each.block, each.block,
                        each.first && continues(each.first) ? each.first : nullptr)))
      return failure();
  auto made = scf::ForOp::create(builder, loc, low, high, step, inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  auto before = blocks;
  numbers.map(variable, made.getInductionVar());
  for (auto [argument, value] : llvm::zip(arguments, made.getRegionIterArgs()))
    isNumber(argument.getType()) ? numbers.map(argument, value) : setBlock(argument, value);
  for (auto [each, value] : llvm::zip(carried, made.getRegionIterArgs().drop_front(starts.size())))
    setBlock(each.block, value);
  Block &body = loop->getRegion(0).front();
  for (Operation &op : body.without_terminator())
    if (failed(lower(op)))
      return failure();
  pushSlots(&body);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands()) {
    FailureOr<Value> next =
        isNumber(value.getType()) ? numberFor(value, body.getTerminator()) : read(value, loop);
    if (failed(next))
      return failure();
    yielded.push_back(asExpression(builder, loc, *next));
  }
  for (const Carried &each : carried)
    yielded.push_back(asExpression(builder, loc, blockOf(each.block)));
  for (auto [value, init] : llvm::zip(yielded, inits))
    if (value.getType() != init.getType())
      return loop->emitError("carries a block whose tiles change their type");
  if (!yielded.empty())
    scf::YieldOp::create(builder, loc, yielded);
  blocks = before;
  for (Value block : written)
    blocks.erase(block);
  for (auto [result, value] : llvm::zip(loop->getResults(), made.getResults()))
    isNumber(result.getType()) ? numbers.map(result, value) : setBlock(result, value);
  for (auto [each, value] : llvm::zip(carried, made.getResults().drop_front(starts.size())))
    setBlock(each.block, value);
  return success();
}

LogicalResult BodyLowering::lower(scf::ForOp op) {
  FailureOr<Value> low = numberFor(op.getLowerBound(), op),
                   high = numberFor(op.getUpperBound(), op), step = numberFor(op.getStep(), op);
  if (failed(low) || failed(high) || failed(step))
    return failure();
  return lowerLoop(op, *low, *high, *step, op.getInductionVar(), op.getInitArgs(),
                   op.getRegionIterArgs());
}

LogicalResult BodyLowering::lower(affine::AffineForOp op) {
  auto bound = [&](AffineMap map, ValueRange operands) -> FailureOr<Value> {
    if (map.getNumResults() != 1)
      return op.emitError("must have bounds of one expression each");
    SmallVector<Value> values;
    for (Value operand : operands) {
      FailureOr<Value> number = numberFor(operand, op);
      if (failed(number))
        return failure();
      values.push_back(*number);
    }
    return affine::AffineApplyOp::create(builder, op.getLoc(), map, values).getResult();
  };
  FailureOr<Value> low = bound(op.getLowerBoundMap(), op.getLowerBoundOperands());
  FailureOr<Value> high = bound(op.getUpperBoundMap(), op.getUpperBoundOperands());
  if (failed(low) || failed(high))
    return failure();
  return lowerLoop(op, *low, *high, constant(op.getLoc(), op.getStepAsInt()), op.getInductionVar(),
                   op.getInits(), op.getRegionIterArgs());
}

LogicalResult BodyLowering::lower(scf::IfOp op) {
  FailureOr<Value> condition = numberFor(op.getCondition(), op);
  if (failed(condition))
    return failure();
  if (op->getNumResults())
    return op.emitError("has results, which is not supported in a d2m.generic");
  llvm::SetVector<Value> written;
  for (const Carried &each : carriedBlocks(op, written))
    return op.emitError("writes a block that is used after it, which is not supported")
               .attachNote(each.block.getLoc())
           << "the block is this one";
  bool hasElse = !op.getElseRegion().empty();
  auto made = scf::IfOp::create(builder, op.getLoc(), *condition, hasElse);
  auto before = blocks;
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&to.front());
    for (Operation &each : from.front().without_terminator())
      if (failed(lower(each)))
        return failure();
    pushSlots(&from.front());
    blocks = before;
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lower(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<d2m::RemoteLoadOp, d2m::RemoteStoreOp, linalg::GenericOp, d2m::TileMatmulBlockOp,
            scf::ForOp, affine::AffineForOp, scf::IfOp>([&](auto each) { return lower(each); })
      .Case<d2m::GetCBOp, d2m::WaitOp, d2m::ReserveOp, d2m::PushOp, d2m::PopOp, d2m::StoreOp,
            d2m::DMAReadOp, d2m::DMAWriteOp>([&](auto each) { return lower(each); })
      .Case<d2m::IterIndexOp, d2m::BlockIndexOp, d2m::BlockOffsetOp, d2m::GetBlockFactorOp,
            d2m::CoreIndexOp>([&](auto each) { return lowerIndex(each, each.getDim()); })
      .Case<tensor::EmptyOp, memref::AllocOp, memref::DeallocOp, d2m::YieldOp, d2m::ViewLayoutOp,
            d2m::NullTxOp, d2m::DMAWaitOp>([](auto) { return success(); })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto each) { return lowerNumber(each); })
      .Default([&](Operation *other) -> LogicalResult {
        if (isa_and_nonnull<arith::ArithDialect>(other->getDialect()))
          return lowerNumber(other);
        return other->emitError()
               << "'" << other->getName().getStringRef()
               << "' is not supported in a d2m.generic: loads, stores and copies of shards, "
                  "queues, "
                  "linalg.generic on tiles, d2m.tile_matmul_block, index ops, loops and arithmetic "
                  "of numbers are";
      });
}
