//===- TokenFlow.cpp - do these block counts let every thread finish? ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TokenFlow.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Largest number of events in a trace that is followed: with more, the proof would
// take too long.
static constexpr size_t kMaxEvents = 1 << 18;

TokenFlow::TokenFlow(const KernelView &kernel) : kernel(kernel) {
  for (const KernelView::Thread &thread : kernel.getThreads()) {
    traces.emplace_back();
    if (!follow(*thread.body, traces.back()))
      return;
  }
}

bool TokenFlow::follow(Region &region, Trace &trace) {
  for (Operation &op : region.getOps())
    if (!follow(op, trace))
      return false;
  return true;
}

// Returns whether the op waits for no other thread.
static bool neverBlocks(const KernelView &kernel, Operation &op) {
  if (auto copy = dyn_cast<ttl::CopyOp>(op))
    return kernel.tensorOf(copy) != nullptr;
  return isa<ttl::WaitOp, ttl::DMABarrierOp, ttl::ComputeOp, ttl::BlockStoreOp, func::ReturnOp,
             scf::YieldOp>(op) ||
         onlyMayFault(&op);
}

// Returns false if the number of iterations is not known. A body without steps is
// followed once.
bool TokenFlow::followLoop(scf::ForOp loop, Trace &trace) {
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  if (!count) {
    obstacle = loop;
    return false;
  }
  size_t before = trace.size();
  for (uint64_t i = 0; i < count->getZExtValue(); ++i) {
    if (!follow(loop.getRegion(), trace))
      return false;
    if (trace.size() == before)
      break;
  }
  return true;
}

bool TokenFlow::follow(Operation &op, Trace &trace) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return followLoop(loop, trace);
  std::optional<BufferStep> step = bufferStepOf(kernel, &op);
  if (step)
    trace.push_back(*step);
  bool known = step ? step->buffer && trace.size() <= kMaxEvents : neverBlocks(kernel, op);
  if (!known)
    obstacle = &op;
  return known;
}

int64_t TokenFlow::blocksThrough(ttl::CreateCBOp buffer) const {
  int64_t count = 0;
  for (const Trace &trace : traces)
    count += llvm::count_if(trace, [&](const BufferStep &step) {
      return step.op == BufferOp::Push && step.buffer == buffer;
    });
  return count;
}

namespace {

struct Queue {
  int64_t reserved = 0, pushed = 0, waited = 0, popped = 0;
};

} // namespace

bool TokenFlow::finishes(const DenseMap<Operation *, int64_t> &blocks) const {
  DenseMap<Operation *, Queue> queues;
  std::vector<size_t> at(traces.size());
  auto step = [&](const BufferStep &event) {
    Queue &queue = queues[event.buffer];
    switch (event.op) {
    case BufferOp::Reserve:
      if (queue.reserved - queue.popped >= blocks.lookup(event.buffer))
        return false;
      ++queue.reserved;
      return true;
    case BufferOp::Push:
      ++queue.pushed;
      return true;
    case BufferOp::Wait:
      if (queue.waited >= queue.pushed)
        return false;
      ++queue.waited;
      return true;
    case BufferOp::Pop:
      ++queue.popped;
      return true;
    case BufferOp::Publish: // waits until all blocks are popped
      if (queue.pushed != queue.popped)
        return false;
      queue.pushed += blocks.lookup(event.buffer);
      return true;
    }
    llvm_unreachable("every event steps");
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (auto [trace, position] : llvm::zip(traces, at))
      while (position < trace.size() && step(trace[position])) {
        ++position;
        progress = true;
      }
  }
  for (auto [trace, position] : llvm::zip(traces, at))
    if (position != trace.size())
      return false;
  return true;
}
