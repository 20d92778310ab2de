//===- Aliases.cpp - replaces ops of tt-lang's own dialect --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops are replaced in program order, so that the open blocks are known when a later op
// needs one.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Aliases.h"

#include "hw/facts/Words.h"
#include "ir/Locations/Locations.h"
#include "passes/ttl/PartNumbers.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class AliasReplacer {
public:
  LogicalResult run(Operation *root);

private:
  LogicalResult replace(Operation *op);
  LogicalResult replaceAcquire(Operation *op, Value block);
  LogicalResult replaceRelease(Operation *op, bool waited);
  LogicalResult replaceAttach(ttl::AttachCBOp op);
  LogicalResult replaceCopy(ttl::CopyBufferOp op);
  LogicalResult replaceIndex(ttl::LinearizedIndexOp op);
  LogicalResult replaceStore(ttl::StoreTileOp op);
  LogicalResult replaceNumber(ttl::SemaphoreNumberOp op);
  LogicalResult replaceRemote(ttl::RemoteSemaphoreAtOp op);
  void replaceCoordinate(Operation *op, unsigned dim);
  FailureOr<Value> openBlock(Operation *op, Value buffer, bool waited, bool oldest);
  FailureOr<Value> blockOf(ttl::CopyBufferOp op, bool read);
  Operation *made(Operation *op, Operation *by);

  // Position of each op in the program's text.
  DenseMap<Operation *, unsigned> order;
};

// Notes that `op` replaces `by`, and returns it.
Operation *AliasReplacer::made(Operation *op, Operation *by) {
  order[op] = order.lookup(by);
  return op;
}

LogicalResult AliasReplacer::run(Operation *root) {
  SmallVector<Operation *> aliases;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    order[op] = order.size();
    if (op->hasTrait<ttl::IsAlias>())
      aliases.push_back(op);
  });
  SmallVector<Operation *> parts;
  for (Operation *op : aliases) {
    if (isa<ttl::TensorPartOp>(op))
      parts.push_back(op);
    else if (failed(replace(op)))
      return failure();
  }
  for (Operation *part : parts) {
    if (!part->use_empty())
      return part->emitError("can only be used as an end of a copy");
    part->erase();
  }
  return success();
}

LogicalResult AliasReplacer::replace(Operation *op) {
  OpBuilder builder(op);
  if (isa<ttl::CBWaitTensorOp>(op))
    return replaceAcquire(
        op,
        made(ttl::CBWaitOp::create(builder, op->getLoc(), op->getOperand(0)), op)->getResult(0));
  if (isa<ttl::CBReserveTensorOp>(op))
    return replaceAcquire(
        op,
        made(ttl::CBReserveOp::create(builder, op->getLoc(), op->getOperand(0)), op)->getResult(0));
  if (isa<ttl::CBPopOldestOp, ttl::CBPushOldestOp>(op))
    return replaceRelease(op, isa<ttl::CBPopOldestOp>(op));
  if (auto attach = dyn_cast<ttl::AttachCBOp>(op))
    return replaceAttach(attach);
  if (auto copy = dyn_cast<ttl::CopyBufferOp>(op))
    return replaceCopy(copy);
  if (auto index = dyn_cast<ttl::LinearizedIndexOp>(op))
    return replaceIndex(index);
  if (auto store = dyn_cast<ttl::StoreTileOp>(op))
    return replaceStore(store);
  if (auto number = dyn_cast<ttl::SemaphoreNumberOp>(op))
    return replaceNumber(number);
  if (auto remote = dyn_cast<ttl::RemoteSemaphoreAtOp>(op))
    return replaceRemote(remote);
  if (isa<ttl::InitSFPUOp>(op)) {
    op->erase();
    return success();
  }
  replaceCoordinate(op, isa<ttl::CoreYOp>(op));
  return success();
}

void AliasReplacer::replaceCoordinate(Operation *op, unsigned dim) {
  OpBuilder builder(op);
  SmallVector<Type> types(2, builder.getIndexType());
  auto core = ttl::CoreOp::create(builder, op->getLoc(), types);
  op->getResult(0).replaceAllUsesWith(core.getResult(dim));
  op->erase();
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

// Replaces an acquire. Expressions take blocks as well as tensors, and give Float32 tensors.
LogicalResult AliasReplacer::replaceAcquire(Operation *op, Value block) {
  for (Operation *user : op->getUsers())
    if (!ttl::isBlockExpression(user) &&
        !isa<ttl::AttachCBOp, ttl::BlockStoreOp, ttl::StoreTileOp>(user))
      return user->emitError("cannot take a block as a tensor: only block expressions can");
  op->getResult(0).replaceAllUsesWith(block);
  op->erase();
  return success();
}

LogicalResult AliasReplacer::replaceAttach(ttl::AttachCBOp op) {
  // The operand may be a block already, so use getOperand(): getView() would cast it to
  // a buffer.
  Value block = op->getOperand(0);
  Operation *acquire = block.getDefiningOp();
  if (!acquire || !isa<ttl::BlockType>(block.getType()) || acquire->getOperand(0) != op.getCb())
    return op.emitError("the tensor is no block of this buffer: acquire one with ttl.cb_wait or "
                        "ttl.cb_reserve");
  op->getResult(0).replaceAllUsesWith(block);
  op.erase();
  return success();
}

FailureOr<Value> AliasReplacer::openBlock(Operation *op, Value buffer, bool waited, bool oldest) {
  unsigned here = order.lookup(op);
  Operation *found = nullptr;
  for (Operation *acquire : buffer.getUsers()) {
    if (waited ? !isa<ttl::CBWaitOp>(acquire) : !isa<ttl::CBReserveOp>(acquire))
      continue;
    bool dominates = acquire->getBlock()->findAncestorOpInBlock(*op) != nullptr;
    bool released = llvm::any_of(acquire->getUsers(), [&](Operation *user) {
      return isa<ttl::CBPopOp, ttl::CBPushOp>(user) && order.lookup(user) < here;
    });
    if (!dominates || released || order.lookup(acquire) > here)
      continue;
    if (!found || (order.lookup(acquire) < order.lookup(found)) == oldest)
      found = acquire;
  }
  if (!found)
    return op->emitError("no block of this buffer is open here: expected ttl.")
           << (waited ? "cb_wait" : "cb_reserve") << " before";
  return found->getResult(0);
}

LogicalResult AliasReplacer::replaceRelease(Operation *op, bool waited) {
  FailureOr<Value> block = openBlock(op, op->getOperand(0), waited, /*oldest=*/true);
  if (failed(block))
    return failure();
  OpBuilder builder(op);
  if (waited)
    made(ttl::CBPopOp::create(builder, op->getLoc(), *block), op);
  else
    made(ttl::CBPushOp::create(builder, op->getLoc(), *block), op);
  op->erase();
  return success();
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

// Returns the accessor of a tensor; an accessor is its own.
static Value accessorOf(Value tensor, OpBuilder &builder) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return tensor;
  return ttl::TensorAccessorOp::create(
      builder, tensor.getLoc(), ttl::TensorAccessorType::get(builder.getContext(), type), tensor);
}

// Returns where a copy starts in the tensor: at its indices or coordinates, at the indices of a
// ttl.tensor_slice, or at the tensor's start. Replaces a ttl.tensor_slice by its tensor.
static SmallVector<Value> startOf(ttl::CopyBufferOp op, Value &tensor, OpBuilder &builder) {
  if (auto part = tensor.getDefiningOp<ttl::TensorPartOp>()) {
    tensor = part.getTensor();
    return part.getIndices();
  }
  SmallVector<Value> indices = op.getIndices();
  ArrayAttr coords = op.isRead() ? op.getSrcCoordsAttr() : op.getDstCoordsAttr();
  if (coords)
    for (auto coord : coords.getAsRange<IntegerAttr>())
      indices.push_back(arith::ConstantIndexOp::create(builder, tensor.getLoc(), coord.getInt()));
  return indices;
}

// Creates the part of the tensor or accessor that fills one block.
static FailureOr<Value> makeSlice(ttl::CopyBufferOp op, Value tensor, ttl::BlockType block,
                                  OpBuilder &builder) {
  SmallVector<Value> indices = startOf(op, tensor, builder);
  Location loc = op.getLoc();
  std::string name = getSourceName(tensor.getLoc()).value_or("tensor");
  Value accessor = accessorOf(tensor, builder);
  RankedTensorType type = cast<ttl::TensorAccessorType>(accessor.getType()).getTensor();
  size_t rank = ttl::getStoredShape(type).size();
  if (indices.size() == 1 && rank > 1) {
    FailureOr<SmallVector<Value>> found =
        indicesOfNumber(indices.front(), type, name, loc, builder);
    if (failed(found))
      return failure();
    indices = *found;
    rank = indices.size();
  }
  while (indices.size() < rank)
    indices.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<int64_t> sizes(ttl::getBlockShape(block));
  while (sizes.size() < rank)
    sizes.insert(sizes.begin(), 1);
  while (sizes.size() > rank && sizes.front() == 1)
    sizes.erase(sizes.begin());
  auto slice = ttl::TensorSliceType::get(builder.getContext(), sizes, type);
  return ttl::IndexAccessorOp::create(builder, loc, slice, accessor, indices).getResult();
}

FailureOr<Value> AliasReplacer::blockOf(ttl::CopyBufferOp op, bool read) {
  Value end = read ? op.getDst() : op.getSrc();
  if (isa<ttl::BlockType>(end.getType()))
    return end;
  return openBlock(op, end, /*waited=*/!read, /*oldest=*/false);
}

LogicalResult AliasReplacer::replaceCopy(ttl::CopyBufferOp op) {
  bool read = op.isRead();
  FailureOr<Value> block = blockOf(op, read);
  if (failed(block))
    return failure();
  OpBuilder builder(op);
  FailureOr<Value> slice = makeSlice(op, read ? op.getSrc() : op.getDst(),
                                     cast<ttl::BlockType>(block->getType()), builder);
  if (failed(slice))
    return failure();
  Value copy =
      ttl::CopyOp::create(builder, op.getLoc(), read ? *slice : *block, read ? *block : *slice);
  op.getXf().replaceAllUsesWith(copy);
  op.erase();
  return success();
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

LogicalResult AliasReplacer::replaceNumber(ttl::SemaphoreNumberOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value semaphore = op.getSemaphore();
  Value number = arith::ConstantOp::create(builder, loc, op.getValueAttr());
  if (op.getAction() == "set")
    ttl::SemaphoreSetOp::create(builder, loc, semaphore, number, /*scratch=*/Value(),
                                /*from_scratch=*/false);
  else if (op.getAction() == "inc")
    ttl::SemaphoreIncOp::create(builder, loc, semaphore, number);
  else if (op.getAction() == "wait_eq")
    ttl::SemaphoreWaitEqOp::create(builder, loc, semaphore, number);
  else
    ttl::SemaphoreWaitMinOp::create(builder, loc, semaphore, number);
  op.erase();
  return success();
}

LogicalResult AliasReplacer::replaceRemote(ttl::RemoteSemaphoreAtOp op) {
  OpBuilder builder(op);
  SmallVector<Value> core;
  for (int64_t coordinate : op.getCore())
    core.push_back(arith::ConstantIndexOp::create(builder, op.getLoc(), coordinate));
  auto remote = ttl::GetRemoteSemaphoreOp::create(builder, op.getLoc(), op.getType(),
                                                  op.getSemaphore(), core, /*cores=*/false);
  op.getResult().replaceAllUsesWith(remote);
  op.erase();
  return success();
}

//===--------------------------------------------------------------------------===//
// Tiles inside loops
//===--------------------------------------------------------------------------===//

// Returns the innermost `count` loops around `op`, outermost first; fewer if there are
// not that many.
static SmallVector<scf::ForOp> loopsAround(Operation *op, size_t count) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop && loops.size() < count;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.insert(loops.begin(), loop);
  return loops;
}

LogicalResult AliasReplacer::replaceIndex(ttl::LinearizedIndexOp op) {
  AffineMap map = op.getIndexMap();
  SmallVector<scf::ForOp> loops = loopsAround(op, map.getNumDims());
  if (loops.size() != map.getNumDims())
    return op.emitError("this index has ") << hw::plural(map.getNumDims(), "iterator")
                                           << ", but is in " << hw::plural(loops.size(), "loop");
  SmallVector<Value> iterators;
  for (scf::ForOp loop : loops)
    iterators.push_back(loop.getInductionVar());
  OpBuilder builder(op);
  op.getResult().replaceAllUsesWith(affine::expandAffineExpr(builder, op.getLoc(), map.getResult(0),
                                                             iterators, /*symbolValues=*/{}));
  op.erase();
  return success();
}

// Returns whether the loop counts 0, 1, ... to the extent: only then it runs over a block's tiles.
static bool countsTo(scf::ForOp loop, int64_t extent) {
  return getConstantIntValue(loop.getLowerBound()) == 0 &&
         getConstantIntValue(loop.getUpperBound()) == extent &&
         getConstantIntValue(loop.getStep()) == 1;
}

LogicalResult AliasReplacer::replaceStore(ttl::StoreTileOp op) {
  // The operand may be a block already, so use getOperand(): getView() would cast it to
  // a buffer.
  Value block = op->getOperand(1);
  if (!block.getDefiningOp<ttl::CBReserveOp>())
    return op.emitError("the view is no reserved block: acquire one with ttl.cb_reserve");
  ArrayRef<int64_t> shape = ttl::getBlockShape(block.getType());
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value index = arith::ConstantIndexOp::create(builder, loc, 0);
  if (llvm::any_of(shape, [](int64_t extent) { return extent != 1; })) {
    SmallVector<scf::ForOp> loops = loopsAround(op, shape.size());
    if (loops.size() != shape.size() || !llvm::all_of_zip(loops, shape, countsTo))
      return op.emitError("cannot find the tile of the block that is meant: expected one loop from "
                          "0 per dimension of ")
             << ttl::shapeText(shape) << "; or use ttl.pack_tile to name the tile";
    for (auto [loop, extent] : llvm::zip_equal(loops, shape)) {
      Value size = arith::ConstantIndexOp::create(builder, loc, extent);
      index = arith::MulIOp::create(builder, loc, index, size);
      index = arith::AddIOp::create(builder, loc, index, loop.getInductionVar());
    }
  }
  ttl::PackTileOp::create(builder, loc, op.getTile(), block, index, Value());
  op.erase();
  return success();
}

} // namespace

// Makes expressions Float32: those of tt-lang have the format of their blocks.
static void widenExpressions(Operation *root) {
  root->walk([](Operation *op) {
    if (ttl::isBlockExpression(op))
      op->getResult(0).setType(ttl::getBlockTensorType(
          op->getContext(), ttl::getBlockShape(op->getResult(0).getType())));
  });
}

FailureOr<unsigned> ttjit::replaceAliases(Operation *root) {
  unsigned count = 0;
  root->walk([&](Operation *op) { count += op->hasTrait<ttl::IsAlias>(); });
  if (count == 0)
    return count;
  if (failed(AliasReplacer().run(root)))
    return failure();
  widenExpressions(root);
  return count;
}
