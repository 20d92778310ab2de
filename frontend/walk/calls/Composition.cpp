//===- Composition.cpp - inlines operations that an operation calls -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// If the body of a unified operation calls another operation, the body of the called operation is
// walked in place of the call.
//===--------------------------------------------------------------------------===//

#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Arguments.h"

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

// Returns the names of the parameters that have a default value.
static std::vector<std::string> optionalParameters(const FunctionInfo &info) {
  std::vector<std::string> names = parametersOf(info.node);
  names.erase(names.begin(), names.end() - info.defaults.size());
  for (const auto &[name, value] : info.keywordDefaults)
    names.push_back(name);
  return names;
}

// Fails if the call leaves out a parameter because it has a default value.
static void requireOptional(Walker &walker, const FunctionInfo &info, const Arguments &arguments) {
  std::vector<std::string> names = parametersOf(info.node), given;
  for (size_t i = 0; i < arguments.items.size(); ++i) {
    const std::string &keyword = arguments.items[i].keyword;
    given.push_back(!keyword.empty() ? keyword : i < names.size() ? names[i] : "");
  }
  for (const std::string &name : optionalParameters(info))
    if (!llvm::is_contained(given, name))
      walker.diagnostics.fail(
          arguments.node,
          fmt::format(
              "the call of {}() lacks the argument '{}': an operation that another one calls is "
              "expanded there, and needs every argument, also those with default values",
              arguments.function(), name));
}

// Returns the operation's body as a function to inline. It has no default values, because every
// parameter of an operation that is inlined must be given.
Function Calls::bodyOf(const py::object &operation, const Arguments &arguments) {
  walker.kernel.reads.attr("attribute"_py)(operation, "function");
  py::object body = operation.attr("body"_py)();
  if (pythonModule<"ttl._unified">().attr("makes_kernels"_py)(body).cast<bool>())
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("{}() cannot be called in the body of another operation, because it defines "
                    "kernel functions: call it outside of the operation",
                    arguments.function()));
  auto info = std::make_shared<FunctionInfo>(*functionOf(arguments.node, body).info);
  requireOptional(walker, *info, arguments);
  info->defaults.clear();
  info->keywordDefaults.clear();
  std::set<std::string> assigned = walker.scopes.assignedNames.ofBody(info->node.attr("body"_py));
  for (const std::string &name : parametersOf(info->node))
    if (assigned.count(name))
      walker.diagnostics.fail(arguments.node,
                              fmt::format("{0}() assigns its parameter '{1}', so another operation "
                                          "cannot call it: use another variable in {0}()",
                                          arguments.function(), name));
  return {info};
}

std::optional<Value> Calls::expandOperation(const py::object &callee, Arguments &arguments) {
  if (walker.kind != ThreadKind::Unified || !isOperation(callee))
    return std::nullopt;
  bool isOuter =
      walker.kernel.call.attr("body_code"_py).is(callee.attr("function"_py).attr("__code__"_py));
  auto isCallee = [&](const Expansion &outer) { return outer.operation == callee.ptr(); };
  if (isOuter || llvm::any_of(expanding, isCallee))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("operation {}() must not call itself, because its body is "
                                        "compiled in place of each call: write a loop",
                                        arguments.function()));
  Function body = bodyOf(callee, arguments);
  expanding.push_back({callee.ptr(), body.info->name, walker.scopes.depth() + 1});
  llvm::scope_exit restore([&] { expanding.pop_back(); });
  return inlineCall(body, arguments);
}

std::optional<std::string> Calls::expandedOperation() const {
  if (expanding.empty() || expanding.back().depth != walker.scopes.depth())
    return std::nullopt;
  return expanding.back().name;
}

} // namespace ttjit::frontend
