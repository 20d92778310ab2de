//===- PathState.h - the part of a function's state that depends on the path --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H
#define TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H

#include "frontend/walk/context/Scopes.h"
#include "frontend/walk/context/ThreadState.h"

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

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_PATHSTATE_H
