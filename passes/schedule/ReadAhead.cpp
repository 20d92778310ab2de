//===- ReadAhead.cpp - loops that read ahead ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/ReadAhead.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

void ReadAheadLoops::erase() {
  if (root)
    return root->erase();
  if (rest)
    rest.erase();
  main.erase();
}

std::optional<int64_t> ttjit::iterationsOf(scf::ForOp loop) {
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  return count ? std::optional(count->getSExtValue()) : std::nullopt;
}

namespace {

// Creates arithmetic on the bounds of a loop.
class LoopWriter {
public:
  explicit LoopWriter(scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()), step(loop.getStep()) {}

protected:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value times(Value value, int64_t factor) {
    if (std::optional<int64_t> known = getConstantIntValue(value))
      return constant(*known * factor);
    return arith::MulIOp::create(builder, loc, value, constant(factor));
  }
  Value plus(Value a, Value b) {
    std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
    return x && y ? constant(*x + *y) : arith::AddIOp::create(builder, loc, a, b);
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Value step;
};

//===--------------------------------------------------------------------------===//
// Groups
//===--------------------------------------------------------------------------===//

class LoopGrouper : LoopWriter {
public:
  LoopGrouper(scf::ForOp loop, int64_t distance) : LoopWriter(loop), distance(distance) {}

  // Creates the loops. If the number of iterations is not known, the first one returns the
  // iteration at which it ended.
  ReadAheadLoops create() {
    Value groupStep = times(step, distance);
    std::optional<int64_t> count = iterationsOf(loop);
    Value last = count ? plus(loop.getLowerBound(), times(step, *count / distance * distance))
                       : lastGroupEnd();
    SmallVector<Value> carried;
    if (!count)
      carried.push_back(loop.getLowerBound());
    SmallVector<Value> offsets;
    for (int64_t k = 1; k < distance; ++k)
      offsets.push_back(times(step, k));
    auto groups = scf::ForOp::create(builder, loc, loop.getLowerBound(), last, groupStep, carried);
    fill(groups, groupStep, offsets);
    ReadAheadLoops result{groups, {}};
    if (!count || *count % distance) {
      result.rest = cast<scf::ForOp>(builder.clone(*loop));
      result.rest.setLowerBound(count ? last : groups.getResult(0));
    }
    return result;
  }

private:
  // Returns the bound of groups: the last iteration of a group must be below the upper bound.
  Value lastGroupEnd() { return plus(loop.getUpperBound(), times(step, 1 - distance)); }

  void fill(scf::ForOp groups, Value groupStep, ArrayRef<Value> offsets) {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = groups.getBody();
    if (!body->empty())
      body->getTerminator()->erase();
    builder.setInsertionPointToEnd(body);
    Value iv = groups.getInductionVar();
    for (int64_t k = 0; k < distance; ++k) {
      IRMapping mapping;
      mapping.map(loop.getInductionVar(),
                  k ? arith::AddIOp::create(builder, loc, iv, offsets[k - 1]) : iv);
      for (Operation &op : loop.getBody()->without_terminator())
        builder.clone(op, mapping);
    }
    SmallVector<Value> next;
    if (groups.getNumRegionIterArgs())
      next.push_back(arith::AddIOp::create(builder, loc, iv, groupStep));
    scf::YieldOp::create(builder, loc, next);
  }

  int64_t distance;
};

//===--------------------------------------------------------------------------===//
// A pipeline
//===--------------------------------------------------------------------------===//

class ReadPipeliner : LoopWriter {
public:
  ReadPipeliner(scf::ForOp loop, int64_t distance) : LoopWriter(loop), distance(distance) {
    llvm::append_range(copies, loop.getBody()->getOps<ttl::CopyOp>());
  }

  ReadAheadLoops create() {
    if (iterationsOf(loop))
      return {pipeline(), {}};
    ReadAheadLoops result;
    Value last = plus(loop.getLowerBound(), times(step, distance - 1));
    Value enough =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, last, loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, enough, /*withElseRegion=*/true);
    result.root = branch;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    result.main = pipeline();
    builder.setInsertionPointToStart(branch.elseBlock());
    result.rest = cast<scf::ForOp>(builder.clone(*loop));
    return result;
  }

private:
  using Handles = SmallVector<Value>;

  scf::ForOp pipeline() {
    Handles inFlight;
    for (int64_t k = 0; k < distance; ++k)
      llvm::append_range(inFlight, issue(plus(loop.getLowerBound(), times(step, k))));
    Value ahead = times(step, distance);
    Value end = plus(loop.getUpperBound(), times(step, -distance));
    auto steady = scf::ForOp::create(builder, loc, loop.getLowerBound(), end, step, inFlight);
    fill(steady, ahead);
    for (int64_t k = 0; k < distance; ++k)
      complete(steady.getResults().slice(k * copies.size(), copies.size()));
    return steady;
  }

  void fill(scf::ForOp steady, Value ahead) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(steady.getBody());
    Handles issued = issue(arith::AddIOp::create(builder, loc, steady.getInductionVar(), ahead));
    ValueRange carried = steady.getRegionIterArgs();
    complete(carried.take_front(copies.size()));
    Handles next(carried.drop_front(copies.size()));
    llvm::append_range(next, issued);
    scf::YieldOp::create(builder, loc, next);
  }

  // Copies all ops of the iteration except its waits and pushes.
  Handles issue(Value iv) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), iv);
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<ttl::WaitOp, ttl::CBPushOp>(op))
        builder.clone(op, mapping);
    return llvm::map_to_vector(copies,
                               [&](ttl::CopyOp copy) { return mapping.lookup(copy.getXf()); });
  }

  // Copies the waits and pushes of the oldest iteration, in order: the blocks that it
  // reserved are the oldest ones that the thread holds.
  void complete(ValueRange handles) {
    for (Operation &op : *loop.getBody()) {
      if (auto wait = dyn_cast<ttl::WaitOp>(op)) {
        auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
        ttl::WaitOp::create(builder, op.getLoc(),
                            handles[llvm::find(copies, copy) - copies.begin()]);
      } else if (auto push = dyn_cast<ttl::CBPushOp>(op)) {
        Value buffer = push.getBlock().getDefiningOp()->getOperand(0);
        Value block = ttl::HeldBlockOp::create(builder, op.getLoc(), push.getBlock().getType(),
                                               buffer, /*older=*/0, /*reserved=*/true);
        ttl::CBPushOp::create(builder, op.getLoc(), block);
      }
    }
  }

  int64_t distance;
  SmallVector<ttl::CopyOp> copies;
};

} // namespace

ReadAheadLoops ttjit::groupIterations(scf::ForOp loop, int64_t distance) {
  return LoopGrouper(loop, distance).create();
}

ReadAheadLoops ttjit::pipelineReads(scf::ForOp loop, int64_t distance) {
  return ReadPipeliner(loop, distance).create();
}
