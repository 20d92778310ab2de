//===- TokenFlow.cpp - do these block counts let every thread finish? -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TokenFlow.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

/// Beyond this a proof costs more than it is worth.
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

// Ops that wait for no other thread.
static bool neverBlocks(const KernelView &kernel, Operation &op) {
  if (auto copy = dyn_cast<ttl::CopyOp>(op))
    return kernel.tensorOf(copy) != nullptr;
  return isa<ttl::WaitOp, ttl::DMABarrierOp, ttl::ComputeOp, ttl::BlockStoreOp, func::ReturnOp,
             scf::YieldOp>(op) ||
         onlyMayFault(&op);
}

bool TokenFlow::follow(Operation &op, Trace &trace) {
  static constexpr auto kinds = [](Operation &op) -> std::optional<Kind> {
    if (isa<ttl::CBReserveOp>(op))
      return Kind::Reserve;
    if (isa<ttl::CBPushOp>(op))
      return Kind::Push;
    if (isa<ttl::CBWaitOp>(op))
      return Kind::Wait;
    if (isa<ttl::CBPopOp>(op))
      return Kind::Pop;
    return std::nullopt;
  };
  if (std::optional<Kind> kind = kinds(op)) {
    bool acquires = kind == Kind::Reserve || kind == Kind::Wait;
    trace.push_back({*kind, acquires ? kernel.bufferOf(&op) : kernel.bufferOf(op.getOperand(0))});
    if (trace.size() <= kMaxEvents)
      return true;
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (std::optional<llvm::APInt> count = loop.getStaticTripCount()) {
      size_t before = trace.size();
      for (uint64_t i = 0; i < count->getZExtValue(); ++i) {
        if (!follow(loop.getRegion(), trace))
          return false;
        if (trace.size() == before)
          break; // nothing that blocks inside
      }
      return true;
    }
  } else if (neverBlocks(kernel, op)) {
    return true;
  }
  obstacle = &op;
  return false;
}

int64_t TokenFlow::blocksThrough(ttl::CreateCBOp buffer) const {
  int64_t count = 0;
  for (const Trace &trace : traces)
    count += llvm::count_if(trace, [&](const Event &event) {
      return event.kind == Kind::Push && event.buffer == buffer;
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
  auto step = [&](const Event &event) {
    Queue &queue = queues[event.buffer];
    switch (event.kind) {
    case Kind::Reserve:
      if (queue.reserved - queue.popped >= blocks.lookup(event.buffer))
        return false;
      ++queue.reserved;
      return true;
    case Kind::Push:
      ++queue.pushed;
      return true;
    case Kind::Wait:
      if (queue.waited >= queue.pushed)
        return false;
      ++queue.waited;
      return true;
    case Kind::Pop:
      ++queue.popped;
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
