//===- ThreadChecks.cpp - which thread may do what ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/ThreadChecks.h"

#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"

#include <fmt/format.h>

namespace ttjit::frontend {

void requireCompute(const Walker &walker, py::handle node, std::string_view what) {
  if (walker.kind != ThreadKind::DataMovement)
    return;
  walker.diagnostics.fail(
      node, fmt::format("{} is not possible in the data movement thread '{}', which can only copy: "
                        "compute on blocks in the @ttl.compute() thread",
                        what, walker.threadName));
}

void requireDataMovement(const Walker &walker, const Arguments &call) {
  if (walker.kind == ThreadKind::Compute)
    requireDataMovement(walker, call.node, call.function() + "()");
}

void requireDataMovement(const Walker &walker, py::handle node, std::string_view what) {
  if (walker.kind != ThreadKind::Compute)
    return;
  walker.diagnostics.fail(node,
                          fmt::format("{} is not possible in the compute thread '{}': move data in "
                                      "a @ttl.datamovement() thread and pass it through a buffer",
                                      what, walker.threadName));
}

} // namespace ttjit::frontend
