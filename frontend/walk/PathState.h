//===- PathState.h - what differs between paths through a function --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_PATHSTATE_H
#define TTJIT_FRONTEND_WALK_PATHSTATE_H

#include "frontend/walk/Scopes.h"
#include "frontend/walk/ThreadState.h"

namespace ttjit::frontend {

/// The variable of a scope that holds what its function returns.
inline constexpr char kReturnValue[] = "return";

struct PathState {
  Variables variables; ///< of the current scope
  PathEnds ends;       ///< of the statements walked last
  /// Variables without a value on paths that `break` or `continue`.
  Names partial;
  ThreadState thread;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_PATHSTATE_H
