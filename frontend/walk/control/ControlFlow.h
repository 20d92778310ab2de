//===- ControlFlow.h - branches and loops at run time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds scf.if, scf.for and scf.while for conditions and bounds that are known only at run time. A
// variable that a branch or a loop changes becomes a result or a carried value. If that is not
// possible, the variable is Missing after the branch or loop.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROL_CONTROLFLOW_H
#define TTJIT_FRONTEND_WALK_CONTROL_CONTROLFLOW_H

#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/control/PathJoin.h"
#include "frontend/walk/values/Values.h"

#include <functional>

namespace ttjit::frontend {

class Walker;

class ControlFlow {
public:
  explicit ControlFlow(Walker &walker) : walker(walker) {}

  using Action = std::function<void()>;

  /// Begins an scf.if; the walk continues in its `then` region. The caller walks one path, calls
  /// `turn`, walks the other path, and calls `close`.
  Branch open(py::handle node, mlir::Value condition);
  /// Continues the walk on the other path of the branch, from the state that this path has reached
  /// so far.
  void turn(Branch &branch);
  /// Joins the states of the two paths; the walk continues behind the scf.if.
  mlir::scf::IfOp close(Branch &branch);
  /// Begins an scf.if whose `then` region runs only on the paths that did not end by break,
  /// continue or return. Use it where some of the paths ended so.
  Branch guard(py::handle node);

  /// Walks a part of a statement. If it calls a function that raises on all paths, an error after
  /// the call is dropped, because what follows does not run: the caller must check `ends.raises()`.
  void untilRaise(llvm::function_ref<void()> walk);

  /// Evaluates an expression with two alternatives: `a if condition else b`.
  Value choose(py::handle node, mlir::Value condition, const std::function<Value()> &thenValue,
               const std::function<Value()> &elseValue);
  /// Builds a loop over a range. `bounds` are start, stop and step; `bind` gets the loop's
  /// variable. Returns an i1 that tells whether the loop ended without `break` or `return`, or null
  /// if its body has neither.
  mlir::Value forRange(py::handle node, llvm::ArrayRef<Value> bounds,
                       const std::set<std::string> &assigned,
                       const std::function<void(Value)> &bind, const Action &body);
  /// Builds a `while` loop; `condition` returns an i1. The result is the same as that of forRange.
  mlir::Value whileLoop(py::handle node, const std::set<std::string> &assigned,
                        const std::function<mlir::Value()> &condition, const Action &body);
  /// Makes paths that ended by one of `kinds` fall through from here on. Used after each copy of an
  /// unrolled loop's body.
  void fallFrom(py::handle node, unsigned kinds);

private:
  [[noreturn]] void failChoice(py::handle node, const Value &first, const Value &second);

  /// A variable, or the accumulation flag of a block, that a loop carries.
  struct Carried {
    std::string variable; ///< the variable's name; empty for an accumulation flag
    unsigned block = 0;
    CarriedKind kind;
  };
  using CarriedList = std::vector<Carried>;

  Value valueOf(const PathState &state, const Carried &carried) const;
  void assign(const Carried &carried, const PathState &before, mlir::ValueRange &values);
  llvm::SmallVector<mlir::Value> materializeAll(py::handle node, const PathState &state,
                                                const CarriedList &list);
  std::set<std::string> changedIn(py::handle loop, const std::set<std::string> &assigned) const;
  CarriedList carriedNames(const PathState &before, const std::set<std::string> &assigned) const;
  void enterLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, llvm::ArrayRef<mlir::BlockArgument> values);
  bool widen(py::handle node, PathState &before, CarriedList &carried);
  std::set<unsigned> carriedBlocks(const PathState &state, const CarriedList &carried) const;
  bool carryHeld(py::handle node, const HeldQueues &start, PathState &before, CarriedList &carried);
  bool carryHeld(py::handle node, HeldQueue queue, llvm::ArrayRef<Block> start,
                 llvm::ArrayRef<Block> end, PathState &before, CarriedList &carried);
  bool carryCounted(const std::set<std::string> &assigned, PathState &before, CarriedList &carried);
  bool carryMore(py::handle node, const HeldQueues &held, const std::set<std::string> &assigned,
                 PathState &before, CarriedList &carried);
  void noteLost(py::handle node, const PathState &before, const CarriedList &carried);
  void leaveLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, mlir::ValueRange results, bool runs);
  void returnBlocks(const PathState &before, const CarriedList &carried, ThreadState &thread) const;
  mlir::Value finishFor(py::handle node, const PathState &before, const CarriedList &carried,
                        const std::set<std::string> &assigned, mlir::scf::ForOp loop);
  mlir::Value finishWhile(py::handle node, const PathState &before, const CarriedList &carried,
                          const std::set<std::string> &assigned, mlir::scf::WhileOp loop);
  mlir::Location argumentLocation(py::handle node, const Carried &carried) const;

  /// The values that a loop carries, besides its variables, if its body may `break` or `return`.
  struct Exit {
    mlir::SmallVector<mlir::Value> inits, yields;
    PathEnds ends;                 ///< how paths end behind the loop; `code` is not set
    std::optional<Value> returned; ///< the returned value, if no result of the loop carries it
    CarriedKind returnedKind;      ///< the kind of the result that carries the returned value
  };
  Exit makeExit(py::handle node, mlir::Operation *loop);
  void leaveExit(const Exit &exit, mlir::ValueRange results);
  mlir::Value isOneOf(py::handle node, unsigned kinds);

  struct Bounds {
    mlir::Value lower, upper, step; ///< of type index
    /// Computes the loop's Python variable from the induction variable of the scf.for.
    std::function<Value(mlir::Value)> variable;
  };
  Bounds loopBounds(py::handle node, llvm::ArrayRef<Value> bounds);
  Bounds downwardBounds(py::handle node, llvm::ArrayRef<Value> bounds, int64_t step);
  void checkDepth(py::handle node) const;
  Branch begin(py::handle node, mlir::Value condition);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROL_CONTROLFLOW_H
