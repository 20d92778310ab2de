//===- ControlFlow.h - branches and loops at run time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes scf.if, scf.for and scf.while. Variables that a branch or a loop
// changes become results and carried values; those that cannot are Missing
// afterwards.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROLFLOW_H
#define TTJIT_FRONTEND_WALK_CONTROLFLOW_H

#include "frontend/walk/PathJoin.h"
#include "frontend/walk/PathState.h"
#include "frontend/walk/Values.h"

#include <functional>

namespace ttjit::frontend {

class Walker;

class ControlFlow {
public:
  explicit ControlFlow(Walker &walker) : walker(walker) {}

  using Action = std::function<void()>;

  /// Begins an scf.if; the walk goes on in its then region. The caller walks one path,
  /// then the other one after `turn`, and calls `close`.
  Branch open(py::handle node, mlir::Value condition);
  /// Goes on with the other path, from where that has come to.
  void turn(Branch &branch);
  /// Joins the two paths and goes on behind the scf.if.
  mlir::scf::IfOp close(Branch &branch);
  /// For ends that are mixed: begins an scf.if, whose then region runs on the paths that
  /// fall through.
  Branch guard(py::handle node);

  /// An expression with two alternatives.
  Value choose(py::handle node, mlir::Value condition, const std::function<Value()> &thenValue,
               const std::function<Value()> &elseValue);
  /// `bounds`: start, stop, step. `bind` gets the loop's variable. Returns whether the
  /// loop ended without `break` or `return`, null if its body has neither.
  mlir::Value forRange(py::handle node, llvm::ArrayRef<Value> bounds,
                       const std::set<std::string> &assigned,
                       const std::function<void(Value)> &bind, const Action &body);
  /// `condition` returns an i1. As forRange.
  mlir::Value whileLoop(py::handle node, const std::set<std::string> &assigned,
                        const std::function<mlir::Value()> &condition, const Action &body);
  /// For the copies of an unrolled loop's body: paths that ended by one of `kinds` fall
  /// through from here on.
  void fallFrom(py::handle node, unsigned kinds);

  PathState save() const;
  void restore(PathState state);

private:
  /// A variable or hidden flag that a loop carries.
  struct Carried {
    std::string variable; ///< empty for the accumulation flag of block `block`
    unsigned block = 0;
    CarriedKind kind;
  };
  using CarriedList = std::vector<Carried>;

  Value valueOf(const PathState &state, const Carried &carried) const;
  void assign(const Carried &carried, const PathState &before, mlir::ValueRange &values);
  llvm::SmallVector<mlir::Value> materializeAll(py::handle node, const PathState &state,
                                                const CarriedList &list);
  CarriedList carriedNames(const PathState &before, const std::set<std::string> &assigned) const;
  void enterLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, llvm::ArrayRef<mlir::BlockArgument> values);
  bool widen(py::handle node, PathState &before, CarriedList &carried);
  void leaveLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, mlir::ValueRange results);
  void returnBlocks(const PathState &before, const CarriedList &carried, ThreadState &thread) const;
  mlir::Value finishFor(py::handle node, const PathState &before, const CarriedList &carried,
                        const std::set<std::string> &assigned, mlir::scf::ForOp loop);
  mlir::Value finishWhile(py::handle node, const PathState &before, const CarriedList &carried,
                          const std::set<std::string> &assigned, mlir::scf::WhileOp loop);
  mlir::Location argumentLocation(py::handle node, const Carried &carried) const;

  /// What a loop carries beside its variables if its body may `break` or `return`.
  struct Exit {
    mlir::SmallVector<mlir::Value> inits, yields;
    PathEnds ends;                 ///< behind the loop, but for its `code`
    std::optional<Value> returned; ///< behind the loop, if no result tells
    CarriedKind returnedKind;      ///< of the result that tells
  };
  Exit makeExit(py::handle node, mlir::Operation *loop);
  void leaveExit(const Exit &exit, mlir::ValueRange results);
  mlir::Value isOneOf(py::handle node, unsigned kinds);

  struct Bounds {
    mlir::Value lower, upper, step; ///< index
    /// The loop's variable from the induction variable.
    std::function<Value(mlir::Value)> variable;
  };
  Bounds loopBounds(py::handle node, llvm::ArrayRef<Value> bounds);
  Bounds downwardBounds(py::handle node, llvm::ArrayRef<Value> bounds, int64_t step);
  void checkDepth(py::handle node) const;
  Branch begin(py::handle node, mlir::Value condition);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROLFLOW_H
