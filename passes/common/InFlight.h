//===- InFlight.h - copies that can be in flight --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_INFLIGHT_H
#define TTJIT_PASSES_COMMON_INFLIGHT_H

#include "passes/common/DataFlow.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Finds which copies of a data movement thread can be in flight before each of its
/// operations, on some path: a dense forward analysis.
///
/// A wait for a handle completes the copy that made the handle last. A copy that is
/// started again while it is in flight therefore stays in flight until a barrier. So do
/// the copies of a handle that can belong to several copies.
class InFlight {
public:
  /// The copies in flight. The value is true if the copy can be in flight more than
  /// once.
  using Copies = llvm::SmallDenseMap<mlir::tt::ttl::CopyOp, bool, 4>;

  /// Follows `thread`. The IR must not change while answers are read.
  explicit InFlight(mlir::Operation *thread);

  /// The copies in flight directly before `op`; null if no path leads there.
  const Copies *before(mlir::Operation *op);

  /// The copies in flight at the thread's end; null if the thread never ends.
  const Copies *atEnd();

  /// Returns whether a copy of the wait's handle can be in flight at the wait.
  bool mayBe(mlir::tt::ttl::WaitOp wait);

private:
  const Copies *at(mlir::ProgramPoint *point);

  mlir::Operation *thread;
  PathSolver solver;
};

/// Returns whether a barrier of the NoC completes the copy: it is one between a tensor and a block.
bool endsByBarrier(mlir::tt::ttl::CopyOp copy);

/// Returns whether `barrier` completes `copy` if that is in flight.
bool completes(mlir::tt::ttl::DMABarrierOp barrier, mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_INFLIGHT_H
