//===- OptimizeBufferFactor.cpp - transform.ttl.optimize_buffer_factor --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: with one block per buffer, producer and consumer run in turn. Blocks beyond
// those that both sides hold at a time only cost L1.
//
// 1. Find for each buffer how many blocks it needs (as many as one thread holds at a
//    time) and how many help (as many as both sides hold together, but not more than go
//    through it).
// 2. Remove the blocks beyond these, if all threads provably finish with fewer.
// 3. Add blocks to the other buffers, the cheapest first, while L1 has room
//    (KernelL1.h).
//
// Rejects: buffers of several kernels, or that have an address; a kernel whose
// buffers exceed the limit as they are.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/BufferPages.h"
#include "passes/schedule/BufferSteps.h"
#include "passes/schedule/KernelL1.h"
#include "passes/schedule/TTLTransformOps.h"
#include "passes/schedule/TokenFlow.h"
#include "passes/schedule/TransferSchedule.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

class FactorChooser {
public:
  FactorChooser(const KernelView &kernel, ArrayRef<ttl::CreateCBOp> targets, int64_t maxFactor,
                int64_t limit)
      : kernel(kernel), targets(targets), maxFactor(maxFactor), limit(limit), flow(kernel) {
    for (ttl::CreateCBOp buffer : kernel.getBuffers())
      blocks[buffer] = buffer.getType().getBufferFactor();
    for (const KernelView::Thread &thread : kernel.getThreads())
      for (auto [buffer, count] : heldBlocks(kernel, thread.op)) {
        sides[buffer] += 1;
        together[buffer] += count;
        held[buffer] = std::max(held.lookup(buffer), count);
      }
  }

  // Chooses the blocks of all buffers; returns false if the buffers do not fit.
  bool choose() {
    for (ttl::CreateCBOp buffer : targets)
      shrink(buffer);
    if (bytes() > limit)
      return false;
    SmallVector<ttl::CreateCBOp> cheapest(targets);
    llvm::sort(cheapest, [](ttl::CreateCBOp a, ttl::CreateCBOp b) {
      if (ttl::blockBytesOf(a) != ttl::blockBytesOf(b))
        return ttl::blockBytesOf(a) < ttl::blockBytesOf(b);
      return a->isBeforeInBlock(b);
    });
    for (bool grew = true; grew;) {
      grew = false;
      for (ttl::CreateCBOp buffer : cheapest)
        grew |= grow(buffer);
    }
    return true;
  }

  int64_t bytes() const {
    return bytesOfL1(kernel, [&](ttl::CreateCBOp buffer) { return blocks.lookup(buffer); }, limit);
  }

  void apply() {
    for (ttl::CreateCBOp buffer : targets)
      if (blocks.lookup(buffer) != buffer.getType().getBufferFactor())
        kernel.setBlockCount(buffer, blocks.lookup(buffer));
  }

private:
  int64_t needed(ttl::CreateCBOp buffer) { return std::max<int64_t>(held.lookup(buffer), 1); }

  int64_t profitable(ttl::CreateCBOp buffer) {
    int64_t count = sides.lookup(buffer) > 1 ? together.lookup(buffer) : needed(buffer);
    if (!flow.unknown())
      count = std::min(count, std::max<int64_t>(flow.blocksThrough(buffer), 1));
    return std::min(std::max(count, needed(buffer)), kMostBlocks);
  }

  void shrink(ttl::CreateCBOp buffer) {
    int64_t now = blocks.lookup(buffer), least = profitable(buffer);
    if (now <= least || flow.unknown())
      return;
    blocks[buffer] = least;
    if (!flow.finishes(blocks))
      blocks[buffer] = now;
  }

  bool grow(ttl::CreateCBOp buffer) {
    int64_t now = blocks.lookup(buffer);
    if (now >= profitable(buffer) || now >= maxFactor)
      return false;
    blocks[buffer] = now + 1;
    if (bytes() <= limit)
      return true;
    blocks[buffer] = now;
    return false;
  }

  const KernelView &kernel;
  ArrayRef<ttl::CreateCBOp> targets;
  int64_t maxFactor, limit;
  TokenFlow flow;
  DenseMap<Operation *, int64_t> blocks, held, together, sides;
};

} // namespace

DiagnosedSilenceableFailure TTLOptimizeBufferFactorOp::apply(TransformRewriter &,
                                                             TransformResults &results,
                                                             TransformState &state) {
  SmallVector<ttl::CreateCBOp> buffers;
  std::optional<KernelView> kernel;
  SmallVector<Operation *> payload = llvm::to_vector(state.getPayloadOps(getTarget()));
  for (Operation *op : payload) {
    auto buffer = dyn_cast<ttl::CreateCBOp>(op);
    if (!buffer)
      return failAt(*this, op) << "the targets must be ttl.create_cb ops";
    if (buffer.isTensorBacked())
      return failAt(*this, op) << "'" << buffer.getName()
                               << "' is backed by a tensor, so its number of blocks is fixed";
    if (buffer.getAddress())
      return failAt(*this, op)
             << "'" << buffer.getName()
             << "' already has an address in L1: apply the schedule before stage buffers";
    std::optional<KernelView> own = KernelView::around(op);
    if (!own || (kernel && kernel->getOperation() != own->getOperation()))
      return failAt(*this, op) << "the targets must be buffers of one kernel";
    if (!kernel)
      kernel = std::move(own);
    buffers.push_back(buffer);
  }
  if (kernel) {
    int64_t available = kernel->getArch().l1Available();
    int64_t limit = std::min<int64_t>(getL1Bytes().value_or(available), available);
    FactorChooser chooser(*kernel, buffers, getMaxFactor(), limit);
    if (!chooser.choose())
      return failAt(*this, kernel->getOperation())
             << "the kernel's buffers already take " << chooser.bytes() << " bytes of L1, but "
             << limit << " are allowed: make blocks smaller";
    chooser.apply();
  }
  results.set(cast<OpResult>(getResult()), payload);
  return DiagnosedSilenceableFailure::success();
}
