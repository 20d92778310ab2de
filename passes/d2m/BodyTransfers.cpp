//===- BodyTransfers.cpp - remote loads and stores as copies ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// d2m.remote_load: reserve a block, copy the shard into it, push it and wait for it.
// d2m.remote_store: store the value into a block, push it, wait for it, copy it. A block that was
// loaded and is only stored again is copied as it is. ttl-split-unified-threads gives each part to
// its thread.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/BodyLowering.h"

#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Shards
//===--------------------------------------------------------------------------===//

static Type elementOf(const KernelOperand &operand) {
  return cast<ShapedType>(operand.type).getElementType();
}

Value BodyLowering::createBuffer(Location loc, const KernelOperand &operand) {
  std::string name = (operand.isOutput ? "out" : "in") + std::to_string(operand.number);
  if (unsigned &count = bufferNames[name]; ++count > 1)
    name += "_" + std::to_string(count);
  auto type = ttl::CircularBufferType::get(builder.getContext(), d2m::getShard(operand.type),
                                           elementOf(operand), /*bufferFactor=*/2);
  return ttl::CreateCBOp::create(resources, loc, type, name, IntegerAttr(), IntegerAttr(),
                                 IntegerAttr());
}

void BodyLowering::copyOne(Location loc, const KernelOperand &operand, ArrayRef<Value> indices,
                           ArrayRef<int64_t> sizes, Value block, bool isLoad, Value part) {
  RankedTensorType tensor = cast<ttl::TensorAccessorType>(operand.accessor.getType()).getTensor();
  auto type = ttl::TensorSliceType::get(builder.getContext(), sizes, tensor);
  Value slice = ttl::IndexAccessorOp::create(builder, loc, type, operand.accessor, indices);
  Value copy = isLoad ? ttl::CopyOp::create(builder, loc, slice, block, part).getXf()
                      : ttl::CopyOp::create(builder, loc, block, slice, part).getXf();
  ttl::WaitOp::create(builder, loc, copy);
}

// Copies the tiles of a view's shard one by one: each index of the view leads to one of the
// storage.
void BodyLowering::copyPages(Location loc, const KernelOperand &operand, ArrayRef<Value> indices,
                             Value block, bool isLoad) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> all(indices);
  Value part = constant(loc, 0), zero = part, one = constant(loc, 1);
  for (int64_t extent : d2m::getShard(operand.type)) {
    Value high = constant(loc, extent);
    auto loop = scf::ForOp::create(builder, loc, zero, high, one);
    builder.setInsertionPointToStart(loop.getBody());
    all.push_back(loop.getInductionVar());
    part = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, part, high),
                                 loop.getInductionVar());
  }
  SmallVector<Value> places;
  for (AffineExpr expr : operand.storage.map.getResults())
    places.push_back(affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(all.size(), 0, expr, builder.getContext()), all));
  SmallVector<int64_t> sizes(places.size(), 1);
  copyOne(loc, operand, places, sizes, block, isLoad, part);
}

LogicalResult BodyLowering::copyShard(Operation *op, const KernelOperand &operand,
                                      ValueRange indices, Value block, bool isLoad) {
  SmallVector<Value> start;
  ArrayRef<int64_t> grid = d2m::getGrid(operand.type);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    FailureOr<Value> number = numberFor(index, op);
    if (failed(number))
      return failure();
    std::string name = (operand.isOutput ? "output " : "input ") + std::to_string(operand.number);
    ttl::CheckIndexOp::create(builder, op->getLoc(), *number, 1, grid[dim], dim, name,
                              /*of_block=*/false);
    start.push_back(*number);
  }
  return copyShardAt(op, operand, start, block, isLoad);
}

LogicalResult BodyLowering::copyShardAt(Operation *op, const KernelOperand &operand,
                                        SmallVector<Value> start, Value block, bool isLoad) {
  ArrayRef<int64_t> grid = d2m::getGrid(operand.type), shard = d2m::getShard(operand.type);
  if (!operand.storage.isWhole()) {
    if (!isa<ttcore::TileType>(elementOf(operand)))
      return op->emitOpError("moves a shard of a view of a tensor without tiles, which is not "
                             "supported: views of tiled tensors are");
    copyPages(op->getLoc(), operand, start, block, isLoad);
    return success();
  }
  SmallVector<int64_t> sizes(grid.size(), 1);
  sizes.append(shard.begin(), shard.end());
  for (unsigned i = 0; i < shard.size(); ++i)
    start.push_back(constant(op->getLoc(), 0));
  copyOne(op->getLoc(), operand, start, sizes, block, isLoad, Value());
  return success();
}

//===--------------------------------------------------------------------------===//
// Loads and stores
//===--------------------------------------------------------------------------===//

LogicalResult BodyLowering::lower(d2m::RemoteLoadOp op) {
  FailureOr<KernelOperand> operand = operandFor(op.getMemref(), op);
  if (failed(operand))
    return failure();
  if (!op.getLocalBuffer())
    return loadIntoQueue(op, *operand);
  Value buffer = createBuffer(op.getLoc(), *operand);
  Value reserved = ttl::CBReserveOp::create(builder, op.getLoc(), buffer);
  if (failed(loadShard(op, *operand, reserved)))
    return failure();
  ttl::CBPushOp::create(builder, op.getLoc(), reserved);
  Value block = ttl::CBWaitOp::create(builder, op.getLoc(), buffer);
  setBlock(op.getLocalBuffer(), block);
  if (op.getResult())
    setBlock(op.getResult(), block);
  return success();
}

// Returns whether arithmetic reads what a load has put into a block.
static bool isComputedOn(Value block) {
  return llvm::any_of(block.getUsers(), [](Operation *user) {
    return !isa<d2m::RemoteStoreOp, d2m::RemoteLoadOp, memref::DeallocOp>(user);
  });
}

LogicalResult BodyLowering::lower(d2m::RemoteStoreOp op) {
  FailureOr<KernelOperand> operand = operandFor(op.getMemref(), op);
  if (failed(operand))
    return failure();
  if (!op.getStartDevice().empty() || op.getSemaphore())
    return op.emitOpError(
        "stores on other chips, which is not supported: a module runs on one chip");
  if (!op.getLocalBuffer())
    return storeFromQueue(op, *operand);
  FailureOr<Value> value = read(op.getLocalBuffer(), op);
  if (failed(value))
    return failure();
  Value block = *value;
  if (!isa<ttl::BlockType>(block.getType()) || isComputedOn(op.getLocalBuffer())) {
    if (!isa<ttcore::TileType>(elementOf(*operand)))
      return op.emitOpError("stores a computed block that has no tiles, which is not supported");
    Value buffer = createBuffer(op.getLoc(), *operand);
    Value reserved = ttl::CBReserveOp::create(builder, op.getLoc(), buffer);
    ttl::BlockStoreOp::create(builder, op.getLoc(), reserved, *value, Value());
    ttl::CBPushOp::create(builder, op.getLoc(), reserved);
    block = ttl::CBWaitOp::create(builder, op.getLoc(), buffer);
  }
  if (op.getResult())
    operands[op.getResult()] = *operand;
  return copyShard(op, *operand, op.getIndices(), block, /*isLoad=*/false);
}
