//===- TTLRegionOps.cpp - regions of block expressions --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

// Control flow goes from the op into its body, and from there back to the op.
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
    return op->emitOpError("yields (")
           << yield->getOperandTypes() << "), its results are (" << op->getResultTypes() << ")";
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
    return emitOpError("body takes (") << getBody().getArgumentTypes() << "), the inputs are ("
                                       << getInputs().getTypes() << ")";
  if (getOutputs().empty())
    return verifyYield(*this);
  if (getNumResults() != 0)
    return emitOpError("has results besides outputs: what is yielded goes into one of them");
  if (!endsWithYield(getBody().front()))
    return success();
  Operation *yield = getBody().front().getTerminator();
  if (getOutputs().size() != yield->getNumOperands())
    return emitOpError("yields ") << yield->getNumOperands() << " values for "
                                  << getOutputs().size() << " outputs";
  for (auto [output, value] : llvm::zip(getOutputs(), yield->getOperands()))
    if (getBlockShape(output.getType()) != getBlockShape(value.getType()))
      return emitOpError("stores ") << shapeText(getBlockShape(value.getType())) << " into "
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

// Whether the op has no effect besides reading blocks.
static bool onlyComputes(Operation &op) {
  if (isa<YieldOp>(op) || isMemoryEffectFree(&op))
    return true;
  return llvm::any_of(op.getResultTypes(), isBlockTensor) &&
         hasSingleEffect<MemoryEffects::Read>(&op);
}

LogicalResult BlockComputeOp::verify() {
  for (Operation &op : getBody().front())
    if (!onlyComputes(op))
      return op.emitOpError("stands in ttl.block_compute, which holds block expressions only");
  return verifyYield(*this);
}
