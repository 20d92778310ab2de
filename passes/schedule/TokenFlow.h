//===- TokenFlow.h - do these block counts let every thread finish? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TOKENFLOW_H
#define TTJIT_PASSES_SCHEDULE_TOKENFLOW_H

#include "passes/schedule/BufferSteps.h"

namespace ttjit {

/// Simulates the acquires and releases of a node's threads. If these do not depend on
/// data, buffers are bounded queues between deterministic processes. Whether the
/// threads deadlock then does not depend on the order in which they run, so one
/// simulated run decides it.
class TokenFlow {
public:
  explicit TokenFlow(const KernelView &kernel);

  /// The op that makes the order of acquires and releases unknown: a branch, a loop of
  /// unknown length, or an op that waits for other nodes. Null if there is none.
  mlir::Operation *unknown() const { return obstacle; }

  /// Returns whether all threads finish with `blocks` blocks per buffer. unknown() must
  /// be null.
  bool finishes(const llvm::DenseMap<mlir::Operation *, int64_t> &blocks) const;

  /// Number of blocks that go through the buffer in one launch. unknown() must be null.
  int64_t blocksThrough(mlir::tt::ttl::CreateCBOp buffer) const;

private:
  using Trace = std::vector<BufferStep>;

  bool follow(mlir::Region &region, Trace &trace);
  bool follow(mlir::Operation &op, Trace &trace);
  bool followLoop(mlir::scf::ForOp loop, Trace &trace);

  const KernelView &kernel;
  std::vector<Trace> traces; ///< trace of each thread
  mlir::Operation *obstacle = nullptr;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TOKENFLOW_H
