//===- ProtocolStates.h - states of blocks before each operation ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_PROTOCOLSTATES_H
#define TTJIT_PASSES_TTL_PROTOCOLSTATES_H

#include "passes/common/DataFlow.h"
#include "passes/ttl/BlockStates.h"

namespace ttjit {

/// Finds the states of a thread's blocks before each of its operations with a dense
/// forward analysis that applies BlockRules. A path ends at an operation that certainly
/// breaks a rule. Where paths that hold different blocks meet, only one of them is
/// followed.
class ProtocolStates {
public:
  /// The states at a point of the program; nothing if no path leads there.
  using States = std::optional<BlockStates>;

  struct Point {
    States any;   ///< states of all paths
    States first; ///< states while all loops around the op are in their first iteration
  };

  explicit ProtocolStates(mlir::Operation *thread);

  /// Returns null if no path leads there.
  const Point *before(mlir::Operation *op);
  const Point *after(mlir::Operation *op);
  const Point *atStart(mlir::Block &block);
  const Point *atEnd(mlir::Block &block);

private:
  const Point *at(mlir::ProgramPoint *point);

  PathSolver solver;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_PROTOCOLSTATES_H
