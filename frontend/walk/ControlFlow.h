//===- ControlFlow.h - branches and loops at run time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes scf.if, scf.for and scf.while. Variables that a branch or a loop
// changes become results and carried values; those that cannot are Missing
// afterwards.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTROLFLOW_H
#define TTJIT_FRONTEND_WALK_CONTROLFLOW_H

#include "frontend/walk/Scopes.h"
#include "frontend/walk/ThreadState.h"
#include "frontend/walk/Values.h"

#include <functional>

namespace ttjit::frontend {

class Walker;

/// Everything that differs between the paths through a function.
struct PathState {
  Variables variables; ///< of the current scope
  ThreadState thread;
};

class ControlFlow {
public:
  explicit ControlFlow(Walker &walker) : walker(walker) {}

  using Action = std::function<void()>;

  /// Both paths from the same state, then one joined state.
  void branch(py::handle node, mlir::Value condition, const Action &thenPath,
              const Action &elsePath);
  /// An expression with two alternatives.
  Value choose(py::handle node, mlir::Value condition, const std::function<Value()> &thenValue,
               const std::function<Value()> &elseValue);
  /// `bounds`: start, stop, step. `bind` gets the loop's variable.
  void forRange(py::handle node, llvm::ArrayRef<Value> bounds,
                const std::set<std::string> &assigned, const std::function<void(Value)> &bind,
                const Action &body);
  /// `condition` returns an i1.
  void whileLoop(py::handle node, const std::set<std::string> &assigned,
                 const std::function<mlir::Value()> &condition, const Action &body);

  PathState save() const;
  void restore(PathState state);

private:
  /// A variable or hidden flag that crosses the border of a region.
  struct Carried {
    std::string variable; ///< empty for the accumulation flag of block `block`
    unsigned block = 0;
    mlir::Type type;
  };
  using CarriedList = std::vector<Carried>;

  Value valueOf(const PathState &state, const Carried &carried) const;
  void assign(const Carried &carried, mlir::Value value);
  mlir::Type typeOf(const Value &value) const;
  mlir::Value materialize(py::handle node, const Value &value, mlir::Type type);
  llvm::SmallVector<mlir::Value> materializeAll(py::handle node, const PathState &state,
                                                const CarriedList &list);
  CarriedList differences(const PathState &a, const PathState &b);
  void joinRest(py::handle node, const PathState &before, const PathState &a, const PathState &b,
                const CarriedList &results);

  CarriedList carriedNames(const PathState &before, const std::set<std::string> &assigned) const;
  void enterLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, llvm::ArrayRef<mlir::BlockArgument> values);
  bool widen(py::handle node, const PathState &before, CarriedList &carried);
  void leaveLoop(py::handle node, const PathState &before, const CarriedList &carried,
                 const std::set<std::string> &assigned, mlir::ValueRange results);
  mlir::Location argumentLocation(py::handle node, const Carried &carried) const;

  struct Bounds {
    mlir::Value lower, upper, step; ///< index
    /// The loop's variable from the induction variable.
    std::function<Value(mlir::Value)> variable;
  };
  Bounds loopBounds(py::handle node, llvm::ArrayRef<Value> bounds);
  Bounds downwardBounds(py::handle node, llvm::ArrayRef<Value> bounds, int64_t step);

  Walker &walker;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTROLFLOW_H
