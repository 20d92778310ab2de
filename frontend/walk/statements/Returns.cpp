//===- Returns.cpp - the values that functions return -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ShownScope.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/statements/Statements.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"

#include <fmt/format.h>

namespace ttjit::frontend {

// Returns the None of a function that ends without a return statement, or never ends.
static Value noResult(py::handle function, bool raises) {
  Static nothing{py::none()};
  nothing.resultOf = py::str(
      fmt::format("because {}() {}", text(function.attr("name"_py)),
                  raises ? "always raises an exception"
                         : "ends without a return statement: write 'return' before its result"));
  return nothing;
}

Value Statements::function(py::handle node, py::list body) {
  ShownFunction shown(node);
  size_t numReported = walker.diagnostics.numReported();
  run(body);
  Scope &scope = walker.scopes.current();
  const PathEnds &ends = scope.ends;
  const Value *returned = scope.find(kReturnValue);
  const Missing *missing = returned ? returned->getIf<Missing>() : nullptr;
  if (missing && missing->isPoisoned)
    walker.diagnostics.failQuietly(node);
  if (!ends.may(PathEnds::Returns)) {
    // A statement that failed may be the cause.
    if (walker.scopes.depth() > 1 && walker.diagnostics.numReported() > numReported)
      walker.diagnostics.failQuietly(node);
    return noResult(node, ends.raises());
  }
  if (missing && !missing->reason.empty())
    walker.diagnostics.failNeedsStatic(node, missing->reason);
  if (missing || (ends.isMixed() && !isNone(*returned)))
    walker.diagnostics.failNeedsStatic(
        node, fmt::format("this function must return values of one kind on all paths, but it "
                          "returns values of different kinds{}",
                          missing && !missing->difference.empty()
                              ? missing->difference + ": use each value in its branch, or give the "
                                                      "paths values of one kind and shape"
                              : fmt::format(": give {}() a return statement on each path; a path "
                                            "that ends without one returns None",
                                            text(node.attr("name"_py)))));
  return *returned;
}

// Fails if the body of an operation, or a kernel function, returns a value: nothing receives it.
void Statements::refuseResult(py::handle node, const Value &result) const {
  bool isOutermost = walker.scopes.depth() == 1;
  std::optional<std::string> operation = walker.calls.expandedOperation();
  if (isOutermost && walker.kind == ThreadKind::Unified)
    operation = walker.threadName;
  if (isNone(result) || (!operation && !isOutermost))
    return;
  walker.diagnostics.fail(
      node, operation
                ? fmt::format("operation {}() returns {}: an operation must not return a value; "
                              "write its results into tensors",
                              *operation, describe(result))
                : fmt::format("kernel function {}() returns {}, but nothing receives the value: "
                              "write it into a block, and end the function with 'return' alone",
                              walker.threadName, describe(result)));
}

void Statements::returnNode(py::handle node) {
  py::object value = node.attr("value"_py);
  Value result = value.is_none() ? none() : walker.evaluate(value);
  if (walker.scopes.current().ends.raises())
    return; // a call in the value has raised
  refuseResult(node, result);
  walker.scopes.assign(kReturnValue, result);
  walker.scopes.current().ends.kinds = PathEnds::Returns;
}

} // namespace ttjit::frontend
