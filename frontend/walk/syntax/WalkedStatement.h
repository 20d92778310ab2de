//===- WalkedStatement.h - the statement that the walk has reached --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_WALKEDSTATEMENT_H
#define TTJIT_FRONTEND_WALK_SYNTAX_WALKEDSTATEMENT_H

#include "frontend/walk/syntax/SourceFile.h"

namespace ttjit::frontend {

/// The innermost statement that is walked on this host thread, for the message about a crash of the
/// walk. It is outside of the Walker, whose memory a crash loses.
struct WalkedStatement {
  const SourceFile *file = nullptr;
  py::handle node;
};

inline WalkedStatement &walkedStatement() {
  thread_local WalkedStatement walked;
  return walked;
}

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_WALKEDSTATEMENT_H
