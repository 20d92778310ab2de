//===- BodyLowering.cpp - the body of a d2m.generic as a thread ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"
#include "passes/d2m/TileBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  if (auto outside = value.getDefiningOp<arith::ConstantOp>()) {
    Value known = builder.clone(*outside)->getResult(0);
    return known;
  }
  return user->emitOpError("needs a number that the kernel cannot have: one that is made in the "
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
  return user->emitOpError(
      "moves data of a tensor that is not an operand of the d2m.generic: add it "
      "to ins(..) or outs(..)");
}

FailureOr<Value> BodyLowering::read(Value block, Operation *user) {
  if (!isNumber(block.getType()) && TileMemrefs::hasTiles(block.getType()) &&
      !memory.partOf(block).isWhole())
    return readPart(block, user);
  if (Value known = blockOf(block))
    return known;
  if (isBroken)
    return failure();
  if (unknown.contains(ownerOf(block)))
    return user->emitOpError("reads a block that was computed from another one which was freed "
                             "since: free that block later");
  return user->emitOpError("reads a block before anything is written into it");
}

Value BodyLowering::asExpression(Location loc, Value block) {
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
  if (needsPoints(op))
    return lowerPoints(op);
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
      inputs.partial = asExpression(op.getLoc(), inputs.partial);
  FailureOr<Value> value = lowerTileBody(op, inputs, builder);
  if (failed(value))
    return failure();
  if (op->getNumResults())
    setBlock(op.getResult(0), *value);
  if (!op->getNumResults() || slots.contains(ownerOf(output))) // a slot has what is written last
    setBlock(output, *value);
  return success();
}

LogicalResult BodyLowering::lower(d2m::TileMatmulBlockOp op) {
  if (llvm::any_of(op->getOperands(), [&](Value operand) {
        return TileMemrefs::hasTiles(operand.getType()) && !memory.partOf(operand).isWhole();
      }))
    return lowerPoints(op);
  FailureOr<Value> a = read(op.getA(), op), b = read(op.getB(), op);
  if (failed(a) || failed(b))
    return failure();
  Value partial = blockOf(op.getOutput());
  if (partial)
    partial = asExpression(op.getLoc(), partial);
  FailureOr<Value> value = lowerMatmulBlock(op, *a, *b, partial, builder);
  if (failed(value))
    return failure();
  setBlock(op.getOutput(), *value);
  return success();
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lowerNumber(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isNumber) ||
      !llvm::all_of(op->getResultTypes(), isNumber))
    return op->emitError() << "'" << op->getName().getStringRef()
                           << "' is supported for numbers only in a d2m.generic, not for tensors";
  for (Value operand : op->getOperands())
    if (failed(numberFor(operand, op)))
      return failure();
  Operation *made = builder.clone(*op, numbers);
  SmallVector<Value> folded;
  bool isKnown = op->getNumOperands() && llvm::all_of(made->getOperands(), [](Value operand) {
                   return matchPattern(operand, m_Constant());
                 });
  if (!isKnown || failed(builder.tryFold(made, folded)))
    return success();
  numbers.map(op->getResults(), folded);
  made->erase();
  return success();
}

LogicalResult BodyLowering::lowerIndex(Operation *op, int64_t dim) {
  bool ofCore = isa<d2m::CoreIndexOp>(op);
  int64_t count = ofCore ? coordinates.size() : steps.size();
  if (dim >= count)
    return op->emitOpError() << "has dimension " << dim << " of only " << count
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
// Ops
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lower(Operation &op) {
  constexpr int64_t kMaxOps = 1 << 17; // loops over tiles are unrolled here
  if (++lowered > kMaxOps)
    return op.emitError("loops over tiles have more than ")
           << kMaxOps
           << " operations in this region: use smaller blocks, or linalg.generic on "
              "whole ones";
  return failure(failed(lowerOp(op)) || isBroken);
}

static bool isTileOp(Operation &op) {
  return isa<d2m::TileOp, d2m::TileFillOp>(op) && op.getNumResults() == 1;
}

static bool isTileAccess(Operation &op) {
  return isa<memref::LoadOp, memref::StoreOp, affine::AffineLoadOp, affine::AffineStoreOp>(op);
}

LogicalResult BodyLowering::lowerOp(Operation &op) {
  if (isTileOp(op))
    return lowerTile(&op);
  if (isTileAccess(op))
    return lowerAccess(&op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<d2m::RemoteLoadOp, d2m::RemoteStoreOp, linalg::GenericOp, d2m::TileMatmulBlockOp,
            scf::ForOp, affine::AffineForOp, scf::IfOp, d2m::LocalCopyOp, memref::CopyOp,
            d2m::SetL1AccumulateOp>([&](auto each) { return lower(each); })
      .Case<d2m::GetCBOp, d2m::WaitOp, d2m::ReserveOp, d2m::PushOp, d2m::PopOp, d2m::StoreOp,
            d2m::DMAReadOp, d2m::DMAWriteOp, d2m::SemaphoreWaitOp, d2m::SemaphoreSetOp,
            d2m::SemaphoreIncOp>([&](auto each) { return lower(each); })
      .Case<d2m::IterIndexOp, d2m::BlockIndexOp, d2m::BlockOffsetOp, d2m::GetBlockFactorOp,
            d2m::CoreIndexOp>([&](auto each) { return lowerIndex(each, each.getDim()); })
      .Case<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
          [&](auto each) {
            return memory.view(each.getOperation(),
                               [&](Value value) { return knownNumber(value); });
          })
      .Case<tensor::EmptyOp, memref::AllocOp, d2m::AcquireDstOp, d2m::ScratchAllocateOp,
            memref::DeallocOp, d2m::YieldOp, d2m::ViewLayoutOp, d2m::NullTxOp, d2m::DMAWaitOp,
            d2m::UnpackStallOnPackOp, d2m::ScratchInitOp>([](auto) { return success(); })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto each) { return lowerNumber(each); })
      .Default(
          [&](Operation *other) -> LogicalResult {
            if (isa_and_nonnull<arith::ArithDialect>(other->getDialect()))
              return lowerNumber(other);
            return other->emitError()
                   << "'" << other->getName().getStringRef()
                   << "' is not supported in a d2m.generic: loads, stores and copies of shards and "
                      "tiles, queues, semaphores, linalg.generic on tiles, operations on tiles, "
                      "d2m.tile_matmul_block, index ops, loops and arithmetic of numbers are";
          });
}
