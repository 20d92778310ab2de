//===- InsertPrefetch.cpp - transform.ttl.insert_prefetch -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread that reads one block per iteration has one transfer in flight
// and idles until it lands.
//
// 1. Check the loop: nothing carried, only transfers, blocks and arithmetic in
//    its body, reads of tensors that no thread writes.
// 2. Write a loop over groups of `distance` iterations, and one over the rest.
// 3. Order the group's body (TransferSchedule): all reserves and reads, then waits
//    and pushes in order. Buffers grow so that no reserve waits for more than it
//    did; they must fit into L1.
//
// Rejects what does not meet this; the loop then stays as it was.
//===--------------------------------------------------------------------------===//

#include "passes/Transform/TTLTransformOps.h"
#include "passes/Transform/TransferSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Preconditions
//===--------------------------------------------------------------------------===//

struct Obstacle {
  Operation *op = nullptr; ///< null: none
  std::string why;
};

Obstacle checkOp(const KernelView &kernel, Operation &op) {
  if (isa<ttl::CBReserveOp, ttl::CBPushOp, ttl::CheckIndexOp, scf::YieldOp>(op))
    return {};
  if (auto wait = dyn_cast<ttl::WaitOp>(op)) {
    if (!wait.getXf().getDefiningOp<ttl::CopyOp>())
      return {&op, "waits for a transfer that another iteration started"};
    return {};
  }
  auto copy = dyn_cast<ttl::CopyOp>(op);
  if (!copy)
    return isMemoryEffectFree(&op)
               ? Obstacle()
               : Obstacle{&op, "this op keeps reads of later iterations from going ahead"};
  Value tensor = kernel.tensorOf(copy);
  if (!tensor || !copy.isRead())
    return {&op, "only reads of tensors can go ahead"};
  if (kernel.isWritten(tensor))
    return {&op, "the kernel also writes this tensor, so what is read depends on when"};
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

//===--------------------------------------------------------------------------===//
// The two loops
//===--------------------------------------------------------------------------===//

class LoopGrouper {
public:
  LoopGrouper(scf::ForOp loop, int64_t distance)
      : loop(loop), distance(distance), builder(loop), loc(loop.getLoc()) {}

  /// Iterations of the loop, if known.
  std::optional<int64_t> iterations() {
    std::optional<llvm::APInt> count = loop.getStaticTripCount();
    return count ? std::optional(count->getSExtValue()) : std::nullopt;
  }

  /// Writes the loops in front of the old one. Where the number of iterations is
  /// not known, the first hands on where it ended.
  void create() {
    step = loop.getStep();
    Value groupStep = times(step, distance);
    std::optional<int64_t> count = iterations();
    Value last = count ? end(*count / distance * distance) : lastGroupEnd();
    SmallVector<Value> carried;
    if (!count)
      carried.push_back(loop.getLowerBound());
    groups = scf::ForOp::create(builder, loc, loop.getLowerBound(), last, groupStep, carried);
    fillGroups(groupStep);
    if (!count || *count % distance)
      createRest(count ? last : groups.getResult(0));
  }

  scf::ForOp groups, rest; ///< `rest` may be null

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value times(Value value, int64_t factor) {
    if (std::optional<int64_t> known = getConstantIntValue(value))
      return constant(*known * factor);
    return arith::MulIOp::create(builder, loc, value, constant(factor));
  }
  Value plus(Value a, Value b) {
    std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
    return x && y ? constant(*x + *y) : arith::AddIOp::create(builder, loc, a, b);
  }
  Value end(int64_t iterations) { return plus(loop.getLowerBound(), times(step, iterations)); }
  /// A group begins where its last iteration is still below the upper bound.
  Value lastGroupEnd() {
    return plus(loop.getUpperBound(), times(step, 1 - distance));
  }

  void fillGroups(Value groupStep) {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = groups.getBody();
    if (body->mightHaveTerminator() && !body->empty())
      body->getTerminator()->erase();
    builder.setInsertionPointToEnd(body);
    for (int64_t k = 0; k < distance; ++k) {
      IRMapping mapping;
      Value iv = groups.getInductionVar();
      mapping.map(loop.getInductionVar(),
                  k ? arith::AddIOp::create(builder, loc, iv, offsets(k)) : iv);
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    SmallVector<Value> next;
    if (groups.getNumRegionIterArgs())
      next.push_back(arith::AddIOp::create(builder, loc, groups.getInductionVar(), groupStep));
    scf::YieldOp::create(builder, loc, next);
  }

  Value offsets(int64_t k) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(groups);
    return times(step, k);
  }

  void createRest(Value from) {
    rest = cast<scf::ForOp>(builder.clone(*loop));
    rest.setLowerBound(from);
  }

  scf::ForOp loop;
  int64_t distance;
  OpBuilder builder;
  Location loc;
  Value step;
};

} // namespace

//===--------------------------------------------------------------------------===//
// The op
//===--------------------------------------------------------------------------===//

DiagnosedSilenceableFailure
TTLInsertPrefetchOp::applyToOne(TransformRewriter &rewriter, scf::ForOp loop,
                                ApplyToEachResultList &results, TransformState &) {
  std::optional<KernelView> kernel = KernelView::around(loop);
  if (!kernel)
    return failAt(*this, loop) << "prefetches in a loop of a kernel";
  if (Obstacle obstacle = checkLoop(*kernel, loop); obstacle.op)
    return failAt(*this, obstacle.op) << "cannot prefetch: " << obstacle.why;

  int64_t distance = getDistance();
  LoopGrouper grouper(loop, distance);
  if (std::optional<int64_t> count = grouper.iterations(); count && *count < distance)
    return failAt(*this, loop) << "cannot prefetch over a distance of " << distance
                        << ": the loop has " << *count << " iterations";
  int64_t reads = llvm::range_size(loop.getBody()->getOps<ttl::CopyOp>());
  int64_t ids = kernel->getArch().numTransferIds;
  if (reads * distance > ids)
    return failAt(*this, loop) << "cannot prefetch over a distance of " << distance << ": "
                        << reads * distance << " transfers would be in flight; "
                        << kernel->getArch().name << " has " << ids << " transfer ids";

  grouper.create();
  auto undo = [&] {
    if (grouper.rest)
      grouper.rest.erase();
    grouper.groups.erase();
  };
  TransferSchedule schedule(*kernel, *grouper.groups.getBody(), /*moveReserves=*/true);
  BufferGrowth growth(*kernel);
  growth.requireFor(schedule);
  std::string problem = growth.problem();
  if (problem.empty() && schedule.copiesAhead() < reads * distance)
    problem = "the reads of an iteration depend on each other";
  if (!problem.empty()) {
    undo();
    return failAt(*this, loop) << "cannot prefetch over a distance of " << distance << ": " << problem;
  }
  schedule.apply();
  growth.apply();
  rewriter.eraseOp(loop);
  results.push_back(grouper.groups.getOperation());
  results.push_back(grouper.rest ? grouper.rest.getOperation() : nullptr);
  return DiagnosedSilenceableFailure::success();
}
