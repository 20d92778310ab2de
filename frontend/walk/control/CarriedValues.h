//===- CarriedValues.h - values that cross the border of a region ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value that crosses the border of an scf.if or of a loop is carried by IR values. A number, a
// block expression, a block or a transfer handle needs one IR value. A tuple, a range, a slice or a
// function with default values needs the IR values of all its parts. A value that both paths leave
// unchanged needs no IR value.
//
// If the two paths leave values of different kinds, the result has a kind that can hold both: int
// and float give float, a waited block and a block expression give a block expression, a number and
// a block expression give a block expression. A waited block that is counted at run time
// (CountedBlocks.h) is one number; together with a block expression it becomes one, too.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROL_CARRIEDVALUES_H
#define TTJIT_FRONTEND_WALK_CONTROL_CARRIEDVALUES_H

#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/values/Values.h"

#include "mlir/IR/ValueRange.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace ttjit::frontend {

class Walker;

/// Describes how a region passes a value on. If it has neither `type` nor `value`, the value cannot
/// be passed on.
struct CarriedKind {
  mlir::Type type; ///< type of the IR value that carries it, if one is enough
  std::shared_ptr<const BlockInfo> block; ///< set if `type` is a block type: the block to imitate
  /// A value that crosses the border unchanged, or the container whose parts are carried.
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

  /// Returns how to carry `value`, as the thread is in state `state`. A block that is released in
  /// `state` cannot be carried.
  CarriedKind kindOf(const ThreadState &state, const Value &value) const;
  /// Returns how a loop carries a variable that its body assigns, before the body is walked.
  /// Numbers and block expressions are expected to change in the body; blocks inside tuples are
  /// not.
  CarriedKind kindInLoop(const ThreadState &state, const Value &value) const;
  /// Returns a kind that can hold the values of `a` and the values of `b`.
  CarriedKind join(const CarriedKind &a, const CarriedKind &b) const;
  /// Returns the kind that carries a block's elements as a block expression.
  CarriedKind asExpression(const CarriedKind &block) const { return joinBlocks(block, block); }
  /// Returns the kind for a value that leaves `op`. Values that ops inside `op` make are not
  /// visible outside.
  CarriedKind leaving(CarriedKind kind, mlir::Operation *op) const;

  using IRValues = llvm::SmallVectorImpl<mlir::Value>;
  /// Returns how many IR values carry a value of this kind.
  static size_t count(const CarriedKind &kind);
  /// Appends the IR values that carry `value`, as the thread is in state `state`, to `into`. New
  /// ops are built at the builder's insertion point.
  void materialize(py::handle node, const ThreadState &state, const Value &value,
                   const CarriedKind &kind, IRValues &into);
  /// Returns whether placeholder() can make IR values of this kind.
  static bool hasPlaceholder(const CarriedKind &kind);
  /// Appends IR values for a path on which the variable is never read.
  void placeholder(py::handle node, const CarriedKind &kind, IRValues &into);
  /// Removes the IR values of one carried value from the front of `values` and returns the value
  /// they carry. A new block replaces the blocks in `replaced` among the thread's outstanding
  /// blocks.
  Value wrap(mlir::ValueRange &values, const CarriedKind &kind,
             llvm::ArrayRef<Value> replaced = {});

  /// Returns whether ops outside `op` make all SSA values of `value`.
  bool isOutside(const Value &value, mlir::Operation *op) const;

private:
  static bool hasFlag(const CarriedKind &kind);
  CarriedKind loosened(CarriedKind kind, bool isPart) const;
  CarriedKind joinIRValues(const CarriedKind &a, const CarriedKind &b) const;
  CarriedKind joinParts(const CarriedKind &a, const CarriedKind &b) const;
  bool isReadable(const BlockInfo &block) const;
  CarriedKind joinBlocks(const CarriedKind &a, const CarriedKind &b) const;
  CarriedKind withoutTicket(const CarriedKind &kind) const;
  Value elementsOf(py::handle node, const ThreadState &state, const Value &value);
  mlir::Value materializeOne(py::handle node, const ThreadState &state, const Value &value,
                             const CarriedKind &kind);
  Value wrapOne(mlir::Value value, const CarriedKind &kind, llvm::ArrayRef<Value> replaced);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROL_CARRIEDVALUES_H
