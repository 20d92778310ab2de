//===- Walker.h - the walk over the syntax tree of one kernel function --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The Walker owns the parts of the walk, one class for each part of the language. The parts reach
// each other through the Walker. It lives while one thread of one kernel is compiled.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H
#define TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H

#include "frontend/walk/NodeValues.h"
#include "frontend/walk/blocks/BlockShapes.h"
#include "frontend/walk/blocks/Blocks.h"
#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/blocks/HeldBlocks.h"
#include "frontend/walk/calls/Calls.h"
#include "frontend/walk/calls/Resources.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/control/CarriedValues.h"
#include "frontend/walk/control/ControlFlow.h"
#include "frontend/walk/expressions/Expressions.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/numbers/StaticEval.h"
#include "frontend/walk/statements/Statements.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/syntax/StackSpace.h"
#include "frontend/walk/transfers/Pipes.h"
#include "frontend/walk/transfers/TransferGroups.h"
#include "frontend/walk/transfers/Transfers.h"

namespace ttjit::frontend {

/// The kind of a thread. A unified thread is the body of an operation without kernel functions; its
/// code does the work of all threads.
enum class ThreadKind { Compute, DataMovement, Unified };

class Walker {
public:
  Walker(Kernel &kernel, ThreadKind kind, std::string threadName, mlir::Block *body,
         std::vector<CompileDiagnostic> &reported);
  Walker(const Walker &) = delete;

  /// Walks the thread's function. `function` is a Python function without parameters. For a unified
  /// thread, it has parameters whose default values are the call's arguments.
  void run(py::handle function);

  /// Fails if the stack has too little space left to walk `node`, which may recurse.
  void checkStack(py::handle node) const;

  mlir::Location location(py::handle node) const { return diagnostics.location(node); }
  /// Builds a constant of type i32, f32 or i1.
  mlir::Value constant(py::handle node, int32_t value);
  mlir::Value constant(py::handle node, float value);
  mlir::Value constant(py::handle node, bool value);
  mlir::Value indexConstant(py::handle node, int64_t value);

  /// Marks a point of the walk. After a failure, the walk returns to this point and erases the ops
  /// that were built since.
  class Checkpoint {
  public:
    explicit Checkpoint(Walker &walker);
    void rollBack();

  private:
    Walker &walker;
    mlir::Block *block;
    mlir::Operation *previous =
        nullptr; ///< the last op before the point; null if the point is at a block's start
    mlir::Block::iterator next;
    PathState state;
    size_t scopeDepth, fileDepth;
  };

  Kernel &kernel;
  const ThreadKind kind;
  const std::string threadName;
  mlir::Block *const body; ///< the body of the thread's op
  mlir::OpBuilder &builder;

  const StackSpace stack;
  Diagnostics diagnostics;
  Scopes scopes;
  ThreadState state;
  StaticEval staticEval;
  Scalars scalars;
  Blocks blocks;
  HeldBlocks held;
  CountedBlocks counted;
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
  void walkBody(py::handle node, py::list statementList);
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H
