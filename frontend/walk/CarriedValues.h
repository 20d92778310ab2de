//===- CarriedValues.h - values that cross the border of a region ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value crosses the border of an scf.if or of a loop as IR values: one for a number,
// a block expression, a block or a transfer handle; those of its parts for a tuple, a
// range, a slice or a function with default values. What both paths leave as it is
// needs no IR value. Two values of different kinds join to a kind that holds both: int
// and float to float, a waited block and a block expression to a block expression, a
// number and a block expression to a block of that number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CARRIEDVALUES_H
#define TTJIT_FRONTEND_WALK_CARRIEDVALUES_H

#include "frontend/walk/ThreadState.h"
#include "frontend/walk/Values.h"

#include "mlir/IR/ValueRange.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace ttjit::frontend {

class Walker;

/// How a region passes a value on. It cannot if there is neither a type nor a value.
struct CarriedKind {
  mlir::Type type;                        ///< of the one IR value
  std::shared_ptr<const BlockInfo> block; ///< for block types: a block of that kind
  /// The value that crosses as it is, or only with other parts.
  std::optional<Value> value;
  std::vector<CarriedKind> parts;

  explicit operator bool() const { return type || value; }
  bool isOneIRValue() const { return type && !value; }
  bool operator==(const CarriedKind &other) const {
    return type == other.type && value.has_value() == other.value.has_value() &&
           parts == other.parts;
  }
};

class CarriedValues {
public:
  explicit CarriedValues(Walker &walker) : walker(walker) {}

  /// `state`: where the value is. Blocks that are released there cannot be passed on.
  CarriedKind kindOf(const ThreadState &state, const Value &value) const;
  /// The kind of a variable that a loop assigns, before the loop is walked: numbers and
  /// block expressions are expected to change, blocks inside tuples are not.
  CarriedKind kindInLoop(const ThreadState &state, const Value &value) const;
  /// The kind that holds values of both.
  CarriedKind join(const CarriedKind &a, const CarriedKind &b) const;
  /// The kind of a block's elements as an expression.
  CarriedKind asExpression(const CarriedKind &block) const { return joinBlocks(block, block); }
  /// The kind for a value that leaves `op`, where what was made inside is not visible.
  CarriedKind leaving(CarriedKind kind, mlir::Operation *op) const;

  using IRValues = llvm::SmallVectorImpl<mlir::Value>;
  /// The number of IR values that carry a value of that kind.
  static size_t count(const CarriedKind &kind);
  /// Adds the IR values that carry `value`; ops are made at the builder's insertion point.
  void materialize(py::handle node, const Value &value, const CarriedKind &kind, IRValues &into);
  /// Whether `placeholder` makes values of that kind.
  static bool hasPlaceholder(const CarriedKind &kind);
  /// Adds IR values for a path on which they are never read.
  void placeholder(py::handle node, const CarriedKind &kind, IRValues &into);
  /// The value of that kind that the first of `values` carry; drops these. A new block
  /// takes the place of those in `replaced` among the thread's outstanding blocks.
  Value wrap(mlir::ValueRange &values, const CarriedKind &kind,
             llvm::ArrayRef<Value> replaced = {});

  /// Certainly the same object or SSA value.
  static bool same(const Value &a, const Value &b);
  /// Whether all SSA values of `value` are made outside `op`.
  bool isOutside(const Value &value, mlir::Operation *op) const;

private:
  CarriedKind loosened(CarriedKind kind, bool isPart) const;
  CarriedKind joinIRValues(const CarriedKind &a, const CarriedKind &b) const;
  CarriedKind joinParts(const CarriedKind &a, const CarriedKind &b) const;
  bool isReadable(const BlockInfo &block) const;
  CarriedKind joinBlocks(const CarriedKind &a, const CarriedKind &b) const;
  mlir::Value materializeOne(py::handle node, const Value &value, const CarriedKind &kind);
  Value wrapOne(mlir::Value value, const CarriedKind &kind, llvm::ArrayRef<Value> replaced);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CARRIEDVALUES_H
