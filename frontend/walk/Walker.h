//===- Walker.h - the walk over one kernel function -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the parts of the walk, one class per concern, which find each other
// here. Lives as long as one thread of one kernel is compiled.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_WALKER_H
#define TTJIT_FRONTEND_WALK_WALKER_H

#include "frontend/walk/BlockShapes.h"
#include "frontend/walk/Blocks.h"
#include "frontend/walk/Calls.h"
#include "frontend/walk/CarriedValues.h"
#include "frontend/walk/ControlFlow.h"
#include "frontend/walk/Diagnostics.h"
#include "frontend/walk/Expressions.h"
#include "frontend/walk/Kernel.h"
#include "frontend/walk/NodeValues.h"
#include "frontend/walk/Pipes.h"
#include "frontend/walk/Resources.h"
#include "frontend/walk/Scalars.h"
#include "frontend/walk/Scopes.h"
#include "frontend/walk/StackSpace.h"
#include "frontend/walk/Statements.h"
#include "frontend/walk/StaticEval.h"
#include "frontend/walk/ThreadState.h"
#include "frontend/walk/TransferGroups.h"
#include "frontend/walk/Transfers.h"

namespace ttjit::frontend {

/// Unified: the body of an operation without kernel functions, which does the work of all
/// threads.
enum class ThreadKind { Compute, DataMovement, Unified };

class Walker {
public:
  Walker(Kernel &kernel, ThreadKind kind, std::string threadName, mlir::Block *body,
         std::vector<CompileDiagnostic> &reported);
  Walker(const Walker &) = delete;

  /// Walks the thread function `function`: a Python function without parameters, or for a
  /// unified thread one whose parameters have the values of the call as defaults.
  void run(py::handle function);

  /// Fails if the stack may not suffice for walking `node`, which may recurse.
  void checkStack(py::handle node) const;

  mlir::Location location(py::handle node) const { return diagnostics.location(node); }
  /// i32, f32 and i1 constants.
  mlir::Value constant(py::handle node, int32_t value);
  mlir::Value constant(py::handle node, float value);
  mlir::Value constant(py::handle node, bool value);
  mlir::Value indexConstant(py::handle node, int64_t value);

  /// A point of the walk to return to after a failure: what was built since then
  /// is erased.
  class Checkpoint {
  public:
    explicit Checkpoint(Walker &walker);
    void rollBack();

  private:
    Walker &walker;
    mlir::Block *block;
    mlir::Operation *previous = nullptr; ///< before the point; null at a block's start
    mlir::Block::iterator next;
    PathState state;
    size_t scopeDepth, fileDepth;
  };

  Kernel &kernel;
  const ThreadKind kind;
  const std::string threadName;
  mlir::Block *const body; ///< of the thread op
  mlir::OpBuilder &builder;

  const StackSpace stack;
  Diagnostics diagnostics;
  Scopes scopes;
  ThreadState state;
  StaticEval staticEval;
  Scalars scalars;
  Blocks blocks;
  BlockShapes shapes;
  Transfers transfers;
  Pipes pipes;
  Expressions expressions;
  Statements statements;
  CarriedValues carried;
  ControlFlow controlFlow;
  Calls calls;
  TransferGroups transferGroups;
  Resources resources;
  NodeValues nodeValues;

private:
  void bindParameters(py::handle function);
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_WALKER_H
