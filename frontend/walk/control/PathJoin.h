//===- PathJoin.h - joins the states of a branch's two paths --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A variable that has different values after the two paths becomes a result of the scf.if if the
// kinds of the values can be joined. Otherwise it is Missing after the branch. If one path has
// ended, by `return` for instance, the variable keeps the other path's value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROL_PATHJOIN_H
#define TTJIT_FRONTEND_WALK_CONTROL_PATHJOIN_H

#include "frontend/walk/context/PathState.h"
#include "frontend/walk/control/CarriedValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace ttjit::frontend {

/// An scf.if whose regions are walked one after the other.
struct Branch {
  py::handle node;
  mlir::scf::IfOp op;
  PathState before;
  PathState other;     ///< the state at the end of the path that is not being walked
  bool inElse = false; ///< whether the walk is in the `else` region
  /// The `if` statement whose `if` or `elif` this is; null for other branches.
  py::handle statement = {};
};

/// One result of an scf.if: the value that each path yields.
struct BranchResult {
  CarriedKind kind;
  std::optional<Value> thenValue, elseValue; ///< nothing if the path's value is never read
};

/// Replaces an scf.if without results by one that returns the results its regions yield.
mlir::scf::IfOp addResults(mlir::OpBuilder &builder, mlir::scf::IfOp op,
                           llvm::ArrayRef<mlir::Value> thenValues,
                           llvm::ArrayRef<mlir::Value> elseValues);

class PathJoin {
public:
  PathJoin(Walker &walker, Branch &branch);
  /// Builds the results; the walk continues behind the scf.if. Returns the scf.if that has the
  /// results.
  mlir::scf::IfOp finish();

private:
  struct Result : BranchResult {
    std::function<void(const Value &)> bind;
  };

  void joinThread();
  void noteLost(HeldQueue queue);
  void noteUnsure();
  void joinHeld();
  void requireDifferentBlocks();
  void joinHeld(HeldQueue queue, llvm::ArrayRef<Block> left, llvm::ArrayRef<Block> right);
  void joinFlags();
  void joinEnds();
  CarriedKind joinKinds(const Value &left, const Value &right) const;
  CarriedKind withoutAliases(CarriedKind kind, const Value &left, const Value &right) const;
  llvm::SmallVector<mlir::Value> materialize(mlir::Operation *yield, const ThreadState &state,
                                             std::optional<Value> BranchResult::*path);
  void joinVariable(const std::string &name, const Value *left, const Value *right);
  void joinValues(const std::string &name, const Value &left, const Value &right);
  void joinOneValue(const std::string &name, const Value *left, const Value *right);
  void adopt(const std::string &name, const Value &value, bool isThen);
  void addResult(const std::string &name, BranchResult result);
  void missing(const std::string &name, const char *what, const Value &value,
               const std::string &difference = {});

  Walker &walker;
  Branch &branch;
  PathState thenState, elseState, joined;
  std::vector<Result> results;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROL_PATHJOIN_H
