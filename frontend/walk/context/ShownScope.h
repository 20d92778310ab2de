//===- ShownScope.h - what a debugger shows at a statement ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A debugged kernel keeps the variables that the user's program has at each statement, also those
// whose values are known at compile time. The location of each op has them: it is a FusedLoc whose
// metadata is a text in JSON. ttl_jit/debugger/_scope.py reads it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_SHOWNSCOPE_H
#define TTJIT_FRONTEND_WALK_CONTEXT_SHOWNSCOPE_H

#include "frontend/walk/context/Scopes.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <map>

namespace ttjit::frontend {

/// While it exists, the walk of a thread keeps the variables of its ops, if a debugger runs the
/// kernel. One walk at a time has such an object: locations are made in many places.
class ShownScope {
public:
  explicit ShownScope(Walker &walker);
  ~ShownScope();
  ShownScope(const ShownScope &) = delete;

  /// Returns the object of the walk that runs; null if the kernel is not debugged.
  static ShownScope *current();
  /// Returns names and values of the variables at the statement that is walked, as text for the
  /// debugger. Null if the kernel is not debugged.
  static mlir::StringAttr text();

private:
  friend class ShownFunction;
  bool isAsBefore();
  mlir::StringAttr describe();
  py::object encode(const Value &value);
  py::object encodeItems(const char *kind, const std::vector<Value> &items);

  Walker &walker;
  const bool isDebugged;
  std::map<PyObject *, py::list> names; ///< those that a function uses, by its syntax tree
  py::handle function;                  ///< the tree of the function that is walked

  /// The last text, and of what it was made.
  struct {
    mlir::StringAttr text;
    const Scope *scope = nullptr;
    py::handle function;
    Variables variables;
  } last;
};

/// While it exists, the walk is in the body of a function.
class ShownFunction {
public:
  explicit ShownFunction(py::handle node);
  ~ShownFunction();
  ShownFunction(const ShownFunction &) = delete;

private:
  py::handle before;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_SHOWNSCOPE_H
