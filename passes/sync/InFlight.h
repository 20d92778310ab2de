//===- InFlight.h - copies that can be in flight --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_INFLIGHT_H
#define TTJIT_PASSES_SYNC_INFLIGHT_H

#include "passes/common/DataFlow.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Which copies of a data movement thread can be in flight before each of its
/// operations, on some path: a dense forward analysis.
///
/// A wait for a handle completes the last copy that this handle was made by. So a copy
/// that is started again while it is in flight stays in flight until a barrier, and so do
/// the copies of a handle that can be one of several.
class InFlight {
public:
  /// By copy: true if the copy can be in flight more than once.
  using Copies = llvm::SmallDenseMap<mlir::tt::ttl::CopyOp, bool, 4>;

  /// Follows `thread`. The IR must not change while answers are read.
  explicit InFlight(mlir::Operation *thread);

  /// In flight directly before `op`; null if no path leads there.
  const Copies *before(mlir::Operation *op);

  /// In flight where the thread, which does something, ends; null if it never does.
  const Copies *atEnd();

  /// True if the wait may find one of its handle's copies in flight.
  bool mayBe(mlir::tt::ttl::WaitOp wait);

private:
  const Copies *at(mlir::ProgramPoint *point);

  mlir::Operation *thread;
  PathSolver solver;
};

/// True of copies between tensors and blocks, which the barriers of the NoC complete.
bool endsByBarrier(mlir::tt::ttl::CopyOp copy);

/// True if `barrier` completes `copy` wherever that is in flight.
bool completes(mlir::tt::ttl::DMABarrierOp barrier, mlir::tt::ttl::CopyOp copy);

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_INFLIGHT_H
