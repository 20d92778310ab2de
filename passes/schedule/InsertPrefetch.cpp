//===- InsertPrefetch.cpp - transform.ttl.insert_prefetch ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread that reads one block per iteration has one transfer in flight and
// waits idly until it lands.
//
// 1. Check the loop: it carries no values, its body has only transfers, blocks and
//    arithmetic, and it reads only tensors that no thread writes.
// 2. With groups: create a loop over groups of `distance` iterations, and one over the
//    rest. Reorder the body of a group (TransferSchedule): all reserves and reads, then
//    waits and pushes in order.
// 3. With a pipeline: create prologue, steady state and epilogue. The loop carries the
//    handles of the transfers in flight. It need not carry blocks: an iteration pushes
//    the oldest block that the thread holds.
// 4. Grow buffers so that no reserve waits longer than before; they must fit into L1.
//
// Rejects loops that do not meet this; they stay unchanged.
//===--------------------------------------------------------------------------===//

#include "passes/schedule/ReadAhead.h"
#include "passes/schedule/TTLTransformOps.h"
#include "passes/schedule/TransferSchedule.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Preconditions
//===--------------------------------------------------------------------------===//

struct Obstacle {
  Operation *op = nullptr; // op that prevents the prefetch; null if there is none
  std::string why;
};

Obstacle checkOp(const KernelView &kernel, Operation &op) {
  if (isa<ttl::CBReserveOp, ttl::CBPushOp, scf::YieldOp>(op))
    return {};
  if (auto wait = dyn_cast<ttl::WaitOp>(op)) {
    Operation *copy = wait.getXf().getDefiningOp();
    if (!copy || copy->getBlock() != op.getBlock())
      return {&op, "this wait is for a transfer of another iteration"};
    if (!copy->hasOneUse())
      return {&op, "this transfer is waited for twice"};
    return {};
  }
  auto copy = dyn_cast<ttl::CopyOp>(op);
  if (!copy)
    return onlyMayFault(&op)
               ? Obstacle()
               : Obstacle{&op, "this op keeps reads of later iterations from going ahead"};
  Value tensor = kernel.tensorOf(copy);
  if (!tensor || !copy.isRead())
    return {&op, "only reads of tensors can start earlier"};
  if (op.use_empty())
    return {&op, "this transfer is never waited for"};
  if (kernel.isWritten(tensor))
    return {&op, "the kernel also writes this tensor, so an earlier read could give other data"};
  return {};
}

Obstacle checkLoop(const KernelView &kernel, scf::ForOp loop) {
  if (!loop.getInitArgs().empty())
    return {loop, "the loop carries values from one iteration to the next"};
  if (llvm::none_of(kernel.getThreads(), [&](const KernelView::Thread &thread) {
        return !thread.isCompute && thread.body->isAncestor(loop->getParentRegion());
      }))
    return {loop, "the loop is in no data movement thread"};
  for (Operation &op : *loop.getBody())
    if (Obstacle found = checkOp(kernel, op); found.op)
      return found;
  if (loop.getBody()->getOps<ttl::CopyOp>().empty())
    return {loop, "the loop reads nothing"};
  return {};
}

} // namespace

//===--------------------------------------------------------------------------===//
// The op
//===--------------------------------------------------------------------------===//

// Number of iterations whose reads are in flight at the same time.
static int64_t iterationsHeld(TTLInsertPrefetchOp op) {
  return op.getForm() == "pipeline" ? op.getDistance() + 1 : op.getDistance();
}

static std::string tooFewIds(const KernelView &kernel, int64_t transfers) {
  // One id is kept for transfers that have no id of their own.
  int64_t ids = kernel.getArch().numTransferIds - 1;
  if (transfers <= ids)
    return "";
  return std::to_string(transfers) + " transfers would be in flight; " +
         std::string(kernel.getArch().name) + " has only " + std::to_string(ids) +
         " transfer ids for them";
}

// Requires the blocks for a pipeline: each reserve now precedes the pushes of `distance` earlier
// iterations.
static void requireForPipeline(BufferGrowth &growth, const KernelView &kernel, scf::ForOp loop,
                               int64_t distance) {
  llvm::MapVector<ttl::CreateCBOp, int64_t> reserves;
  for (auto reserve : loop.getBody()->getOps<ttl::CBReserveOp>())
    ++reserves[kernel.bufferOf(reserve.getOperation())];
  for (auto [buffer, count] : reserves)
    growth.require(buffer, buffer.getType().getBufferFactor() + count * distance);
}

static DiagnosedSilenceableFailure prefetch(TTLInsertPrefetchOp op, RewriterBase &rewriter,
                                            scf::ForOp loop, ReadAheadLoops &loops) {
  std::optional<KernelView> kernel = KernelView::around(loop);
  if (!kernel)
    return failAt(op, loop) << "the target must be a loop in a kernel";
  if (Obstacle obstacle = checkLoop(*kernel, loop); obstacle.op)
    return failAt(op, obstacle.op) << "cannot prefetch: " << obstacle.why;

  int64_t distance = op.getDistance(), held = iterationsHeld(op);
  auto refuse = [&] {
    return failAt(op, loop) << "cannot prefetch over a distance of " << distance << ": ";
  };
  if (std::optional<int64_t> count = iterationsOf(loop); count && *count < held)
    return refuse() << "the loop has only " << *count << " iterations";
  int64_t reads = llvm::range_size(loop.getBody()->getOps<ttl::CopyOp>());
  if (std::string problem = tooFewIds(*kernel, reads * held); !problem.empty())
    return refuse() << problem;

  BufferGrowth growth(*kernel);
  if (op.getForm() == "pipeline") {
    requireForPipeline(growth, *kernel, loop, distance);
    if (std::string problem = growth.problem(); !problem.empty())
      return refuse() << problem;
    loops = pipelineReads(loop, distance);
  } else {
    loops = groupIterations(loop, distance);
    TransferSchedule schedule(*kernel, *loops.main.getBody(), /*moveReserves=*/true);
    growth.requireFor(schedule);
    std::string problem = growth.problem();
    if (problem.empty() && schedule.copiesAhead() < reads * distance)
      problem = "the reads of an iteration depend on each other";
    if (!problem.empty()) {
      loops.erase();
      return refuse() << problem;
    }
    schedule.apply();
  }
  growth.apply();
  rewriter.eraseOp(loop);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure TTLInsertPrefetchOp::apply(TransformRewriter &rewriter,
                                                       TransformResults &results,
                                                       TransformState &state) {
  SmallVector<Operation *> main, rest;
  for (Operation *target : llvm::to_vector(state.getPayloadOps(getTarget()))) {
    auto loop = dyn_cast<scf::ForOp>(target);
    if (!loop)
      return failAt(*this, target) << "the target must be an scf.for";
    ReadAheadLoops loops;
    DiagnosedSilenceableFailure done = prefetch(*this, rewriter, loop, loops);
    if (!done.succeeded())
      return done;
    main.push_back(loops.main);
    if (loops.rest)
      rest.push_back(loops.rest);
  }
  results.set(cast<OpResult>(getLoop()), main);
  results.set(cast<OpResult>(getRest()), rest);
  return DiagnosedSilenceableFailure::success();
}
