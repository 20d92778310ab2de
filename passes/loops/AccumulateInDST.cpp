//===- AccumulateInDST.cpp - ttl-accumulate-in-dst ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a value that a loop accumulates (`y += e`) passes from iteration to
// iteration through a buffer marked `accumulator`: it is packed, and loaded again.
//
// For the loops of each IR block that carry such buffers, from the outside in:
// 1. Take a loop with all values that it and the loops in it carry, and with the loops
//    after it that continue with its result. If that fails, try fewer of these loops.
// 2. Check that no other pack lies between the op that computes the first initial value
//    and the first use of the loops' results, so that all of it can be one DST section.
// 3. Turn loads, packs and the step to the next iteration into copies between
//    registers. Most need no instruction, because source and target can share a
//    register. Allocate the registers of the section anew (RegisterAllocation.h).
// 4. If the registers suffice, replace loads by `ttl.dst_tile` and erase packs and
//    buffers. Fill registers that must be unwritten in the loop or after it.
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

// Largest number of loops that are tried in one section.
constexpr size_t kMostLoops = 8;

class ThreadAccumulation {
public:
  explicit ThreadAccumulation(ThreadBinding &binding)
      : binding(binding), capacity(dstCapacityOf(binding.program, usedResources(binding))) {}

  // Replaces the buffers of the loops in `block` and of nested loops where possible;
  // returns the number of replaced buffers.
  unsigned run(Block &block);

private:
  size_t runChain(ArrayRef<scf::ForOp> loops, Operation *&previous);

  ThreadBinding &binding;
  int capacity;
  unsigned replaced = 0;
};

// Returns how many of the loops, counted from the first one, now accumulate in
// registers.
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

// Unbinds and erases buffers that no op uses any more.
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
