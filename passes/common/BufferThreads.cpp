//===- BufferThreads.cpp - the threads of a buffer on each node ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/BufferThreads.h"

#include "passes/common/NodeDomains.h"
#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns bit p for processor p, on which the thread runs.
static int8_t processorBit(Operation *thread) {
  return static_cast<int8_t>(1 << int(ttl::processorOf(thread)));
}

// Returns null for an op outside of every thread, which runs on no node.
static Operation *threadOf(Operation *op) {
  while (op && !ttl::isThread(op))
    op = op->getParentOp();
  return op;
}

static bool isConditional(Operation *acquire) {
  for (Operation *op = acquire->getParentOp(); !ttl::isThread(op); op = op->getParentOp())
    if (!isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

void ttjit::noteBufferThreads(ttl::KernelOp kernel) {
  llvm::MapVector<BlockQueue, SmallVector<Operation *>> acquires;
  kernel.walk([&](Operation *op) {
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && threadOf(op))
      acquires[queueOf(op)].push_back(op);
  });
  NodeDomains domains(kernel);
  for (auto &[queue, ops] : acquires) {
    auto buffer = queue.first.getDefiningOp<ttl::CreateCBOp>();
    if (!buffer || llvm::none_of(ops, isConditional))
      continue;
    SmallVector<int8_t> threads(domains.numNodes());
    for (Operation *op : ops) {
      int8_t bit = processorBit(threadOf(op));
      for (int64_t node = 0; node < domains.numNodes(); ++node)
        if (domains.at(node, op) != NodeDomains::Runs::Never)
          threads[node] |= bit;
    }
    buffer->setAttr(queue.second ? kProducersAttr : kConsumersAttr,
                    DenseI8ArrayAttr::get(buffer.getContext(), threads));
  }
}
