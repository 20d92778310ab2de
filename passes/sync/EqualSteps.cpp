//===- EqualSteps.cpp - proves that all nodes do the same steps ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/EqualSteps.h"

#include "ir/TTCpp/TTCpp.h"
#include "passes/common/DataFlow.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool usesBuffer(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || isa<ttl::CreateCBOp>(op))
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return effect.getResource() == ttl::BufferResource::get();
  });
}

static Operation *threadOf(Operation *op, ttl::KernelOp kernel) {
  return kernel.getBody().front().findAncestorOpInBlock(*op);
}

namespace {

// The threads that fill and empty each buffer.
class BufferUsers {
public:
  // Adds an op. Returns whether its order is understood, and one thread fills (empties) the buffer.
  bool add(Operation *op, Operation *thread) {
    if (isa<ttl::CBPushOp, ttl::CBPopOp>(op))
      return true; // the thread that acquired the block runs it
    if (auto reserve = dyn_cast<ttl::CBReserveOp>(op))
      return producers.try_emplace(reserve.getCb(), thread).first->second == thread;
    if (auto wait = dyn_cast<ttl::CBWaitOp>(op))
      return consumers.try_emplace(wait.getCb(), thread).first->second == thread;
    return false;
  }

private:
  DenseMap<Value, Operation *> producers, consumers;
};

} // namespace

bool ttjit::nodesUseBuffersAlike(ttl::KernelOp kernel) {
  BufferUsers users;
  return !kernel
              .walk([&](Operation *op) {
                if (isa<ttcpp::CallOp, ttl::CreateSemaphoreOp>(op))
                  return WalkResult::interrupt();
                if (!usesBuffer(op))
                  return WalkResult::advance();
                Operation *thread = threadOf(op, kernel);
                bool isKnown = timesRun(op, thread) && users.add(op, thread);
                return isKnown ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool ttjit::areOneStep(Operation *ifSource, Operation *ifDestination) {
  if (ifSource->getBlock() != ifDestination->getBlock())
    return false;
  bool sourceFirst = ifSource->isBeforeInBlock(ifDestination);
  Operation *last = sourceFirst ? ifDestination : ifSource;
  for (Operation *op = (sourceFirst ? ifSource : ifDestination)->getNextNode(); op != last;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}
