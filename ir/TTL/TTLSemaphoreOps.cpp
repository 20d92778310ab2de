//===- TTLSemaphoreOps.cpp - verifiers of semaphore ops -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

#include "hw/facts/Words.h"
using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

LogicalResult CreateSemaphoreOp::verify() {
  if (getResult().getType().getIsRemote())
    return emitOpError(
        "must have a local semaphore as result: ttl.get_remote_semaphore makes a remote one");
  if (getSemaphoreId() && getPageIndex())
    return emitOpError("can be either a semaphore or a word of the page, not both");
  return success();
}

// Verifies both ops that make a reference to another node's semaphore.
template <typename OpT> static LogicalResult verifyReference(OpT op) {
  if (op.getSemaphore().getType().getIsRemote())
    return op.emitOpError("needs a local semaphore, but the operand is a remote one already");
  if (!op.getResult().getType().getIsRemote())
    return op.emitOpError("must have a remote semaphore as result, ")
           << SemaphoreType::get(op.getContext(), true);
  return success();
}

LogicalResult GetRemoteSemaphoreOp::verify() {
  if (failed(verifyReference(*this)))
    return failure();
  if (getCores() && getCore().size() != 2)
    return emitOpError("must name a core by two numbers, column and row, found ")
           << ttjit::hw::plural(getCore().size(), "number");
  return getCores() ? success() : verifyNodeRank(*this, "core", getCore().size());
}

LogicalResult GetRemoteMulticastSemaphoreOp::verify() {
  if (failed(verifyReference(*this)))
    return failure();
  if (!getCorners().empty() && getCorners().size() != 5)
    return emitOpError(
        "must name a rectangle by five numbers: two corners and the number of nodes written");
  if (!getCorners().empty() && getCoreRange())
    return emitOpError("cannot have both core_range and cores");
  return getCoreRange() ? verifyNodeRange(*this, "core_range", *getCoreRange()) : success();
}

//===--------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyLocal(OpT op) {
  if (op.getSemaphore().getType().getIsRemote())
    return op.emitOpError("cannot wait for a remote semaphore, only for the one of this node");
  return success();
}
LogicalResult SemaphoreWaitEqOp::verify() { return verifyLocal(*this); }
LogicalResult SemaphoreWaitMinOp::verify() { return verifyLocal(*this); }

LogicalResult SemaphoreWaitAnyOp::verify() {
  if (getSemaphores().empty())
    return emitOpError("needs at least one semaphore");
  for (Value semaphore : getSemaphores())
    if (cast<SemaphoreType>(semaphore.getType()).getIsRemote())
      return emitOpError("cannot wait for a remote semaphore, only for those of this node");
  return success();
}

LogicalResult SemaphoreSetOp::verify() {
  if (getFromScratch() && !getScratch())
    return emitOpError("from_scratch needs a scratch word");
  return success();
}

LogicalResult SemaphoreIncOp::verify() {
  if (!getSemaphore().getType().getIsRemote())
    return emitOpError(
        "can only add to the semaphore of another node: use ttl.get_remote_semaphore");
  if (getSemaphore().getDefiningOp<GetRemoteMulticastSemaphoreOp>())
    return emitOpError(
        "can only add to the semaphore of one node; use ttl.semaphore_set for a range of nodes");
  return success();
}
