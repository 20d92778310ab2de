//===- TransferGroups.h - ttl.GroupTransfer, ttl.wait_any -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A ttl.GroupTransfer collects the handles of transfers. Its wait_all() waits for the handles that
// were added since the last wait_all(). ThreadState keeps the list of these handles.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERGROUPS_H
#define TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERGROUPS_H

#include "frontend/walk/values/Arguments.h"
#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

class TransferGroups {
public:
  explicit TransferGroups(Walker &walker) : walker(walker) {}

  /// Handles the call ttl.GroupTransfer().
  Value create(Arguments &arguments);
  /// Handles the call ttl.wait_any(), which waits for one of several receives.
  Value waitAny(Arguments &arguments);
  /// Handles `group.add(handle)` and `group.wait_all()`.
  Value callMethod(const TransferGroup &group, const std::string &name, Arguments &arguments);

private:
  void add(const TransferGroup &group, Arguments &arguments);
  void waitAll(const TransferGroup &group, py::handle node);
  bool isVisible(mlir::Value handle) const;
  mlir::Value receiveOf(py::handle node, const Value &value) const;

  Walker &walker;
  unsigned nextId = 0;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_TRANSFERS_TRANSFERGROUPS_H
