//===- Scopes.h - looks up names in kernel functions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function being walked has one Scope. Names are looked up as in Python. A name is local if it
// is assigned anywhere in the function. Otherwise it belongs to an enclosing function inside the
// kernel, then to the closure cells, globals and builtins of the Python function around the kernel
// code.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_SCOPES_H
#define TTJIT_FRONTEND_WALK_CONTEXT_SCOPES_H

#include "frontend/walk/context/PathEnds.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/PersistentMap.h"
#include "frontend/walk/values/Values.h"

#include "mlir/IR/Block.h"

#include <functional>
#include <map>
#include <set>

namespace ttjit::frontend {

using Variables = PersistentMap<std::string, Value>;

/// A set of names.
struct NoValue {};
using Names = PersistentMap<std::string, NoValue>;

/// Finds the names that statements bind, without those that functions inside them bind. Remembers
/// the answers for loops and for bodies of functions, because the walk asks for them several times.
class AssignedNames {
public:
  std::set<std::string> of(py::handle node);
  /// `statements`: the list that is the body of a node.
  const std::set<std::string> &ofBody(py::handle statements);
  /// The body and the variables of an ast.For or ast.While.
  const std::set<std::string> &ofLoop(py::handle loop);
  /// Returns whether a loop that binds a name binds it by another statement than `name += x`.
  bool rebinds(py::handle loop, const std::string &name);

private:
  void collect(py::handle root, std::set<std::string> &names);
  void collectOfLoop(py::handle loop, std::set<std::string> &names);

  struct Entry {
    py::object node; ///< keeps the key alive
    std::set<std::string> names;
  };
  std::map<PyObject *, Entry> known;
};

/// Returns whether an expression binds a name with `:=` outside of its lambdas.
bool containsWalrus(py::handle expression);

class Scope {
public:
  /// `function` is the Python function whose closure and globals hold the names that are not local.
  /// It is none if `parent` is the scope of the enclosing function.
  Scope(std::shared_ptr<Scope> parent, py::object function, std::set<std::string> locals)
      : parent(std::move(parent)), function(std::move(function)), locals(std::move(locals)) {}

  void assign(const std::string &name, Value value) { variables.set(name, std::move(value)); }
  /// Returns the value of a local variable; null if it has no value. Valid until a variable is
  /// assigned.
  const Value *find(const std::string &name) const { return variables.find(name); }

  Variables variables;
  PathEnds ends; ///< how the statements walked last ended
  Names partial; ///< see PathState::partial
  /// The block in which a comprehension's items are evaluated. Null for scopes of functions.
  mlir::Block *comprehension = nullptr;

private:
  friend class Scopes;
  std::shared_ptr<Scope> parent;
  py::object function;
  std::set<std::string> locals;
};

class Scopes {
public:
  /// Every lookup of a variable of a Python function is recorded in `reads`.
  Scopes(Diagnostics &diagnostics, py::object reads)
      : diagnostics(diagnostics), reads(std::move(reads)) {}
  ~Scopes();
  Scopes(const Scopes &) = delete;

  /// Returns the value of a variable that a Python function captured, or nothing if the variable is
  /// the same on all nodes.
  using Captured = std::function<std::optional<Value>(py::handle nameNode, py::handle function,
                                                      const std::string &name)>;
  void setCaptured(Captured find) { captured = std::move(find); }

  /// Called before the error about a name without a usable value.
  using OnMissing = std::function<void(const Missing &)>;
  void setMissing(OnMissing call) { onMissing = std::move(call); }

  void enter(std::shared_ptr<Scope> scope) { stack.push_back(std::move(scope)); }
  void leave() { stack.pop_back(); }
  /// Adds a name that an error may suggest instead of a misspelled one.
  void suggest(std::string name) { suggestions.push_back(std::move(name)); }
  size_t depth() const { return stack.size(); }
  void unwindTo(size_t depth) { stack.resize(depth); }

  Scope &current() { return *stack.back(); }
  /// Returns the scope of the function that is being walked, even if the walk is inside a
  /// comprehension.
  Scope &function() {
    size_t i = stack.size() - 1;
    while (stack[i]->comprehension)
      --i;
    return *stack[i];
  }
  /// Returns the current scope, which becomes the parent of a new scope. Scopes keeps it and its
  /// variables until the walk ends.
  const std::shared_ptr<Scope> &shared() { return *outer.insert(stack.back()).first; }
  /// Returns whether `scope` belongs to a function that is being walked.
  bool isEntered(const Scope &scope) const {
    return std::any_of(stack.begin(), stack.end(),
                       [&](const auto &entered) { return entered.get() == &scope; });
  }

  AssignedNames assignedNames;

  /// Returns the value of an ast.Name; fails if the name is not defined.
  Value lookup(py::handle nameNode) const;
  /// Returns the current value of a name, or nothing if it is not defined. Does not record the
  /// read.
  std::optional<Value> peek(const std::string &name) const;
  /// Returns another local name, in any function that is being walked, of the same value.
  std::optional<std::string> otherNameOf(const Value &value, const std::string &name) const;
  void assign(const std::string &name, Value value) { current().assign(name, std::move(value)); }

private:
  std::optional<py::object> lookupPython(const Scope &outermost, const std::string &name) const;
  void noteRead(const py::object &function, const std::string &name, bool differs) const;
  [[noreturn]] void failUnassigned(py::handle node, const Scope &scope,
                                   const std::string &name) const;
  [[noreturn]] void failUndefined(py::handle node, const std::string &name) const;

  Diagnostics &diagnostics;
  py::object reads;
  mutable std::set<std::pair<PyObject *, std::string>> noted; ///< what `reads` was told
  Captured captured;
  OnMissing onMissing;
  std::vector<std::shared_ptr<Scope>> stack;
  std::set<std::shared_ptr<Scope>> outer; ///< scopes in which others look up names
  std::vector<std::string> suggestions;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_SCOPES_H
