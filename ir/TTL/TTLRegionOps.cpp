//===- TTLRegionOps.cpp - regions of block expressions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

// Adds where control flow goes: from the op into its body, and from there back to the op.
static void addSuccessors(Operation *op, RegionBranchPoint point,
                          SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&op->getRegion(0), op->getRegion(0).getArguments());
  else
    regions.emplace_back(op, op->getResults());
}

MutableOperandRange YieldOp::getMutableSuccessorOperands(RegionSuccessor) {
  auto region = dyn_cast<ComputeRegionOp>((*this)->getParentOp());
  if (region && !region.getOutputs().empty())
    return MutableOperandRange(*this, /*start=*/0, /*length=*/0);
  return getValuesMutable();
}

static LogicalResult verifyYield(Operation *op) {
  Block &body = op->getRegion(0).front();
  if (!endsWithYield(body))
    return success();
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() != op->getResultTypes())
    return op->emitOpError("yields values of types (")
           << yield->getOperandTypes() << "), but its results have types (" << op->getResultTypes()
           << ")";
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.compute_region
//===--------------------------------------------------------------------------===//

OperandRange ComputeRegionOp::getEntrySuccessorOperands(RegionSuccessor) { return getInputs(); }

void ComputeRegionOp::getSuccessorRegions(RegionBranchPoint point,
                                          SmallVectorImpl<RegionSuccessor> &regions) {
  addSuccessors(*this, point, regions);
}

LogicalResult ComputeRegionOp::verify() {
  if (getBody().getArgumentTypes() != getInputs().getTypes())
    return emitOpError("the body has arguments of types (")
           << getBody().getArgumentTypes() << "), but the inputs have types ("
           << getInputs().getTypes() << ")";
  if (getOutputs().empty())
    return verifyYield(*this);
  if (getNumResults() != 0)
    return emitOpError("must have either outputs or results, not both");
  if (!endsWithYield(getBody().front()))
    return success();
  Operation *yield = getBody().front().getTerminator();
  if (getOutputs().size() != yield->getNumOperands())
    return emitOpError("must yield one value per output, found ")
           << yield->getNumOperands() << " values for " << getOutputs().size() << " outputs";
  for (auto [output, value] : llvm::zip(getOutputs(), yield->getOperands()))
    if (getBlockShape(output.getType()) != getBlockShape(value.getType()))
      return emitOpError("cannot store a value of shape ")
             << shapeText(getBlockShape(value.getType())) << " into a block of shape "
             << shapeText(getBlockShape(output.getType()));
  return success();
}

//===--------------------------------------------------------------------------===//
// ttl.block_compute
//===--------------------------------------------------------------------------===//

void BlockComputeOp::getSuccessorRegions(RegionBranchPoint point,
                                         SmallVectorImpl<RegionSuccessor> &regions) {
  addSuccessors(*this, point, regions);
}

// Returns whether the op has no effect besides reading blocks.
static bool onlyComputes(Operation &op) {
  if (isa<YieldOp>(op) || isMemoryEffectFree(&op))
    return true;
  return llvm::any_of(op.getResultTypes(), isBlockTensor) &&
         hasSingleEffect<MemoryEffects::Read>(&op);
}

LogicalResult BlockComputeOp::verify() {
  for (Operation &op : getBody().front())
    if (!onlyComputes(op))
      return op.emitOpError(
          "is not allowed in ttl.block_compute, which may only contain block expressions");
  return verifyYield(*this);
}
