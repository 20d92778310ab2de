//===- PathState.cpp - the part of a function's state that depends on the path ===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/context/PathState.h"

#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Diagnostics.h"

#include "mlir/IR/Builders.h"

namespace ttjit::frontend {

PathState savePath(const Walker &walker) {
  const Scope &scope = walker.scopes.current();
  return {scope.variables, scope.ends, scope.partial, walker.state};
}

void restorePath(Walker &walker, PathState state) {
  Scope &scope = walker.scopes.current();
  scope.variables = std::move(state.variables);
  scope.ends = state.ends;
  scope.partial = std::move(state.partial);
  walker.state = std::move(state.thread);
}

Checkpoint::Checkpoint(Walker &walker)
    : walker(walker), block(walker.builder.getInsertionBlock()),
      next(walker.builder.getInsertionPoint()), state(savePath(walker)),
      scopeDepth(walker.scopes.depth()), fileDepth(walker.diagnostics.depth()) {
  if (next != block->begin())
    previous = &*std::prev(next);
}

void Checkpoint::rollBack() {
  while (next != block->begin() && &*std::prev(next) != previous)
    std::prev(next)->erase();
  walker.builder.setInsertionPoint(block, next);
  walker.scopes.unwindTo(scopeDepth);
  walker.diagnostics.unwindTo(fileDepth);
  restorePath(walker, state);
}

} // namespace ttjit::frontend
