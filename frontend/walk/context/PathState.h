//===- PathState.h - a function's state that depends on the path ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H
#define TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H

#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"

#include "mlir/IR/Block.h"

#include <exception>

namespace ttjit::frontend {

/// The hidden variable of a scope that holds the function's return value.
inline constexpr char kReturnValue[] = "return";

struct PathState {
  Variables variables; ///< variables of the current scope
  PathEnds ends;       ///< how the statements walked last ended
  /// Variables that have no value on the paths that end by `break` or `continue`.
  Names partial;
  ThreadState thread;
};

/// Returns the state of the path that is being walked.
PathState savePath(const Walker &walker);
/// Makes the walk continue in that state.
void restorePath(Walker &walker, PathState state);

/// The exception that makes the walk of the kernel function start again.
class WalkAgain : public std::exception {};

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

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H
