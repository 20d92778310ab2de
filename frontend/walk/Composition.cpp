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
  return py::isinstance(object, py::module_::import("ttl._operation").attr("Operation"));
}

static std::vector<std::string> parametersOf(py::handle node) {
  std::vector<std::string> names;
  for (const char *field : {"posonlyargs", "args"})
    for (py::handle parameter : listOf(node.attr("args"), field))
      names.push_back(text(parameter.attr("arg")));
  return names;
}

// The names of the parameters that have a default value.
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
          fmt::format("{}() misses its argument '{}': an operation that another one calls is "
                      "expanded there, and needs every argument, also those with default values",
                      arguments.function, name));
}

// The operation's body as a function to inline: without defaults, because every parameter
// of an operation that is expanded must be given.
Function Calls::bodyOf(const py::object &operation, const Arguments &arguments) {
  walker.kernel.reads.attr("attribute")(operation, "function");
  py::object body = operation.attr("body")();
  if (py::module_::import("ttl._unified").attr("makes_kernels")(body).cast<bool>())
    walker.diagnostics.fail(
        arguments.node,
        fmt::format("{}() defines kernel functions: only an operation without kernel functions can "
                    "be called in the body of another one",
                    arguments.function));
  auto info = std::make_shared<FunctionInfo>(*functionOf(arguments.node, body).info);
  requireOptional(walker, *info, arguments);
  info->defaults.clear();
  info->keywordDefaults.clear();
  std::set<std::string> assigned = assignedNames(info->node.attr("body"));
  for (const std::string &name : parametersOf(info->node))
    if (assigned.count(name))
      walker.diagnostics.fail(
          arguments.node, fmt::format("{}() assigns its parameter '{}', which an operation called "
                                      "by another one must not: use another variable there",
                                      arguments.function, name));
  return {info};
}

std::optional<Value> Calls::expandOperation(const py::object &callee, Arguments &arguments) {
  if (walker.kind != ThreadKind::Unified || !isOperation(callee))
    return std::nullopt;
  bool isOuter = walker.kernel.call.attr("body_code").is(callee.attr("function").attr("__code__"));
  if (isOuter || llvm::is_contained(expanding, callee.ptr()))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("operation {}() calls itself, but its body is expanded "
                                        "where it is called: write a loop",
                                        arguments.function));
  Function body = bodyOf(callee, arguments);
  expanding.push_back(callee.ptr());
  llvm::scope_exit restore([&] { expanding.pop_back(); });
  Value returned = inlineCall(body, arguments);
  if (!isNone(returned))
    walker.diagnostics.fail(arguments.node,
                            fmt::format("operation {}() returns {}: an operation returns nothing",
                                        arguments.function, describe(returned)));
  return returned;
}

} // namespace ttjit::frontend
