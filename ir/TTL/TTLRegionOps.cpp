//===- TTLRegionOps.cpp - regions of block expressions --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

// Into the body, from there back.
static void addSuccessors(Operation *op, RegionBranchPoint point,
                          SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&op->getRegion(0), op->getRegion(0).getArguments());
  else
    regions.emplace_back(op, op->getResults());
}

static LogicalResult verifyYield(Operation *op) {
  Operation *yield = op->getRegion(0).front().getTerminator();
  if (yield->getOperandTypes() != op->getResultTypes())
    return op->emitOpError("yields (") << yield->getOperandTypes() << "), its results are ("
                                       << op->getResultTypes() << ")";
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
  if (failed(verifyYield(*this)))
    return failure();
  if (getOutputs().empty())
    return success();
  if (getOutputs().size() != getNumResults())
    return emitOpError("yields ") << getNumResults() << " values for " << getOutputs().size()
                                  << " outputs";
  for (auto [output, result] : llvm::zip(getOutputs(), getResults()))
    if (getBlockShape(output.getType()) != getBlockShape(result.getType()))
      return emitOpError("stores ") << shapeText(getBlockShape(result.getType())) << " into "
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

// Ops whose results are all there is to them, apart from reading blocks.
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
