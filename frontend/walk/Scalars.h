//===- Scalars.h - numbers of kernel functions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, comparison and truth of numbers. Python computes with numbers known at
// compile time; run-time integers are checked i32 (ttl.int_*), floats are f32.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SCALARS_H
#define TTJIT_FRONTEND_WALK_SCALARS_H

#include "frontend/walk/Values.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace ttjit::frontend {

class Walker;

class Scalars {
public:
  explicit Scalars(Walker &walker) : walker(walker) {}

  /// `op` is the ast class's name: "Add", "FloorDiv". Both must be numbers or
  /// both Static.
  Value binary(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  Value unary(py::handle node, std::string_view op, const Value &operand);
  /// "Lt", "Eq", ...
  Value compare(py::handle node, std::string_view op, const Value &lhs, const Value &rhs);
  /// min (isMin) or max of two.
  Value minMax(py::handle node, bool isMin, const Value &lhs, const Value &rhs);
  Value absolute(py::handle node, const Value &operand);

  /// The type of the value as a run-time number, null if it is no number or
  /// bool.
  mlir::Type typeOf(const Value &value) const;
  /// The type that holds both: float over int over bool.
  static mlir::Type join(mlir::Type lhs, mlir::Type rhs);
  /// The value as a run-time number of `type`; fails if it does not fit.
  mlir::Value materialize(py::handle node, const Value &value, mlir::Type type);
  mlir::Value asI32(py::handle node, const Value &value);
  mlir::Value asF32(py::handle node, const Value &value);
  mlir::Value asIndex(py::handle node, const Value &value);
  /// int(x): floats truncate toward zero.
  mlir::Value truncate(py::handle node, mlir::Value value);
  /// i32 from an index result.
  Value fromIndex(py::handle node, mlir::Value index);

  /// Python's truth: known now, or an i1.
  std::variant<bool, mlir::Value> truth(py::handle node, const Value &value);

  /// The value as a compile-time integer, nothing if it is none.
  static std::optional<int64_t> staticInt(const Value &value);

  /// The operator `op=` on Python objects: changes `lhs` if that has such an operator.
  Value inPlace(py::handle node, std::string_view op, const py::object &lhs, const py::object &rhs);

private:
  Value binaryInt(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  Value bitwise(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  Value shift(py::handle node, bool left, const Value &lhs, const Value &distance);
  void checkNotZero(py::handle node, mlir::Value divisor);
  Value floorDivision(py::handle node, bool isModulo, mlir::Value lhs, mlir::Value rhs);
  Value powerFloat(py::handle node, mlir::Value base, const Value &exponent);
  Value binaryFloat(py::handle node, std::string_view op, mlir::Value lhs, mlir::Value rhs);
  mlir::Value convert(py::handle node, mlir::Value value, mlir::Type type);
  mlir::Value materializeStatic(py::handle node, py::handle object, mlir::Type type);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SCALARS_H
