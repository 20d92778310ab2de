//===- TTLTransferOps.cpp - rules of transfers, what waiting for them implies -===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// ttl.copy, ttl.receive
//===--------------------------------------------------------------------------===//

static ArrayRef<int64_t> transferShape(Type type) {
  if (auto slice = dyn_cast<TensorSliceType>(type))
    return slice.getSizes();
  return getBlockShape(type);
}

static Type transferElement(Type type) {
  if (auto slice = dyn_cast<TensorSliceType>(type))
    return slice.getTensor().getElementType();
  return cast<BlockType>(type).getTensorType().getElementType();
}

// Refuses coordinates, which only tensors and accessors have: the parser makes a ttl.copy_buffer of
// a copy with these.
static LogicalResult verifyNoCoordinates(CopyOp op) {
  auto verify = [&](StringRef name, StringRef end, Value value) -> LogicalResult {
    if (!op->hasAttr(name))
      return success();
    return op.emitOpError() << name << " must be coordinates in a tensor or an accessor, but the "
                            << end << " is " << value.getType();
  };
  return success(succeeded(verify("src_coords", "source", op.getSrc())) &&
                 succeeded(verify("dst_coords", "destination", op.getDst())));
}

template <typename OpT> static LogicalResult verifyTransferId(OpT op) {
  std::optional<uint32_t> id = op.getTransferId();
  if (id && *id > 15)
    return op.emitOpError("the transfer id must be 0 to 15, found ") << static_cast<int32_t>(*id);
  return success();
}

LogicalResult ReceiveOp::verify() { return verifyTransferId(*this); }

static ArrayRef<int64_t> withoutLeadingOnes(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t extent) { return extent == 1; });
}

static LogicalResult verifyPart(CopyOp op) {
  if (op.isSend() || op.isReceive())
    return op.emitOpError("must copy a whole block to or from a pipe, found a part of one");
  auto block = cast<BlockType>((op.isRead() ? op.getDst() : op.getSrc()).getType());
  if (!block.getCircularBuffer().isTiled())
    return op.emitOpError(
               "copies a part of a block, which must consist of tiles; found a block of ")
           << block.getCircularBuffer().getElementType();
  ArrayRef<int64_t> whole = block.getTensorType().getShape();
  ArrayRef<int64_t> sizes = transferShape((op.isRead() ? op.getSrc() : op.getDst()).getType());
  ArrayRef<int64_t> part = withoutLeadingOnes(sizes);
  bool fits = part.size() <= whole.size() &&
              llvm::all_of(llvm::zip(part, whole.take_back(part.size())), [](auto extents) {
                return std::get<0>(extents) <= std::get<1>(extents);
              });
  if (fits)
    return success();
  return op.emitOpError("a part of shape ")
         << shapeText(sizes) << " is larger than the block, which has shape " << shapeText(whole);
}

SmallVector<int64_t> CopyOp::getWholeExtents() {
  size_t rank = transferShape((isRead() ? getSrc() : getDst()).getType()).size();
  SmallVector<int64_t> whole(getBlockShape((isRead() ? getDst() : getSrc()).getType()));
  while (whole.size() < rank)
    whole.insert(whole.begin(), 1);
  return SmallVector<int64_t>(ArrayRef(whole).take_back(rank));
}

LogicalResult CopyOp::verify() {
  if (failed(verifyNoCoordinates(*this)) || failed(verifyTransferId(*this)))
    return failure();
  Type src = getSrc().getType(), dst = getDst().getType();
  if (isa<BlockType>(src) == isa<BlockType>(dst))
    return emitOpError("must copy between a block and a tensor slice or pipe");
  if (getPart() && failed(verifyPart(*this)))
    return failure();
  if (isSend() || isReceive())
    return success();
  if (!getPart() &&
      withoutLeadingOnes(transferShape(src)) != withoutLeadingOnes(transferShape(dst)))
    return emitOpError("source and destination must have the same shape, found ")
           << shapeText(transferShape(src)) << " and " << shapeText(transferShape(dst));
  auto format = [](Type element) -> std::optional<ttcore::DataType> {
    if (auto tile = dyn_cast<ttcore::TileType>(element))
      return tile.getDataType();
    return ttcore::getDataTypeOf(element);
  };
  if (format(transferElement(src)) != format(transferElement(dst)))
    return emitOpError("source and destination must have the same format, found ")
           << transferElement(src) << " and " << transferElement(dst);
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.wait
//===--------------------------------------------------------------------------===//

std::optional<BarrierType> WaitOp::getBarrierType() {
  auto copy = getXf().getDefiningOp<CopyOp>();
  if (!copy)
    return std::nullopt;
  Type src = copy.getSrc().getType(), dst = copy.getDst().getType();
  if (isa<TensorSliceType>(src))
    return BarrierType::DMARead;
  if (isa<BlockType>(src) && isa<TensorSliceType>(dst))
    return BarrierType::DMAWrite;
  return BarrierType::Semaphore;
}

// A transfer that started before a barrier of its direction is complete. A transfer
// that was waited for is complete, too; but in a kernel a second wait is a mistake,
// which ttl-verify-protocol reports.
LogicalResult WaitOp::canonicalize(WaitOp op, PatternRewriter &rewriter) {
  Operation *copy = op.getXf().getDefiningOp();
  bool inKernel = op->getParentOfType<KernelOp>() != nullptr;
  for (Operation *before = op->getPrevNode(); before && before != copy;
       before = before->getPrevNode()) {
    auto wait = dyn_cast<WaitOp>(before);
    auto barrier = dyn_cast<DMABarrierOp>(before);
    bool waited = wait && wait.getXf() == op.getXf() && !inKernel;
    bool passed = barrier && copy && copy->getBlock() == op->getBlock() && !barrier.getId() &&
                  ((op.getBarrierType() == BarrierType::DMARead && barrier.waitsForReads()) ||
                   (op.getBarrierType() == BarrierType::DMAWrite && barrier.waitsForWrites()));
    if (!waited && !passed)
      continue;
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}

//===--------------------------------------------------------------------------===//
// ttl.wait_any
//===--------------------------------------------------------------------------===//

LogicalResult WaitAnyOp::verify() {
  if (getXfs().empty())
    return emitOpError("needs at least one transfer");
  llvm::SmallDenseSet<Value> seen;
  for (Value handle : getXfs())
    if (!seen.insert(handle).second)
      return emitOpError("has the same transfer twice");
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.dma_barrier
//===--------------------------------------------------------------------------===//

LogicalResult DMABarrierOp::verify() {
  if (getId() && !getDirection())
    return emitOpError(
        "needs 'reads' or 'writes' to wait for a transfer id, because the ids of the "
        "two directions are independent");
  return success();
}

std::optional<BarrierType> DMABarrierOp::getBarrierType() {
  if (!getDirection())
    return std::nullopt;
  return waitsForReads() ? BarrierType::DMARead : BarrierType::DMAWrite;
}

bool DMABarrierOp::isGlobalBarrier() { return !getId(); }

// Erases a barrier if an earlier barrier waits for the same transfers and no op between
// the two starts a transfer.
LogicalResult DMABarrierOp::canonicalize(DMABarrierOp op, PatternRewriter &rewriter) {
  auto covers = [&](DMABarrierOp other) {
    return (!other.getId() || other.getId() == op.getId()) &&
           (!op.waitsForReads() || other.waitsForReads()) &&
           (!op.waitsForWrites() || other.waitsForWrites());
  };
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto other = dyn_cast<DMABarrierOp>(before);
    if (other && covers(other)) {
      rewriter.eraseOp(op);
      return success();
    }
    if (before->getNumRegions() != 0 ||
        isa<CopyOp, CopyBufferOp, SendOp, SendMulticastOp, ReceiveOp, SemaphoreSetOp>(before))
      return failure();
  }
  return failure();
}
