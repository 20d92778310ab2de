//===- CarriedValues.h - values that cross the border of a region ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers, block expressions, blocks and transfer handles can be results of an
// scf.if and carried values of a loop. Two values of different kinds join to a kind
// that holds both: int and float to float, a waited block and a block expression to
// a block expression, a number and a block expression to a block of that number.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CARRIEDVALUES_H
#define TTJIT_FRONTEND_WALK_CARRIEDVALUES_H

#include "frontend/walk/ThreadState.h"
#include "frontend/walk/Values.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace ttjit::frontend {

class Walker;

/// How a region passes a value on. `type` is null if it cannot.
struct CarriedKind {
  mlir::Type type;
  std::shared_ptr<const BlockInfo> block; ///< for block types: a block of that kind

  explicit operator bool() const { return static_cast<bool>(type); }
  bool operator==(const CarriedKind &other) const { return type == other.type; }
};

class CarriedValues {
public:
  explicit CarriedValues(Walker &walker) : walker(walker) {}

  /// `state`: where the value is. Blocks that are released there cannot be passed on.
  CarriedKind kindOf(const ThreadState &state, const Value &value) const;
  /// The kind that holds values of both.
  CarriedKind join(const CarriedKind &a, const CarriedKind &b) const;
  /// The kind of a block's elements as an expression.
  CarriedKind asExpression(const CarriedKind &block) const { return joinBlocks(block, block); }
  /// The value as one of that kind; ops are made at the builder's insertion point.
  mlir::Value materialize(py::handle node, const Value &value, const CarriedKind &kind);
  /// Whether `placeholder` makes values of that kind.
  static bool hasPlaceholder(const CarriedKind &kind);
  /// A value for a path on which it is never read.
  mlir::Value placeholder(py::handle node, const CarriedKind &kind);
  /// What a result or an argument of that kind is. A new block takes the place of
  /// `replaced` among the thread's outstanding blocks.
  Value wrap(mlir::Value value, const CarriedKind &kind, llvm::ArrayRef<unsigned> replaced = {});

  /// Certainly the same object or SSA value.
  static bool same(const Value &a, const Value &b);
  /// Whether all SSA values of `value` are made outside `op`.
  static bool isOutside(const Value &value, mlir::Operation *op);

private:
  bool isReadable(const BlockInfo &block) const;
  CarriedKind joinBlocks(const CarriedKind &a, const CarriedKind &b) const;

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CARRIEDVALUES_H
