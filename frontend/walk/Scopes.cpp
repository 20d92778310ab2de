//===- Scopes.cpp - looks up names in kernel functions -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Scopes.h"

#include "frontend/walk/Ast.h"

#include <fmt/format.h>

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Names that a body binds
//===--------------------------------------------------------------------------===//

static bool isFunctionLike(std::string_view kind) {
  return kind == "FunctionDef" || kind == "AsyncFunctionDef" || kind == "Lambda";
}

// Returns whether nodes of this class are comprehensions, which have scopes of their own.
static bool isComprehension(std::string_view kind) {
  return kind == "ListComp" || kind == "SetComp" || kind == "DictComp" || kind == "GeneratorExp";
}

// Collects the names that `:=` in a comprehension binds: they belong to the function around it.
static void collectWalruses(py::handle comprehension, std::set<std::string> &names) {
  walkTree(comprehension, [&](py::handle node) {
    if (isKind(node, "NamedExpr"))
      names.insert(nameOf(node.attr("target")));
    return !isFunctionLike(kindOf(node));
  });
}

static void collectAssigned(py::handle statement, std::set<std::string> &names) {
  walkTree(statement, [&](py::handle node) {
    std::string_view kind = kindOf(node);
    if (kind == "Name" && isKind(node.attr("ctx"), "Store"))
      names.insert(nameOf(node));
    if (kind == "FunctionDef" || kind == "AsyncFunctionDef" || kind == "ClassDef")
      names.insert(text(node.attr("name")));
    if (isComprehension(kind))
      collectWalruses(node, names);
    return !isFunctionLike(kind) && !isComprehension(kind);
  });
}

std::set<std::string> assignedNames(py::handle nodes) {
  std::set<std::string> names;
  for (py::handle node : nodes)
    collectAssigned(node, names);
  return names;
}

bool containsWalrus(py::handle expression) {
  std::set<std::string> names;
  collectWalruses(expression, names);
  return !names.empty();
}

//===--------------------------------------------------------------------------===//
// Lookup
//===--------------------------------------------------------------------------===//

const Value *Scope::find(const std::string &name) const {
  auto it = variables.find(name);
  return it == variables.end() ? nullptr : &it->second;
}

Value Scopes::lookup(py::handle nameNode) const {
  std::string name = nameOf(nameNode);
  const Scope *scope = stack.back().get();
  for (;; scope = scope->parent.get()) {
    if (const Value *value = scope->find(name)) {
      if (const Missing *missing = value->getIf<Missing>()) {
        if (missing->isPoisoned)
          diagnostics.failQuietly(nameNode);
        if (missing->needsStatic)
          diagnostics.failNeedsStatic(nameNode, missing->reason);
        diagnostics.fail(nameNode, missing->reason);
      }
      return *value;
    }
    if (scope->locals.count(name))
      diagnostics.fail(nameNode, fmt::format("variable '{}' is read before it has a value", name));
    if (!scope->parent)
      break;
  }
  if (std::optional<py::object> object = lookupPython(*scope, name)) {
    reads.attr("name")(scope->function, name);
    if (std::optional<Value> value = captured(nameNode, scope->function, name))
      return *value;
    return Static{*object};
  }
  failUndefined(nameNode, name);
}

std::optional<Value> Scopes::peek(const std::string &name) const {
  const Scope *scope = stack.back().get();
  for (; scope; scope = scope->parent.get()) {
    if (const Value *value = scope->find(name))
      return *value;
    if (scope->locals.count(name))
      return std::nullopt;
    if (!scope->parent)
      break;
  }
  std::optional<py::object> object = lookupPython(*scope, name);
  return object ? std::optional<Value>(Static{*object}) : std::nullopt;
}

// Looks up a name in the closure cells, globals and builtins of the Python function.
std::optional<py::object> Scopes::lookupPython(const Scope &outermost,
                                               const std::string &name) const {
  const py::object &function = outermost.function;
  py::tuple names = function.attr("__code__").attr("co_freevars");
  for (size_t i = 0; i < names.size(); ++i) {
    if (text(names[i]) != name)
      continue;
    py::object cell = py::tuple(function.attr("__closure__"))[i];
    if (!py::hasattr(cell, "cell_contents"))
      return std::nullopt;
    return cell.attr("cell_contents");
  }
  py::dict globals = function.attr("__globals__");
  if (globals.contains(name))
    return py::object(globals[name.c_str()]);
  py::module_ builtins = py::module_::import("builtins");
  if (py::hasattr(builtins, name.c_str()))
    return py::object(builtins.attr(name.c_str()));
  return std::nullopt;
}

void Scopes::failUndefined(py::handle node, const std::string &name) const {
  py::set known(py::cast(suggestions));
  const Scope *scope = stack.back().get();
  for (;; scope = scope->parent.get()) {
    for (const auto &[variable, value] : scope->variables)
      known.add(variable);
    if (!scope->parent)
      break;
  }
  for (py::handle free : scope->function.attr("__code__").attr("co_freevars"))
    known.add(free);
  for (py::handle global : py::list(scope->function.attr("__globals__")))
    known.add(global);
  py::object similar = py::module_::import("ttl._source").attr("similar")(name, known);
  std::string message = fmt::format("name '{}' is not defined", name);
  if (!similar.is_none())
    message += fmt::format("; did you mean '{}'?", text(similar));
  diagnostics.fail(node, message);
}

} // namespace ttjit::frontend
