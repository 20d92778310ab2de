//===- TransferGroups.cpp - ttl.GroupTransfer, ttl.wait_any -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/TransferGroups.h"

#include "frontend/walk/context/ThreadChecks.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"
#include "ir/TTL/TTL.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

Value TransferGroups::create(Arguments &arguments) {
  requireDataMovement(walker, arguments);
  arguments.checkNoMore();
  walker.state.groups.set(nextId, {});
  return TransferGroup{nextId++};
}

void TransferGroups::add(const TransferGroup &group, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "xf");
  arguments.checkNoMore();
  const TransferHandle *transfer = item.value.getIf<TransferHandle>();
  if (!transfer)
    walker.diagnostics.fail(
        item.node, "the argument of add() must be a handle that ttl.copy() returned, found " +
                       describe(item.value));
  std::vector<mlir::Value> handles = walker.state.handlesOf(group.id);
  handles.push_back(transfer->handle);
  walker.state.groups.set(group.id, std::move(handles));
}

// Returns whether code at the builder's position can use the handle: the position is in the block
// that makes the handle, or in a region inside it.
bool TransferGroups::isVisible(mlir::Value handle) const {
  for (mlir::Block *block = walker.builder.getInsertionBlock(); block;
       block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr)
    if (block == handle.getParentBlock())
      return true;
  return false;
}

// Waits for the handles of a group. A handle made in a loop or branch is not visible after it, so a
// barrier waits for all transfers of its direction instead.
void TransferGroups::waitAll(const TransferGroup &group, py::handle node) {
  Location loc = walker.location(node);
  std::set<ttl::TransferDirection> barriers;
  std::vector<mlir::Value> handles = walker.state.handlesOf(group.id);
  walker.state.groups.set(group.id, {});
  for (mlir::Value handle : handles) {
    if (isVisible(handle)) {
      ttl::WaitOp::create(walker.builder, loc, handle);
      continue;
    }
    auto copy = handle.getDefiningOp<ttl::CopyOp>();
    if (!copy || copy.isSend() || copy.isReceive())
      walker.diagnostics.fail(node,
                              "wait_all() cannot wait for a copy over a pipe that was added inside "
                              "a loop or branch: wait for that copy inside the loop or branch");
    barriers.insert(copy.isRead() ? ttl::TransferDirection::Reads : ttl::TransferDirection::Writes);
  }
  for (ttl::TransferDirection direction : barriers)
    ttl::DMABarrierOp::create(walker.builder, loc, direction);
}

Value TransferGroups::callMethod(const TransferGroup &group, const std::string &name,
                                 Arguments &arguments) {
  if (name == "add") {
    add(group, arguments);
  } else if (name == "wait_all") {
    arguments.checkNoMore();
    waitAll(group, arguments.node);
  } else {
    walker.diagnostics.fail(arguments.node,
                            fmt::format("a GroupTransfer has no method {}()", name));
  }
  return none();
}

//===--------------------------------------------------------------------------===//
// ttl.wait_any
//===--------------------------------------------------------------------------===//

// Returns the handle of a receive that is still known here. ttl-verify-protocol checks the rest.
mlir::Value TransferGroups::receiveOf(py::handle node, const Value &value) const {
  const TransferHandle *transfer = value.getIf<TransferHandle>();
  if (!transfer)
    walker.diagnostics.fail(node,
                            "wait_any() accepts only receive requests, a tuple of the handles "
                            "that ttl.copy(pipe, block) returns; found " +
                                describe(value));
  if (!isVisible(transfer->handle))
    walker.diagnostics.fail(node, "wait_any() waits for a receive of a callback that has ended: "
                                  "call it inside the callback; receives of several nets need "
                                  "callbacks inside each other");
  return transfer->handle;
}

Value TransferGroups::waitAny(Arguments &arguments) {
  requireDataMovement(walker, arguments.node, arguments.function() + "()");
  const Arguments::Item &requests = arguments.require(0, "requests");
  const Arguments::Item *start = arguments.take(1, "start");
  arguments.checkNoMore();
  std::optional<std::vector<Value>> items = requests.value->items(walker);
  if (!items || items->empty())
    walker.diagnostics.fail(requests.node, "wait_any() takes a tuple of at least one handle that "
                                           "ttl.copy(pipe, block) returned, found " +
                                               (items ? "an empty one" : describe(requests.value)));
  SmallVector<mlir::Value> handles;
  for (const Value &item : *items) {
    mlir::Value handle = receiveOf(requests.node, item);
    if (llvm::is_contained(handles, handle))
      walker.diagnostics.fail(
          requests.node, "wait_any() requires distinct receives, but got the same receive twice");
    handles.push_back(handle);
  }
  const Static *known = start ? start->value.getIf<Static>() : nullptr;
  if (known && PyBool_Check(known->object.ptr()))
    walker.diagnostics.fail(start->node,
                            "wait_any() needs a number as start: the index of the receive "
                            "that it looks at first; found " +
                                describe(start->value));
  mlir::Value first = start ? walker.scalars.asIndex(start->node, start->value)
                            : walker.indexConstant(arguments.node, 0);
  mlir::Value place = ttl::WaitAnyOp::create(walker.builder, walker.location(arguments.node),
                                             walker.builder.getIndexType(), handles, first);
  return WaitAnyResult{walker.scalars.fromIndex(arguments.node, place)};
}

} // namespace ttjit::frontend
