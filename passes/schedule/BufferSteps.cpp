//===- BufferSteps.cpp - a thread's use of circular buffers -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/BufferSteps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

std::optional<BufferStep> ttjit::bufferStepOf(const KernelView &kernel, Operation *op) {
  std::optional<BufferOp> kind = bufferOpOf(op);
  if (!kind)
    return std::nullopt;
  bool namesBuffer = isa<ttl::CBReserveOp, ttl::CBWaitOp, ttl::CBPublishOp>(op);
  return BufferStep{*kind, namesBuffer ? kernel.bufferOf(op) : kernel.bufferOf(op->getOperand(0))};
}

llvm::MapVector<ttl::CreateCBOp, int64_t> ttjit::heldBlocks(const KernelView &kernel,
                                                            ArrayRef<Operation *> ops) {
  llvm::MapVector<ttl::CreateCBOp, int64_t> most;
  DenseMap<std::pair<Operation *, unsigned>, int64_t> held; // by buffer and side
  auto visit = [&](Operation *op) {
    std::optional<BufferStep> step = bufferStepOf(kernel, op);
    if (!step || !step->buffer || step->op == BufferOp::Publish)
      return;
    int64_t &now = held[{step->buffer, step->consumes()}];
    now += step->acquires() ? 1 : -1;
    if (step->acquires())
      most[step->buffer] = std::max(most[step->buffer], now);
  };
  for (Operation *op : ops)
    op->walk<WalkOrder::PreOrder>(visit);
  return most;
}
