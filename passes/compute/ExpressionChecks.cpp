//===- ExpressionChecks.cpp - checks of block expressions ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/compute/ExpressionChecks.h"

#include "passes/common/StageChecks.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the op that computes a value, or the op whose region argument or result it
// is.
static Operation *originOf(Value value) {
  Operation *definition = value.getDefiningOp();
  return definition ? definition : value.getParentRegion()->getParentOp();
}

static bool isKnownOrigin(Operation *op) {
  return ttl::isBlockExpression(op) ||
         isa<scf::ForOp, scf::WhileOp, scf::IfOp, arith::SelectOp>(op);
}

static LogicalResult checkOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *origin = originOf(operand);
    if (!ttl::isBlockTensor(operand.getType()) || isKnownOrigin(origin))
      continue;
    if (origin->hasTrait<ttl::IsAlias>())
      return notReady(origin, "is an abbreviation of other ops", "ttl-canonicalize");
    return op->emitOpError("cannot take a block expression that '")
           << origin->getName() << "' makes: expected an operation on blocks";
  }
  return success();
}

LogicalResult ttjit::checkHasNoRegions(ttl::ComputeThreadOp thread) {
  WalkResult result = thread.walk([](Operation *op) -> WalkResult {
    if (isa<ttl::ComputeRegionOp, ttl::BlockComputeOp>(op))
      return notReady(op, "is a region of block expressions", "ttl-canonicalize");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ttjit::checkExpressions(ttl::ComputeThreadOp thread) {
  if (failed(checkHasNoRegions(thread)))
    return failure();
  WalkResult result = thread.walk([](Operation *op) -> WalkResult { return checkOperands(op); });
  return result.wasInterrupted() ? failure() : requireAcquires(thread);
}
