//===- FuseReductions.cpp - loops of reductions as one call -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A reduction of a block is a loop whose trips reduce one tile each into the same register.
// A call per tile reads and writes this register. The loop becomes
//
//   if ttl_hw_reduce_tiles(thread, ...) == 0   performs all calls and counts all steps of the
//                                              loop, if none would fault or tell a listener
//     the loop
//
// so that faults, positions and events are those of the loop.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"
#include "passes/llvm/LoopNumbers.h"
#include "passes/llvm/ProductNest.h"

#include "hw/facts/TileReductions.h"
#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tollvm;

namespace {

// A loop that only reduces tiles.
struct Reduction {
  ttkernel::ReduceTileOp op;
  scf::ForOp loop;
  hw::ReductionFacts facts;
};

} // namespace

static std::optional<Reduction> findReduction(ttkernel::ReduceTileOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || loop.getNumResults() != 0 || !onlyRuns(op, loop) ||
      !loop.isDefinedOutsideOfLoop(op.getScalingIndex()) ||
      !loop.isDefinedOutsideOfLoop(op.getDst()))
    return std::nullopt;
  std::optional<int32_t> in = bufferNumber(op.getIn()), scaling = bufferNumber(op.getScaling());
  std::optional<int64_t> trips = tripsOf(loop), growth = growthOf(op.getIndex(), loop);
  if (!in || !scaling || !trips || *trips > hw::kMaxReducedTiles || !growth)
    return std::nullopt;
  int64_t step = *growth * *constantNumber(loop.getStep());
  if (std::abs(step) > kMaxTrips)
    return std::nullopt;
  auto count = static_cast<int32_t>(*trips);
  // Each trip counts a call and a back-edge.
  return Reduction{
      op, loop, {*in, *scaling, reduceKind(op), count, static_cast<int32_t>(step), 2 * count}};
}

static LogicalResult writeReduction(Reduction &reduction, CallBuilder &calls) {
  scf::ForOp loop = reduction.loop;
  ttkernel::ReduceTileOp op = reduction.op;
  Location loc = op.getLoc();
  OpBuilder builder(loop);
  IRMapping copies;
  copies.map(loop.getInductionVar(), loop.getLowerBound());
  Value index = copyOut(op.getIndex(), loop, builder, copies);
  const hw::ReductionFacts &facts = reduction.facts;
  Value words = calls.constantWords(
      builder, loc, {facts.cb, facts.cbScaling, facts.kind, facts.count, facts.step, facts.steps});
  auto reduced =
      calls.callAt(builder, op, "ttl_hw_reduce_tiles",
                   {words, index, op.getScalingIndex(), op.getDst()}, builder.getI32Type());
  if (!reduced)
    return failure();
  Value isLeft = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, reduced.getResult(),
                                      calls.constant(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
  loop->moveBefore(branch.thenYield());
  return success();
}

LogicalResult ttjit::tollvm::fuseReductions(ModuleOp module, CallBuilder &calls) {
  SmallVector<Reduction, 0> reductions;
  module.walk([&](ttkernel::ReduceTileOp op) {
    if (std::optional<Reduction> reduction = findReduction(op))
      reductions.push_back(*reduction);
  });
  for (Reduction &reduction : reductions)
    if (failed(writeReduction(reduction, calls)))
      return failure();
  return success();
}
