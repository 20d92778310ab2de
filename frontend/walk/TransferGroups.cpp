//===- TransferGroups.cpp - ttl.GroupTransfer -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/TransferGroups.h"

#include "frontend/walk/Walker.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

Value TransferGroups::create(Arguments &arguments) {
  walker.transfers.requireDataMovement(arguments);
  arguments.checkNoMore();
  walker.state.groups.set(nextId, {});
  return TransferGroup{nextId++};
}

void TransferGroups::add(const TransferGroup &group, Arguments &arguments) {
  const Arguments::Item &item = arguments.require(0, "xf");
  arguments.checkNoMore();
  const Transfer *transfer = item.value.getIf<Transfer>();
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

} // namespace ttjit::frontend
