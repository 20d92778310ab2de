//===- BufferSteps.cpp - a thread's use of circular buffers ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/BufferSteps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

std::optional<BufferStep> ttjit::bufferStepOf(const KernelView &kernel, Operation *op) {
  auto release = [&](BufferStep::Kind kind) {
    return BufferStep{kind, kernel.bufferOf(op->getOperand(0))};
  };
  return llvm::TypeSwitch<Operation *, std::optional<BufferStep>>(op)
      .Case([&](ttl::CBReserveOp) { return BufferStep{BufferStep::Reserve, kernel.bufferOf(op)}; })
      .Case([&](ttl::CBWaitOp) { return BufferStep{BufferStep::Wait, kernel.bufferOf(op)}; })
      .Case([&](ttl::CBPushOp) { return release(BufferStep::Push); })
      .Case([&](ttl::CBPopOp) { return release(BufferStep::Pop); })
      .Default([](Operation *) { return std::nullopt; });
}

llvm::MapVector<ttl::CreateCBOp, int64_t> ttjit::heldBlocks(const KernelView &kernel,
                                                            ArrayRef<Operation *> ops) {
  llvm::MapVector<ttl::CreateCBOp, int64_t> most;
  DenseMap<std::pair<Operation *, unsigned>, int64_t> held; // by buffer and side
  auto visit = [&](Operation *op) {
    std::optional<BufferStep> step = bufferStepOf(kernel, op);
    if (!step || !step->buffer)
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
