//===- TTLTransferOps.cpp - what waiting for transfers implies ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

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

// A transfer that started before a barrier of its direction is complete. So is one
// that was waited for; but in a kernel a second wait is a mistake that
// ttl-verify-protocol reports.
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
// ttl.dma_barrier
//===--------------------------------------------------------------------------===//

LogicalResult DMABarrierOp::verify() {
  if (getId() && !getDirection())
    return emitOpError("waits for one transfer id without 'reads' or 'writes': ids of the two "
                       "directions are independent");
  return success();
}

std::optional<BarrierType> DMABarrierOp::getBarrierType() {
  if (!getDirection())
    return std::nullopt;
  return waitsForReads() ? BarrierType::DMARead : BarrierType::DMAWrite;
}

bool DMABarrierOp::isGlobalBarrier() { return !getId(); }

// Nothing that `op` waits for is in flight after a barrier that waits for it too.
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
    if (isa<CopyOp, CopyBufferOp, SendOp, SendMulticastOp, ReceiveOp, SemaphoreSetOp>(before) || before->getNumRegions() != 0)
      return failure();
  }
  return failure();
}
