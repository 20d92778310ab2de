//===- Scopes.cpp - looks up names in kernel functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/Scopes.h"

#include "frontend/walk/syntax/Ast.h"

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
      names.insert(nameOf(node.attr("target"_py)));
    return !isFunctionLike(kindOf(node));
  });
}

void AssignedNames::collect(py::handle root, std::set<std::string> &names) {
  walkTree(root, [&](py::handle node) {
    std::string_view kind = kindOf(node);
    if (kind == "For" || kind == "While") {
      collectOfLoop(node, names);
      return false;
    }
    if (kind == "Name" && isKind(node.attr("ctx"_py), "Store"))
      names.insert(nameOf(node));
    if (kind == "FunctionDef" || kind == "AsyncFunctionDef" || kind == "ClassDef")
      names.insert(text(node.attr("name"_py)));
    if (isComprehension(kind))
      collectWalruses(node, names);
    return !isFunctionLike(kind) && !isComprehension(kind);
  });
}

// Adds all names that the loop binds, those of its condition and 'else' too.
void AssignedNames::collectOfLoop(py::handle loop, std::set<std::string> &names) {
  const std::set<std::string> &own = ofLoop(loop);
  names.insert(own.begin(), own.end());
  collect(isKind(loop, "For") ? loop.attr("iter"_py) : loop.attr("test"_py), names);
  for (py::handle statement : listOf(loop, "orelse"_py))
    collect(statement, names);
}

std::set<std::string> AssignedNames::of(py::handle node) {
  std::set<std::string> names;
  collect(node, names);
  return names;
}

const std::set<std::string> &AssignedNames::ofBody(py::handle statements) {
  Entry &entry = known[statements.ptr()];
  if (!entry.node) {
    entry.node = py::reinterpret_borrow<py::object>(statements);
    for (py::handle statement : statements)
      collect(statement, entry.names);
  }
  return entry.names;
}

const std::set<std::string> &AssignedNames::ofLoop(py::handle loop) {
  Entry &entry = known[loop.ptr()];
  if (!entry.node) {
    entry.node = py::reinterpret_borrow<py::object>(loop);
    entry.names = ofBody(loop.attr("body"_py));
    if (isKind(loop, "For"))
      collect(loop.attr("target"_py), entry.names);
  }
  return entry.names;
}

bool AssignedNames::rebinds(py::handle loop, const std::string &name) {
  bool found = false;
  std::set<PyObject *> augmented; // the targets of `name += x`
  walkTree(loop, [&](py::handle node) {
    std::string_view kind = kindOf(node);
    if (kind == "AugAssign" && isKind(node.attr("op"_py), "Add"))
      augmented.insert(py::object(node.attr("target"_py)).ptr());
    bool binds = kind == "Name" && isKind(node.attr("ctx"_py), "Store") && nameOf(node) == name;
    bool defines = kind == "FunctionDef" && text(node.attr("name"_py)) == name;
    found |= defines || (binds && !augmented.count(node.ptr()));
    return !found && !isFunctionLike(kind);
  });
  return found;
}

bool containsWalrus(py::handle expression) {
  std::set<std::string> names;
  collectWalruses(expression, names);
  return !names.empty();
}

//===--------------------------------------------------------------------------===//
// Lookup
//===--------------------------------------------------------------------------===//

// A function is a variable of the scope that it looks up names in, so the scopes own each other,
// and through the variables the user's tensors.
Scopes::~Scopes() {
  for (const std::shared_ptr<Scope> &scope : outer)
    scope->variables = {};
}

Value Scopes::lookup(py::handle nameNode) const {
  std::string name = nameOf(nameNode);
  const Scope *scope = stack.back().get();
  for (;; scope = scope->parent.get()) {
    if (const Value *value = scope->find(name)) {
      if (const Missing *missing = value->getIf<Missing>()) {
        if (missing->isPoisoned)
          diagnostics.failQuietly(nameNode);
        onMissing(*missing);
        if (missing->needsStatic)
          diagnostics.failNeedsStatic(nameNode, missing->reason);
        diagnostics.fail(nameNode, missing->reason);
      }
      return *value;
    }
    if (scope->locals.count(name))
      failUnassigned(nameNode, *scope, name);
    if (!scope->parent)
      break;
  }
  if (std::optional<py::object> object = lookupPython(*scope, name)) {
    std::optional<Value> value = captured(nameNode, scope->function, name);
    noteRead(scope->function, name, /*differs=*/value.has_value());
    return value ? *value : Value(Static{*object});
  }
  failUndefined(nameNode, name);
}

std::optional<std::string> Scopes::otherNameOf(const Value &value, const std::string &name) const {
  std::optional<std::string> found;
  for (const std::shared_ptr<Scope> &scope : stack)
    scope->variables.forEach([&](const std::string &other, const Value &held) {
      if (&*held == &*value && (scope != stack.back() || other != name))
        found = other;
    });
  return found;
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
  py::str key(name);
  py::tuple names = function.attr("__code__"_py).attr("co_freevars"_py);
  for (size_t i = 0; i < names.size(); ++i) {
    if (PyUnicode_Compare(py::object(names[i]).ptr(), key.ptr()) != 0)
      continue;
    py::object cell = py::tuple(function.attr("__closure__"_py))[i];
    if (!py::hasattr(cell, "cell_contents"_py))
      return std::nullopt;
    return cell.attr("cell_contents"_py);
  }
  py::dict globals = function.attr("__globals__"_py);
  if (globals.contains(key))
    return py::object(globals[key]);
  py::module_ builtins = pythonModule<"builtins">();
  if (py::hasattr(builtins, key))
    return py::object(builtins.attr(key));
  return std::nullopt;
}

// Fails for a local variable that has no value yet. It may hide a variable outside of the function.
void Scopes::failUnassigned(py::handle node, const Scope &scope, const std::string &name) const {
  const Scope *outermost = &scope;
  bool isHidden = false;
  while (outermost->parent) {
    outermost = outermost->parent.get();
    isHidden |= outermost->find(name) != nullptr;
  }
  isHidden |= pythonModule<"ttl._source">()
                  .attr("is_bound_outside"_py)(outermost->function, name)
                  .cast<bool>();
  diagnostics.fail(
      node, fmt::format("variable '{}' is read before it has a value{}", name,
                        isHidden ? ": an assignment in this function makes it a new variable, "
                                   "which hides the one outside; give the new one another name"
                                 : ": assign it before this line"));
}

// Tells `reads` of a variable once.
void Scopes::noteRead(const py::object &function, const std::string &name, bool differs) const {
  if (noted.emplace(function.ptr(), name).second)
    reads.attr(differs ? "numbers_of_nodes"_py : "name"_py)(function, name);
}

void Scopes::failUndefined(py::handle node, const std::string &name) const {
  py::set known(py::cast(suggestions));
  const Scope *scope = stack.back().get();
  for (;; scope = scope->parent.get()) {
    scope->variables.forEach(
        [&](const std::string &variable, const Value &) { known.add(variable); });
    if (!scope->parent)
      break;
  }
  for (py::handle free : scope->function.attr("__code__"_py).attr("co_freevars"_py))
    known.add(free);
  for (py::handle global : py::list(scope->function.attr("__globals__"_py)))
    known.add(global);
  py::object similar = pythonModule<"ttl._source">().attr("similar"_py)(name, known);
  std::string message = fmt::format("name '{}' is not defined", name);
  message += similar.is_none()
                 ? ": assign it before this line, or import it outside of the operation"
                 : fmt::format("; did you mean '{}'?", text(similar));
  diagnostics.fail(node, message);
}

} // namespace ttjit::frontend
