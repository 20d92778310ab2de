//===- TransferValues.cpp - methods of transfers, pipes and semaphores --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/transfers/SliceReceives.h"
#include "frontend/walk/transfers/TransferGroups.h"
#include "frontend/walk/transfers/Transfers.h"
#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

#include <fmt/format.h>

namespace ttjit::frontend {

Value TensorSlice::withParts(std::vector<Value> parts) const {
  return TensorSlice{{}, tensor, std::move(parts), sizes, ranges};
}

bool TensorSlice::isLike(const ValueKind &other) const {
  auto *part = dynamic_cast<const TensorSlice *>(&other);
  return part && part->tensor == tensor && part->sizes == sizes && part->ranges == ranges;
}

std::string BlockPart::describe() const {
  return fmt::format("a part of shape {} of a block", shapeText(sizes));
}

mlir::Type TransferHandle::carriedType(const Walker &) const { return handle.getType(); }

// Fails unless the call of a method of a transfer is wait().
static void requireWait(Walker &walker, const std::string &name, Arguments &arguments) {
  if (name != "wait")
    walker.diagnostics.fail(arguments.node,
                            fmt::format("a transfer handle has no method {}(); its only method is "
                                        "wait()",
                                        name));
  arguments.checkNoMore();
}

Value TransferHandle::callMethod(Walker &walker, const Value &, const std::string &name,
                                 Arguments &arguments) const {
  requireWait(walker, name, arguments);
  walker.transfers.wait(arguments.node, *this);
  return noneOf(name);
}

Value SliceReceive::callMethod(Walker &walker, const Value &, const std::string &name,
                               Arguments &arguments) const {
  requireWait(walker, name, arguments);
  walker.sliceReceives.wait(number);
  return noneOf(name);
}

Value TransferGroup::callMethod(Walker &walker, const Value &, const std::string &name,
                                Arguments &arguments) const {
  return walker.transferGroups.callMethod(*this, name, arguments);
}

bool TransferGroup::isLike(const ValueKind &other) const {
  auto *group = dynamic_cast<const TransferGroup *>(&other);
  return group && group->id == id;
}

Value WaitAnyResult::callMethod(Walker &walker, const Value &, const std::string &name,
                                Arguments &arguments) const {
  if (name != "index")
    walker.diagnostics.fail(arguments.node,
                            fmt::format("the result of wait_any() has no method {}(); its only "
                                        "method is index()",
                                        name));
  arguments.checkNoMore();
  return place;
}

Value PipeEnd::attribute(Walker &walker, py::handle node, const Value &self,
                         const std::string &name) const {
  return walker.pipes.attribute(node, self, name);
}

Value PipeEnd::callMethod(Walker &walker, const Value &self, const std::string &name,
                          Arguments &arguments) const {
  return walker.pipes.callMethod(self, name, arguments);
}

Value SemaphoreRef::callMethod(Walker &walker, const Value &self, const std::string &name,
                               Arguments &arguments) const {
  return walker.pipes.callMethod(self, name, arguments);
}

} // namespace ttjit::frontend
