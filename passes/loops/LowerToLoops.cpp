//===- LowerToLoops.cpp - ttl-lower-to-loops ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: ttl.compute describes all tiles of a block at once; the hardware computes one
// tile per call.
//
// 1. Create loops over the parallel iterators, in order, or one loop over all of them
//    if every operand is read in the same row-major order. If the compute has a window,
//    loop over the window and add its offsets.
// 2. Copy the compute's body into the loop. ttl.copy_tile becomes get_tile with the
//    tile's number in its block; each yielded value is packed.
// 3. Operations that read L1 take their tiles from there. Products and reductions
//    become loops over their reduction iterators. These loops add, ascending, to the
//    register of their accumulator, or to an unwritten register.
//
// The outermost loop gets the compute's `ttl.unroll_factor` and `ttl.output_registers`.
// Needs the registers of ttl-assign-dst. Rejects tile operations without one.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/common/Arithmetic.h"
#include "passes/common/StageChecks.h"
#include "passes/common/Threads.h"
#include "passes/dst/TileFacts.h"

#include "mlir/IR/IRMapping.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERTOLOOPS
#include "passes/loops/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class ComputeLowering {
public:
  ComputeLowering(ttl::ComputeOp compute, Arithmetic &arithmetic)
      : compute(compute), arithmetic(arithmetic), builder(compute),
        domain(compute.getIterationDomain()), iterators(domain.size()) {}

  void lower();

private:
  bool isFlat();
  void enterLoops();
  void carryUnrollFactor();
  Value operandBlock(unsigned number);
  Value tileIndex(unsigned operand, Location loc, ArrayRef<Value> at);
  void lowerOp(Operation &op);
  Value freshTile(ttl::TileFromL1OpInterface op);
  void lowerFromL1(ttl::TileFromL1OpInterface op);
  void pack();

  ttl::ComputeOp compute;
  Arithmetic &arithmetic;
  OpBuilder builder;
  SmallVector<int64_t> domain;
  SmallVector<Value> iterators;
  Value flatIndex; // index of the only loop if it runs over all tiles; else null
  IRMapping mapping;
};

// Returns whether all operands are read in the output's order: their tiles have its numbers.
bool ComputeLowering::isFlat() {
  return !compute.getWindow() && llvm::all_of(compute.getIndexingMaps(), [](Attribute map) {
    return cast<AffineMapAttr>(map).getValue().isIdentity();
  });
}

void ComputeLowering::enterLoops() {
  Location loc = compute.getLoc();
  if (isFlat()) {
    int64_t tiles = llvm::product_of(domain);
    flatIndex = arithmetic.enterLoop(builder, loc, tiles);
    return;
  }
  for (auto [i, extent] : llvm::enumerate(domain))
    if (!compute.isReduction(i))
      iterators[i] = arithmetic.enterLoop(builder, loc, extent);
}

// Moves the attributes that ttl-assign-dst set for unrolled sections to the outermost
// loop.
void ComputeLowering::carryUnrollFactor() {
  Attribute factor = compute->getAttr(kUnrollFactorAttr);
  if (!factor || builder.getBlock() == compute->getBlock())
    return;
  Operation *loop = builder.getBlock()->getParentOp();
  while (loop->getBlock() != compute->getBlock())
    loop = loop->getParentOp();
  loop->setAttr(kUnrollFactorAttr, factor);
  for (StringRef name : {StringRef(kOutputRegistersAttr), StringRef(kGivenRegistersAttr)})
    if (Attribute value = compute->getAttr(name))
      loop->setAttr(name, value);
}

Value ComputeLowering::operandBlock(unsigned number) {
  unsigned inputs = compute.getInputs().size();
  return number < inputs ? compute.getInputs()[number] : compute.getOutputs()[number - inputs];
}

Value ComputeLowering::tileIndex(unsigned operand, Location loc, ArrayRef<Value> at) {
  if (flatIndex)
    return flatIndex;
  SmallVector<Value> indices;
  ArrayRef<int64_t> shape = ttl::getBlockShape(operandBlock(operand).getType());
  for (auto [expr, extent] : llvm::zip(compute.getIndexingMap(operand).getResults(), shape)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      indices.push_back(arithmetic.index(cast<AffineConstantExpr>(expr).getValue()));
      continue;
    }
    Value index = at[dim.getPosition()];
    if (Value offset = compute.getOffset(dim.getPosition(), extent))
      index = arithmetic.add(builder, loc, offset, index);
    indices.push_back(index);
  }
  return arithmetic.linearise(builder, loc, indices, shape);
}

Value ComputeLowering::freshTile(ttl::TileFromL1OpInterface op) {
  auto fresh = ttl::FreshTileOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                        cast<ttl::DSTResultOpInterface>(*op).getDstIdxAttr());
  FloatAttr start = builder.getF32FloatAttr(op.getStart());
  if (!start.getValue().isPosZero())
    fresh->setAttr(kFreshStartAttr, start);
  return fresh;
}

void ComputeLowering::lowerFromL1(ttl::TileFromL1OpInterface op) {
  Location loc = op->getLoc();
  Value result = op->getResult(0), into;
  if (Value acc = op.getAccumulator())
    into = mapping.lookup(acc);
  else if (op.accumulates())
    into = freshTile(op);
  SmallVector<unsigned> operands;
  for (Value operand : op->getOperands().take_front(op.getNumL1Operands()))
    operands.push_back(cast<BlockArgument>(operand).getArgNumber());

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> at = iterators;
  for (auto [i, extent] : llvm::enumerate(domain)) {
    bool used = llvm::any_of(operands, [&, i = i](unsigned operand) {
      return compute.getIndexingMap(operand).isFunctionOfDim(i);
    });
    if (compute.isReduction(i))
      at[i] = used ? arithmetic.enterLoop(builder, loc, extent) : arithmetic.index(0);
  }
  SmallVector<Value> blocks, indices;
  for (unsigned operand : operands) {
    blocks.push_back(operandBlock(operand));
    indices.push_back(tileIndex(operand, loc, at));
  }
  mapping.map(result, op.createStep(builder, blocks, indices, into));
}

void ComputeLowering::lowerOp(Operation &op) {
  if (auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op))
    return lowerFromL1(fromL1);
  auto load = dyn_cast<ttl::CopyTileOp>(op);
  if (!load) {
    builder.clone(op, mapping);
    return;
  }
  unsigned argument = cast<BlockArgument>(load.getInput()).getArgNumber();
  Value index = tileIndex(argument, load.getLoc(), iterators);
  mapping.map(load.getResult(),
              ttl::GetTileOp::create(builder, load.getLoc(), load.getType(), operandBlock(argument),
                                     index, load.getDstIdxAttr()));
}

// Returns the position of an output: a compute of several stores has one for each, in their order.
static Location locationOfOutput(ttl::ComputeOp compute, size_t output) {
  auto fused = dyn_cast<FusedLoc>(compute.getLoc());
  bool isOfStores = fused && fused.getLocations().size() == compute.getOutputs().size();
  return isOfStores ? fused.getLocations()[output] : compute.getLoc();
}

void ComputeLowering::pack() {
  unsigned inputs = compute.getInputs().size();
  Operation *yield = compute.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    Value index = tileIndex(inputs + i, compute.getLoc(), iterators);
    Value accumulate = compute.getAccumulate().empty() ? Value() : compute.getAccumulate()[i];
    ttl::PackTileOp::create(builder, locationOfOutput(compute, i), mapping.lookup(value),
                            compute.getOutputs()[i], index, accumulate);
  }
}

void ComputeLowering::lower() {
  enterLoops();
  carryUnrollFactor();
  for (Operation &op : compute.getBody().front().without_terminator())
    lowerOp(op);
  pack();
  compute.erase();
}

// Returns the tiles that an op reads from L1.
OperandRange tilesInL1(Operation *op) {
  if (auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op))
    return op->getOperands().take_front(fromL1.getNumL1Operands());
  return op->getOperands().take_front(isa<ttl::CopyTileOp>(op) ? 1 : 0);
}

LogicalResult checkAssigned(ttl::ComputeOp compute) {
  for (Operation &op : compute.getBody().front()) {
    if (!llvm::all_of(tilesInL1(&op), llvm::IsaPred<BlockArgument>))
      return op.emitOpError("cannot load a tile that is in DST already");
    auto result = dyn_cast<ttl::DSTResultOpInterface>(op);
    bool lacksRegister = result && !result.getRegister();
    bool readsUnloaded =
        !isa<ttl::CopyTileOp>(op) && llvm::any_of(dstOperands(&op), llvm::IsaPred<BlockArgument>);
    if (isa<ttl::SpillTileToL1Op, ttl::RestoreTileFromL1Op>(op) || lacksRegister || readsUnloaded)
      return notReady(&op, "computes on tiles that have no DST register", "ttl-assign-dst");
  }
  return success();
}

struct LowerToLoops : ttjit::impl::TTLLowerToLoopsBase<LowerToLoops> {
  void runOnOperation() override {
    if (!bindingOf(getOperation()))
      return;
    Arithmetic arithmetic(getOperation());
    SmallVector<ttl::ComputeOp> computes;
    getOperation().walk([&](ttl::ComputeOp op) { computes.push_back(op); });
    for (ttl::ComputeOp compute : computes) {
      if (failed(checkAssigned(compute)))
        return signalPassFailure();
      ComputeLowering(compute, arithmetic).lower();
    }
    numComputes += computes.size();
  }
};

} // namespace
