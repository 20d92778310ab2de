//===- AccumulateInDST.cpp - ttl-accumulate-in-dst ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: what a loop accumulates (`y += e`) is carried from iteration to iteration
// through a buffer marked `accumulator`: packed, and loaded again.
//
// For the loops of each IR block that carry such buffers, from the outside in:
// 1. Take a loop with all that it and the loops in it carry, and with the loops after it
//    that go on with its result; fewer of these loops if that fails.
// 2. Nothing else may be packed from the first value before the loops to the first use
//    of what they return, so that all of it can be one DST section.
// 3. Loads, packs and the step to the next iteration become copies between registers.
//    Most need no instruction, because source and target can share a register. The
//    section's registers are allocated anew (RegisterAllocation.h).
// 4. If the registers suffice, loads become `ttl.dst_tile`, packs and buffers go
//    away. Registers that must be fresh in the loop or after it are filled.
//
// Needs computes whose tiles all are in one section (ttl-unroll-compute-loops).
// Rejects nothing; other loops keep their buffers.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/dst/DSTCapacity.h"
#include "passes/loops/AccumulatorSection.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLACCUMULATEINDST
#include "passes/loops/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

/// Loops that are tried in one section.
constexpr size_t kMostLoops = 8;

class ThreadAccumulation {
public:
  explicit ThreadAccumulation(ThreadBinding &binding)
      : binding(binding), capacity(dstCapacityOf(binding.program, binding.thread.getResources())) {}

  /// Replaces the buffers of the loops in `block`, nested ones included, where that can
  /// be done; returns how many.
  unsigned run(Block &block);

private:
  size_t runChain(ArrayRef<scf::ForOp> loops, Operation *&previous);

  ThreadBinding &binding;
  int capacity;
  unsigned replaced = 0;
};

// Returns how many of the loops, from the first one on, are in registers now.
size_t ThreadAccumulation::runChain(ArrayRef<scf::ForOp> loops, Operation *&previous) {
  for (size_t count = std::min(loops.size(), kMostLoops); count > 0; --count) {
    AccumulatorSection section(loops.take_front(count), binding, capacity);
    if (!section.plan(previous))
      continue;
    section.rewrite();
    previous = section.end();
    replaced += section.numAccumulators();
    return count;
  }
  return 0;
}

unsigned ThreadAccumulation::run(Block &block) {
  SmallVector<scf::ForOp> carrying =
      llvm::filter_to_vector(block.getOps<scf::ForOp>(), [&](scf::ForOp loop) {
        return !accumulatorsOf(loop, binding).empty();
      });
  DenseSet<Operation *> done;
  Operation *previous = nullptr;
  for (size_t first = 0; first < carrying.size();) {
    ArrayRef<scf::ForOp> rest = ArrayRef(carrying).drop_front(first);
    size_t count = runChain(rest, previous);
    done.insert_range(rest.take_front(count));
    first += std::max<size_t>(count, 1);
  }
  for (Operation &op : block)
    if (!done.contains(&op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          run(inner);
  return replaced;
}

// A buffer without users is no longer bound, and exists no longer.
void dropUnused(ThreadBinding &binding) {
  for (int i = binding.function.getNumArguments() - 1; i >= 0; --i) {
    auto buffer = binding.thread.getResources()[i].getDefiningOp<ttl::CreateCBOp>();
    if (!buffer || !buffer.getCompilerMade() || !binding.function.getArgument(i).use_empty())
      continue;
    if (failed(binding.function.eraseArgument(i)))
      continue;
    binding.thread->eraseOperand(i);
    if (buffer->use_empty())
      buffer.erase();
  }
}

struct AccumulateInDST : ttjit::impl::TTLAccumulateInDSTBase<AccumulateInDST> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation())) {
      if (!binding.isCompute())
        continue;
      unsigned replaced = 0;
      for (Block &block : binding.function.getBody())
        replaced += ThreadAccumulation(binding).run(block);
      if (replaced)
        dropUnused(binding);
      numAccumulators += replaced;
    }
  }
};

} // namespace
