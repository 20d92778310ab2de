//===- TTLSemaphoreOps.cpp - verifiers of semaphore ops -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

LogicalResult CreateSemaphoreOp::verify() {
  if (getResult().getType().getIsRemote())
    return emitOpError("makes this node's semaphore; ttl.get_remote_semaphore names another's");
  if (getSemaphoreId() && getPageIndex())
    return emitOpError("is a semaphore or a word of the page, not both");
  return success();
}

// Verifies both ops that make a reference to another node's semaphore.
template <typename OpT> static LogicalResult verifyReference(OpT op) {
  if (op.getSemaphore().getType().getIsRemote())
    return op.emitOpError("refers to other nodes already");
  if (!op.getResult().getType().getIsRemote())
    return op.emitOpError("makes a remote semaphore, ")
           << SemaphoreType::get(op.getContext(), true);
  return success();
}

LogicalResult GetRemoteSemaphoreOp::verify() {
  if (failed(verifyReference(*this)))
    return failure();
  if (getCores() && getCore().size() != 2)
    return emitOpError("names a core by column and row, found ") << getCore().size() << " numbers";
  return getCores() ? success() : verifyNodeRank(*this, "core", getCore().size());
}

LogicalResult GetRemoteMulticastSemaphoreOp::verify() {
  if (failed(verifyReference(*this)))
    return failure();
  if (!getCorners().empty() && getCorners().size() != 5)
    return emitOpError("names a rectangle by two corners and the number of nodes written");
  if (!getCorners().empty() && getCoreRange())
    return emitOpError("names its nodes twice");
  return getCoreRange() ? verifyNodeRange(*this, "core_range", *getCoreRange()) : success();
}

//===--------------------------------------------------------------------------===//
// Operations
//===--------------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyLocal(OpT op) {
  if (op.getSemaphore().getType().getIsRemote())
    return op.emitOpError("waits for this node's semaphore, not for a remote one");
  return success();
}
LogicalResult SemaphoreWaitEqOp::verify() { return verifyLocal(*this); }
LogicalResult SemaphoreWaitMinOp::verify() { return verifyLocal(*this); }

LogicalResult SemaphoreSetOp::verify() {
  if (getFromScratch() && !getScratch())
    return emitOpError("from_scratch names no word");
  return success();
}

LogicalResult SemaphoreIncOp::verify() {
  if (!getSemaphore().getType().getIsRemote())
    return emitOpError("adds to another node's semaphore: use ttl.get_remote_semaphore");
  if (getSemaphore().getDefiningOp<GetRemoteMulticastSemaphoreOp>())
    return emitOpError("reaches one node; a range of nodes can only be set");
  return success();
}
