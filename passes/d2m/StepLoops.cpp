//===- StepLoops.cpp - the iteration space of a d2m.generic -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: with block factors, a body is one step of a loop nest. In a reduction over steps the
// output's block holds the partial result: the body reads it before it writes it in the step.
//
// 1. Take the body from its blocking loops, if it has them.
// 2. Make loops over the parallel dimensions.
// 3. Without a partial result: loops over the reduction dimensions, too, around the whole body.
//    With one: the ops that compute partial results are in these loops, which carry the results.
//    All other ops run once after the loops, with the indices of the last step: each store of an
//    earlier step would have been overwritten.
//===--------------------------------------------------------------------------===//

#include "passes/d2m/StepLoops.h"

#include "passes/d2m/TileBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static constexpr StringLiteral kBlockingLoop = "d2m.blocking_loop";

namespace {

class Steps {
public:
  Steps(d2m::GenericOp generic, unsigned region, BodyLowering &lowering, OpBuilder &builder)
      : generic(generic), region(region), lowering(lowering), builder(builder),
        factors(generic.getBlockFactorValues()) {}

  LogicalResult run();

private:
  using Ops = llvm::SetVector<Operation *>;

  LogicalResult findBody();
  void findPartials();
  LogicalResult checkNested();
  void addNeeded(Operation *op, Ops &into);
  LogicalResult lowerAll(llvm::function_ref<bool(Operation *)> isWanted);
  LogicalResult emit(unsigned dim, bool reduction);
  LogicalResult emitReductions();
  scf::ForOp openLoop(unsigned dim, ValueRange carried = {});
  void setStep(unsigned dim, Value step);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, generic.getLoc(), value);
  }

  d2m::GenericOp generic;
  unsigned region;
  BodyLowering &lowering;
  OpBuilder &builder;
  SmallVector<int64_t> factors;
  Block *body = nullptr;
  SmallVector<Operation *> outside;          // ops between blocking loops
  llvm::DenseMap<unsigned, Value> variables; // of blocking loops, by dimension
  SmallVector<Operation *> partials;         // ops that continue a partial result
  Ops needed;                                // what the partial results are computed from
};

} // namespace

//===--------------------------------------------------------------------------===//
// The body
//===--------------------------------------------------------------------------===//

static Operation *blockingLoopIn(Block &block) {
  for (Operation &op : block)
    if (op.hasAttr(kBlockingLoop))
      return &op;
  return nullptr;
}

LogicalResult Steps::findBody() {
  body = &generic.getRegion(region).front();
  while (Operation *loop = blockingLoopIn(*body)) {
    auto dim = loop->getAttrOfType<IntegerAttr>(kBlockingLoop);
    Value variable;
    if (auto each = dyn_cast<affine::AffineForOp>(loop))
      variable = each.getInductionVar();
    else if (auto each = dyn_cast<scf::ForOp>(loop))
      variable = each.getInductionVar();
    if (!variable || loop->getNumResults() || !dim || dim.getInt() < 0 ||
        dim.getInt() >= int64_t(factors.size()))
      return loop->emitError("a blocking loop must be an affine.for or scf.for without results, "
                             "for one of the ")
             << factors.size() << " dimensions of the block factors";
    for (Operation &op : *body)
      if (&op != loop && !op.hasTrait<OpTrait::IsTerminator>()) {
        if (!isMemoryEffectFree(&op) && !isa<memref::AllocOp, memref::DeallocOp>(op))
          return op.emitOpError(
              "is beside a blocking loop, which is not supported: move it into the "
              "innermost one");
        if (!isa<d2m::GetBlockFactorOp>(op))
          outside.push_back(&op);
      }
    variables[dim.getInt()] = variable;
    body = loop->getRegion(0).empty() ? nullptr : &loop->getRegion(0).front();
  }
  return success();
}

static Value outputOf(Operation *op) {
  if (auto linalg = dyn_cast<linalg::GenericOp>(op))
    return linalg.getOutputs().front();
  return cast<d2m::TileMatmulBlockOp>(op).getOutput();
}

// Finds the ops that read an output into which nothing was written in this step.
void Steps::findPartials() {
  llvm::DenseSet<Value> written;
  for (Operation &op : *body) {
    if (auto linalg = dyn_cast<linalg::GenericOp>(op)) {
      if (linalg.getOutputs().empty())
        continue;
      if (readsOutput(linalg) && !written.contains(outputOf(&op)) &&
          (!outputOf(&op).getDefiningOp() ||
           !isa<linalg::GenericOp>(outputOf(&op).getDefiningOp())))
        partials.push_back(&op);
      written.insert(outputOf(&op));
    } else if (auto product = dyn_cast<d2m::TileMatmulBlockOp>(op)) {
      if (!written.contains(product.getOutput()))
        partials.push_back(&op);
      written.insert(product.getOutput());
    } else if (auto load = dyn_cast<d2m::RemoteLoadOp>(op)) {
      written.insert(load.getLocalBuffer());
    }
  }
}

// Returns whether the op accumulates into a tile that was loaded by itself.
static bool continuesTile(Operation *op) {
  auto tile = dyn_cast<d2m::TileOp>(op);
  if (!tile || isa<linalg::GenericOp>(op->getParentOp()))
    return false;
  d2m::TileForm form = tile.getRow().form;
  return form == d2m::TileForm::Matmul || form == d2m::TileForm::ReduceSum ||
         form == d2m::TileForm::ReduceMax;
}

// Fails if a loop inside the body would continue a partial result as well.
LogicalResult Steps::checkNested() {
  for (Operation &op : *body) {
    if (isa<linalg::GenericOp, d2m::TileMatmulBlockOp>(op))
      continue;
    WalkResult found = op.walk([&](Operation *inner) {
      auto linalg = dyn_cast<linalg::GenericOp>(inner);
      bool continues = isa<d2m::TileMatmulBlockOp>(inner) || (linalg && readsOutput(linalg)) ||
                       continuesTile(inner);
      return continues ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return op.emitOpError("continues a partial result in a loop of its own in a step of a "
                            "reduction, which is not supported");
  }
  return success();
}

// Adds what the op reads: the ops that define its operands, and those of the body before it that
// write them. Ops that continue a partial result end the search: loops carry what they make.
void Steps::addNeeded(Operation *op, Ops &into) {
  auto add = [&](Operation *other) {
    if (into.insert(other) && !llvm::is_contained(partials, other))
      addNeeded(other, into);
  };
  SmallVector<Value> read(op->getOperands());
  op->walk([&](Operation *inner) { llvm::append_range(read, inner->getOperands()); });
  for (Value operand : read) {
    if (Operation *definition = operand.getDefiningOp();
        definition && definition->getBlock() == body)
      add(definition);
    if (!isa<ShapedType>(operand.getType()))
      continue;
    for (Operation *user : operand.getUsers())
      if (user->getBlock() == body && user->isBeforeInBlock(op) && !isa<d2m::RemoteStoreOp>(user))
        add(user);
  }
}

LogicalResult Steps::lowerAll(llvm::function_ref<bool(Operation *)> isWanted) {
  for (Operation *op : outside)
    if (failed(lowering.lower(*op)))
      return failure();
  for (Operation &op : body->getOperations())
    if (!isa<affine::AffineYieldOp, scf::YieldOp>(op) && isWanted(&op) &&
        failed(lowering.lower(op)))
      return failure();
  lowering.releaseBlocks(body);
  return success();
}

//===--------------------------------------------------------------------------===//
// The loops
//===--------------------------------------------------------------------------===//

void Steps::setStep(unsigned dim, Value step) {
  lowering.steps[dim] = step;
  if (Value variable = variables.lookup(dim))
    lowering.numbers.map(variable, step);
}

scf::ForOp Steps::openLoop(unsigned dim, ValueRange carried) {
  auto loop = scf::ForOp::create(builder, generic.getLoc(), constant(0), constant(factors[dim]),
                                 constant(1), carried);
  builder.setInsertionPointToStart(loop.getBody());
  setStep(dim, loop.getInductionVar());
  return loop;
}

LogicalResult Steps::emitReductions() {
  SmallVector<Value> carried;
  for (Operation *op : partials) {
    Value start = lowering.identityFor(op, outputOf(op));
    if (!start)
      return op->emitOpError("continues a partial result whose tiles are not floats, which is not "
                             "supported");
    carried.push_back(start);
  }
  SmallVector<scf::ForOp> loops;
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned dim = 0; dim < factors.size(); ++dim)
    if (generic.isReduction(dim) && factors[dim] > 1) {
      loops.push_back(openLoop(dim, carried));
      carried.assign(loops.back().getRegionIterArgs().begin(),
                     loops.back().getRegionIterArgs().end());
    }
  for (auto [op, value] : llvm::zip(partials, carried))
    lowering.setBlock(outputOf(op), value);
  if (failed(lowerAll(
          [&](Operation *op) { return needed.contains(op) || llvm::is_contained(partials, op); })))
    return failure();
  SmallVector<Value> results;
  for (Operation *op : partials)
    results.push_back(lowering.blockOf(op->getNumResults() ? op->getResult(0) : outputOf(op)));
  for (scf::ForOp loop : llvm::reverse(loops)) {
    scf::YieldOp::create(builder, generic.getLoc(), results);
    builder.setInsertionPointAfter(loop);
    results.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (auto [op, value] : llvm::zip(partials, results))
    lowering.setBlock(op->getNumResults() ? op->getResult(0) : outputOf(op), value);
  for (unsigned dim = 0; dim < factors.size(); ++dim)
    if (generic.isReduction(dim))
      setStep(dim, constant(factors[dim] - 1));
  Ops later;
  for (Operation &op : *body)
    if (isa<d2m::RemoteStoreOp>(op)) {
      later.insert(&op);
      addNeeded(&op, later);
    }
  return lowerAll([&](Operation *op) {
    return !llvm::is_contained(partials, op) && (!needed.contains(op) || later.contains(op));
  });
}

// Makes the loops of the parallel (reduction) dimensions from `dim` on, and what is in them.
LogicalResult Steps::emit(unsigned dim, bool reduction) {
  for (; dim < factors.size(); ++dim) {
    if (generic.isReduction(dim) != reduction)
      continue;
    if (factors[dim] == 1) {
      setStep(dim, constant(0));
      continue;
    }
    OpBuilder::InsertionGuard guard(builder);
    openLoop(dim);
    return emit(dim + 1, reduction);
  }
  if (!reduction)
    return partials.empty() ? emit(0, true) : emitReductions();
  return lowerAll([](Operation *) { return true; });
}

LogicalResult Steps::run() {
  if (factors.empty()) {
    body = &generic.getRegion(region).front();
    return lowerAll([](Operation *) { return true; });
  }
  if (failed(findBody()))
    return failure();
  bool reduces = false;
  for (unsigned dim = 0; dim < factors.size(); ++dim)
    reduces |= generic.isReduction(dim) && factors[dim] > 1;
  if (reduces) {
    if (failed(checkNested()))
      return failure();
    findPartials();
  }
  if (!partials.empty() && generic.getThread(region).getThreadType() != d2m::ThreadType::Unified)
    return partials.front()->emitOpError(
        "continues a partial result in a region that is a thread of "
        "its own, which is not supported");
  for (Operation *op : partials)
    addNeeded(op, needed);
  for (Operation *op : partials)
    if (needed.contains(op))
      return op->emitOpError("continues a partial result that another partial result depends on, "
                             "which is not supported: use two d2m.generic");
  lowering.steps.assign(factors.size(), Value());
  for (unsigned dim = 0; dim < factors.size(); ++dim)
    setStep(dim, constant(0));
  return emit(0, false);
}

LogicalResult ttjit::lowerSteps(d2m::GenericOp generic, unsigned region, BodyLowering &lowering,
                                OpBuilder &builder) {
  return Steps(generic, region, lowering, builder).run();
}
