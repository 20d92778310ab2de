//===- Expressions.h - evaluating expressions -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_EXPRESSIONS_EXPRESSIONS_H
#define TTJIT_FRONTEND_WALK_EXPRESSIONS_EXPRESSIONS_H

#include "frontend/walk/values/Values.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class Expressions {
public:
  explicit Expressions(Walker &walker) : walker(walker) {}

  /// Evaluates an ast expression. A Python exception raised on the way becomes an error at the
  /// innermost expression.
  Value evaluate(py::handle node);
  /// Evaluates the function of a call. An attribute that the value lacks is no error: the call says
  /// what the value lacks.
  Value callee(py::handle node);
  /// Applies an operator to two values; `op` is the name of its class in module `ast`, such as
  /// "Add".
  Value binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  /// Evaluates `object.name`.
  Value attribute(py::handle node, const Value &object, const std::string &name);

private:
  Value evaluateKind(py::handle node);
  [[noreturn]] void unsupported(py::handle node) const;
  Value constant(py::handle node);
  Value name(py::handle node);
  Value binOp(py::handle node);
  Value unaryOp(py::handle node);
  Value boolOp(py::handle node);
  Value boolOp(py::handle node, py::list values, size_t first, bool isAnd);
  Value compare(py::handle node);
  Value repeated(py::handle node, const Value &sequence, int64_t count) const;
  Value ifExp(py::handle node);
  Value call(py::handle node);
  Value attributeNode(py::handle node);
  Value subscript(py::handle node);
  Value indices(py::handle node);
  std::vector<Value> elements(py::handle node);
  Value sequence(py::handle node);
  Value slice(py::handle node);
  Value set(py::handle node, const std::vector<Value> &items) const;
  Value dictNode(py::handle node);
  py::object key(py::handle node);
  Value lambda(py::handle node);
  Value comprehension(py::handle node);
  Value dictComprehension(py::handle node);
  /// Walks a comprehension; calls `addResult` for every combination of items that meets its
  /// conditions.
  void comprehend(py::handle node, py::list generators, size_t level,
                  llvm::function_ref<void()> addResult);
  bool isWanted(py::handle generator);
  Value namedExpr(py::handle node);
  Value joinedStr(py::handle node);
  Text formattedValue(py::handle part);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_EXPRESSIONS_EXPRESSIONS_H
