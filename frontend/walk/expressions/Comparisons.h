//===- Comparisons.h - comparisons in kernel functions --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds `is`, `==`, `<`, `in` and their chains between values of every kind. A comparison means
// what it means in Python, or it is an error. Blocks are compared element by element.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_EXPRESSIONS_COMPARISONS_H
#define TTJIT_FRONTEND_WALK_EXPRESSIONS_COMPARISONS_H

#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

class Walker;

class Comparisons {
public:
  explicit Comparisons(Walker &walker) : walker(walker) {}

  /// Evaluates an ast.Compare: `a < b <= c`. An operand is evaluated only if the comparisons before
  /// it hold.
  Value evaluate(py::handle node);

private:
  Value chain(py::handle node, const Value &lhs, size_t first);
  Value compare(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value identity(py::handle node, const Value &lhs, const Value &rhs, bool negated);
  Value elements(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value sequences(py::handle node, const Value &lhs, const Value &rhs, bool negated);
  Value membership(py::handle node, const Value &item, const Value &container, bool negated);
  Value matches(py::handle node, const Value &lhs, const Value &rhs);
  Value joined(py::handle node, bool isAnd, const Value &lhs, const Value &rhs);
  Value inverted(py::handle node, const Value &value);
  bool isTensor(const Value &value) const;
  void refuseItem(py::handle node, const Value &item, const Value &container) const;

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_EXPRESSIONS_COMPARISONS_H
