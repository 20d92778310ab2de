//===- PathJoin.h - one state after the two paths of a branch -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Variables that the paths leave with different values become results of the scf.if
// if their kinds can be joined; otherwise they are Missing afterwards. A path that
// has ended does not read the variables again, so the other path's values stay.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_PATHJOIN_H
#define TTJIT_FRONTEND_WALK_PATHJOIN_H

#include "frontend/walk/CarriedValues.h"
#include "frontend/walk/PathState.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace ttjit::frontend {

/// An scf.if whose regions are walked one after the other.
struct Branch {
  py::handle node;
  mlir::scf::IfOp op;
  PathState before;
  PathState other;     ///< where the path that is not being walked has come to
  bool inElse = false; ///< the path that is being walked
};

/// What an scf.if yields: values of its two paths.
struct BranchResult {
  CarriedKind kind;
  std::optional<Value> thenValue, elseValue; ///< nothing: this path's value is never read
};

/// Gives an scf.if without results the results that its regions yield.
mlir::scf::IfOp addResults(mlir::OpBuilder &builder, mlir::scf::IfOp op,
                           llvm::ArrayRef<mlir::Value> thenValues,
                           llvm::ArrayRef<mlir::Value> elseValues);

class PathJoin {
public:
  PathJoin(Walker &walker, Branch &branch);
  /// Makes the results; the walk goes on behind the scf.if. Returns the op that has them.
  mlir::scf::IfOp finish();

private:
  struct Result : BranchResult {
    std::function<void(const Value &)> bind;
  };

  void joinThread();
  void joinFlags();
  void joinEnds();
  CarriedKind joinKinds(const Value &left, const Value &right) const;
  CarriedKind withoutAliases(CarriedKind kind, const Value &left, const Value &right) const;
  llvm::SmallVector<mlir::Value> materialize(mlir::Operation *yield,
                                             std::optional<Value> BranchResult::*path);
  void joinVariable(const std::string &name, const Value *left, const Value *right);
  void adopt(const std::string &name, const Value &value, bool isThen);
  void addResult(const std::string &name, BranchResult result);
  void missing(const std::string &name, const char *what);

  Walker &walker;
  Branch &branch;
  PathState thenState, elseState, joined;
  std::vector<Result> results;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_PATHJOIN_H
