//===- Walker.h - what the parts of the walk know of the whole ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walk over the syntax tree of a kernel function has one class for each part of the language.
// The parts reach each other through the Walker: a part includes the header of each part that it
// uses. Parts that are built on this one are reached by the virtual functions only, so that the
// parts do not include each other in a circle. frontend/walk/Thread.cpp makes all parts.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H
#define TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H

#include "frontend/walk/values/Values.h"

#include "mlir/IR/Builders.h"

namespace ttjit::frontend {

class BlockMath;
class Blocks;
class BlockShapes;
class Calls;
class CarriedValues;
class ControlFlow;
class CountedBlocks;
class Devices;
class Diagnostics;
class Expressions;
class HeldBlocks;
class Kernel;
class Pipes;
class Resources;
class Scalars;
class Scopes;
class StackSpace;
class StaticEval;
class SliceReceives;
class TransferGroups;
class Transfers;
class UnrolledLoops;
struct ThreadState;

/// The kind of a thread. A unified thread is the body of an operation without kernel functions; its
/// code does the work of all threads.
enum class ThreadKind { Compute, DataMovement, Unified };

/// The parts of the walk of one thread. A part uses those above it.
struct WalkParts {
  const StackSpace &stack;
  Diagnostics &diagnostics;
  Scopes &scopes;
  ThreadState &state;
  UnrolledLoops &unrolled;
  StaticEval &staticEval;
  Scalars &scalars;
  CountedBlocks &counted;
  HeldBlocks &held;
  Blocks &blocks;
  BlockShapes &shapes;
  BlockMath &blockMath;
  CarriedValues &carried;
  ControlFlow &controlFlow;
  Resources &resources;
  Calls &calls;
  Devices &devices;
  Pipes &pipes;
  Transfers &transfers;
  SliceReceives &sliceReceives;
  TransferGroups &transferGroups;
  Expressions &expressions;
};

class Walker : public WalkParts {
public:
  Walker(const WalkParts &parts, Kernel &kernel, ThreadKind kind, std::string threadName,
         mlir::Block *body);
  Walker(const Walker &) = delete;

  /// Evaluates an ast expression.
  virtual Value evaluate(py::handle node) = 0;
  /// Assigns `value` to `target`, which is a name or a tuple of targets.
  virtual void assign(py::handle target, const Value &value) = 0;
  /// Walks the body of a function in the current scope and returns the function's return value.
  virtual Value walkFunction(py::handle node, py::list body) = 0;

  /// Fails if the stack has too little space left to walk `node`, which may recurse.
  void checkStack(py::handle node) const;

  mlir::Location location(py::handle node) const;
  /// Builds a constant of type i32, f32 or i1.
  mlir::Value constant(py::handle node, int32_t value);
  mlir::Value constant(py::handle node, float value);
  mlir::Value constant(py::handle node, bool value);
  mlir::Value indexConstant(py::handle node, int64_t value);

  Kernel &kernel;
  const ThreadKind kind;
  const std::string threadName;
  mlir::Block *const body; ///< the body of the thread's op
  mlir::OpBuilder &builder;

protected:
  ~Walker() = default;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_WALKER_H
