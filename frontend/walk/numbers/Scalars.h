//===- Scalars.h - numbers of kernel functions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds arithmetic, comparisons and truth tests of numbers. Python computes them if all operands
// are known at compile time. At run time, integers are i32 with overflow checks (ttl.int_*) and
// floats are f32.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_NUMBERS_SCALARS_H
#define TTJIT_FRONTEND_WALK_NUMBERS_SCALARS_H

#include "frontend/walk/values/Values.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class Scalars {
public:
  explicit Scalars(Walker &walker) : walker(walker) {}

  /// Applies a binary operator. `op` is the name of its class in module `ast`: "Add", "FloorDiv".
  /// Both operands must be numbers, or both Static.
  Value binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value unary(py::handle node, std::string_view op, const Value &operand);
  /// Compares two values. `op` is the name of the comparison's class in module `ast`: "Lt", "Eq".
  Value compare(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  /// Builds the minimum (if `isMin`) or maximum of two numbers.
  Value minMax(py::handle node, bool isMin, const Value &lhs, const Value &rhs);
  Value absolute(py::handle node, const Value &operand);

  /// Returns the type of the value as a run-time number; null if it is neither a number nor a bool.
  mlir::Type typeOf(const Value &value) const;
  /// Returns the type that can hold values of both types: f32 before i32 before i1.
  static mlir::Type join(mlir::Type lhs, mlir::Type rhs);
  /// Returns the value as a run-time number of type `type`; fails if it does not fit.
  mlir::Value materialize(py::handle node, const Value &value, mlir::Type type);
  mlir::Value asI32(py::handle node, const Value &value);
  mlir::Value asF32(py::handle node, const Value &value);
  mlir::Value asIndex(py::handle node, const Value &value);
  /// Builds int(x) of a float: truncates toward zero.
  mlir::Value truncate(py::handle node, mlir::Value value);
  /// Converts a result of type index to i32.
  Value fromIndex(py::handle node, mlir::Value index);

  /// Returns whether Python treats the value as true: a bool if that is known at compile time,
  /// otherwise an i1.
  std::variant<bool, mlir::Value> truth(py::handle node, const Value &value);

  /// Returns the value as a compile-time integer; nothing if it is none.
  static std::optional<int64_t> staticInt(const Value &value);

  /// Applies an operator such as `+=` to Python objects. Changes the object `lhs` if its class
  /// defines that operator.
  Value inPlace(py::handle node, std::string_view op, const py::object &lhs, const py::object &rhs);

private:
  Value binaryInt(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  Value bitwise(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  Value shift(py::handle node, bool left, const Value &lhs, const Value &distance);
  Value shiftLeft(py::handle node, const Value &lhs, const Value &distance);
  Value shiftRight(py::handle node, const Value &lhs, const Value &distance);
  void checkNotNegative(py::handle node, const Value &number, const char *message,
                        const char *advice = "");
  void checkNotZero(py::handle node, mlir::Value divisor);
  Value floorDivision(py::handle node, bool isModulo, mlir::Value lhs, mlir::Value rhs);
  Value powerFloat(py::handle node, mlir::Value base, const Value &exponent);
  Value binaryFloat(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  mlir::Value convert(py::handle node, mlir::Value value, mlir::Type type);
  mlir::Value materializeStatic(py::handle node, py::handle object, mlir::Type type);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_NUMBERS_SCALARS_H
