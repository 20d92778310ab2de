//===- TTLComputeOps.cpp - the rules of ttl.compute ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Words.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

bool ComputeOp::isReduction(unsigned iterator) {
  return cast<ttcore::IteratorTypeAttr>(getIteratorTypes()[iterator]).getValue() ==
         ttcore::IteratorType::Reduction;
}

// Checks that each operand has the whole extent or that of the window.
static LogicalResult verifyExtents(ComputeOp op, ArrayRef<Value> operands) {
  SmallVector<int64_t> whole = op.getWholeDomain(), domain = op.getIterationDomain();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    ArrayRef<int64_t> shape = getBlockShape(operand.getType());
    for (auto [expr, extent] : llvm::zip(op.getIndexingMap(i).getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && extent != whole[dim.getPosition()] && extent != domain[dim.getPosition()])
        return op.emitOpError("iterator ")
               << dim.getPosition() << " has two different extents: " << whole[dim.getPosition()]
               << " and " << extent;
    }
  }
  return success();
}

static LogicalResult verifyWindow(ComputeOp op, ArrayRef<Value> operands) {
  size_t iterators = op.getIteratorTypes().size();
  if (!op.getWindow())
    return op.getOffsets().empty() ? verifyExtents(op, operands)
                                   : op.emitOpError("has offsets of a window, but no extents");
  if (op.getOffsets().size() != iterators || op.getWindow()->size() != iterators)
    return op.emitOpError("the window must have one offset and one extent per iterator, found ")
           << ttjit::hw::plural(op.getOffsets().size(), "offset") << " and "
           << ttjit::hw::plural(op.getWindow()->size(), "extent") << " for "
           << ttjit::hw::plural(iterators, "iterator");
  SmallVector<int64_t> whole = op.getWholeDomain();
  for (auto [i, size] : llvm::enumerate(*op.getWindow())) {
    if (size < 1 || size > whole[i])
      return op.emitOpError("the window of iterator ")
             << i << " must contain 1 to " << whole[i] << " iterations, but it contains " << size;
    if (size != whole[i] && op.isReduction(i))
      return op.emitOpError("the window of reduction iterator ")
             << i << " must contain all of its " << whole[i] << " iterations, but it contains "
             << size;
  }
  return verifyExtents(op, operands);
}

static LogicalResult verifyComputeMaps(ComputeOp op, ArrayRef<Value> operands) {
  if (op.getIndexingMaps().size() != operands.size())
    return op.emitOpError("must have one indexing map per operand, found ")
           << ttjit::hw::plural(op.getIndexingMaps().size(), "map") << " for "
           << ttjit::hw::plural(operands.size(), "operand");
  unsigned iterators = op.getIteratorTypes().size();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineMap map = op.getIndexingMap(i);
    size_t rank = getBlockShape(operand.getType()).size();
    if (map.getNumDims() != iterators || map.getNumResults() != rank)
      return op.emitOpError("indexing map ")
             << i << " maps " << ttjit::hw::plural(map.getNumDims(), "iterator") << " to "
             << ttjit::hw::plural(map.getNumResults(), "coordinate") << "; expected "
             << ttjit::hw::plural(iterators, "iterator") << " and "
             << ttjit::hw::plural(rank, "coordinate");
    if (!llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr, AffineConstantExpr>))
      return op.emitOpError("indexing map ")
             << i << " must consist of iterators and constants, found " << op.getIndexingMaps()[i];
  }
  return verifyWindow(op, operands);
}

static bool isTile(Type type) { return isa<ttcore::TileType>(type); }

// Returns whether the op computes a tile from other tiles, from blocks in L1, or from numbers.
static bool isTileOperation(Operation &op) {
  bool takesOnly = llvm::all_of(op.getOperandTypes(),
                                [](Type type) { return isTile(type) || type.isIntOrFloat(); });
  return isa<TTLDialect>(op.getDialect()) && op.getNumResults() == 1 &&
         isTile(op.getResult(0).getType()) && takesOnly && !isa<DSTTileOp, FreshTileOp>(op);
}

static bool isNumberOperation(Operation &op) {
  auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (op.getNumResults() == 0 || !llvm::all_of(op.getOperandTypes(), isNumber) ||
      !llvm::all_of(op.getResultTypes(), isNumber))
    return false;
  if (isMemoryEffectFree(&op))
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
    interface.getEffects(effects);
  return !effects.empty() && llvm::all_of(effects, [](const auto &effect) {
    return isa<FaultResource>(effect.getResource());
  });
}

template <typename UserOp> static bool isUsedOnlyBy(Operation &op) {
  return llvm::all_of(op.getUsers(), [](Operation *user) { return isa<UserOp>(user); });
}

static LogicalResult verifyBodyOps(ComputeOp compute) {
  for (Operation &op : compute.getBody().front().without_terminator()) {
    bool isStatement =
        isa<RequireDSTOp, AcquireDSTOp, ReleaseDSTOp, SpillTileToL1Op, RestoreTileFromL1Op>(op);
    if (op.getNumRegions() || !(isStatement || isTileOperation(op) || isNumberOperation(op)))
      return op.emitOpError("is not allowed in the body of a ttl.compute, which may only contain "
                            "operations on tiles, on numbers and on DST registers");
    if (isa<AcquireDSTOp>(op) && !isUsedOnlyBy<ReleaseDSTOp>(op))
      return op.emitOpError("takes a register, so only 'ttl.release_dst' may use its result");
    if (isa<SpillTileToL1Op>(op) && !isUsedOnlyBy<RestoreTileFromL1Op>(op))
      return op.emitOpError("stores a tile, so only 'ttl.restore_tile_from_l1' may use its result");
  }
  return success();
}

LogicalResult ComputeOp::verify() {
  SmallVector<Value> operands = llvm::to_vector(getInputs());
  llvm::append_range(operands, getOutputs());
  if (getOutputs().empty())
    return emitOpError("must have at least one output");
  if (failed(verifyComputeMaps(*this, operands)))
    return failure();
  if (!getAccumulate().empty() && getAccumulate().size() != getOutputs().size())
    return emitOpError("must have one accumulate flag per output, found ")
           << getAccumulate().size() << " flags for " << getOutputs().size() << " outputs";
  Block &block = getBody().front();
  if (block.getNumArguments() != operands.size())
    return emitOpError("the body must have one argument per operand, found ")
           << ttjit::hw::plural(block.getNumArguments(), "argument") << " for "
           << ttjit::hw::plural(operands.size(), "operand");
  for (auto [argument, operand] : llvm::zip(block.getArguments(), operands)) {
    Type element = cast<BlockType>(operand.getType()).getTensorType().getElementType();
    if (argument.getType() != element)
      return emitOpError("a body argument has type ")
             << argument.getType() << ", but its operand has elements of type " << element;
  }
  if (!endsWithYield(block))
    return success();
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getNumOperands() != getOutputs().size())
    return emitOpError("must yield one tile per output, found ")
           << yield.getNumOperands() << " values for " << getOutputs().size() << " outputs";
  for (Type type : yield.getOperandTypes())
    if (!isTile(type))
      return emitOpError("must yield tiles, found ") << type;
  return verifyBodyOps(*this);
}
