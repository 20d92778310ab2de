//===- Composition.cpp - operations called by operations ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In the body of a unified operation the call of another one is walked in its place.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Ast.h"
#include "frontend/walk/Walker.h"

#include "llvm/ADT/ScopeExit.h"

#include <fmt/format.h>

namespace ttjit::frontend {

static bool isOperation(py::handle object) {
  return py::isinstance(object, pythonModule<"ttl._operation">().attr("Operation"_py));
}

static std::vector<std::string> parametersOf(py::handle node) {
  std::vector<std::string> names;
  for (py::handle field : {"posonlyargs"_py, "args"_py})
    for (py::handle parameter : listOf(node.attr("args"_py), field))
      names.push_back(text(parameter.attr("arg"_py)));
  return names;
}

// The operation's body as a function to inline: without defaults, because every parameter
// of an operation that is expanded must be given.
Function Calls::bodyOf(const py::object &operation, const Arguments &arguments) {
  walker.kernel.reads.attr("attribute"_py)(operation, "function");
  py::object body = operation.attr("body"_py)();
  if (pythonModule<"ttl._unified">().attr("makes_kernels"_py)(body).cast<bool>())
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("{}() defines kernel functions: only an operation without kernel functions can "
                    "be called in the body of another one",
                    arguments.function()));
  auto info = std::make_shared<FunctionInfo>(*functionOf(arguments.node, body).info);
  info->defaults.clear();
  info->keywordDefaults.clear();
  std::set<std::string> assigned = walker.scopes.assignedNames.ofBody(info->node.attr("body"_py));
  for (const std::string &name : parametersOf(info->node))
    if (assigned.count(name))
      walker.diagnostics.fail(
          arguments.node, fmt::format("{}() assigns its parameter '{}', which an operation called "
                                      "by another one must not: use another variable there",
                                      arguments.function(), name));
  return {info};
}

std::optional<Value> Calls::expandOperation(const py::object &callee, Arguments &arguments) {
  if (walker.kind != ThreadKind::Unified || !isOperation(callee))
    return std::nullopt;
  bool isOuter =
      walker.kernel.call.attr("body_code"_py).is(callee.attr("function"_py).attr("__code__"_py));
  if (isOuter || llvm::is_contained(expanding, callee.ptr()))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("operation {}() calls itself, but its body is expanded "
                                        "where it is called: write a loop",
                                        arguments.function()));
  Function body = bodyOf(callee, arguments);
  expanding.push_back(callee.ptr());
  llvm::scope_exit restore([&] { expanding.pop_back(); });
  Value returned = inlineCall(body, arguments);
  if (!isNone(returned))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("operation {}() returns {}: an operation returns nothing",
                                        arguments.function(), describe(returned)));
  return returned;
}

} // namespace ttjit::frontend
