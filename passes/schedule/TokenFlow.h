//===- TokenFlow.h - do these block counts let every thread finish? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TOKENFLOW_H
#define TTJIT_PASSES_SCHEDULE_TOKENFLOW_H

#include "passes/schedule/BufferSteps.h"

namespace ttjit {

/// Follows the acquires and releases of a node's threads. If these do not depend on data, the
/// buffers are bounded queues between deterministic processes: whether the threads deadlock
/// does not depend on the order in which they run, so one run decides it.
class TokenFlow {
public:
  explicit TokenFlow(const KernelView &kernel);

  /// The op that makes the order of acquires and releases unknown: a branch, a
  /// loop of unknown length, something that waits for other nodes. Null if none.
  mlir::Operation *unknown() const { return obstacle; }

  /// True if all threads finish with `blocks` blocks per buffer. Not if unknown().
  bool finishes(const llvm::DenseMap<mlir::Operation *, int64_t> &blocks) const;

  /// Blocks that go through the buffer in one launch. Not if unknown().
  int64_t blocksThrough(mlir::tt::ttl::CreateCBOp buffer) const;

private:
  using Trace = std::vector<BufferStep>;

  bool follow(mlir::Region &region, Trace &trace);
  bool follow(mlir::Operation &op, Trace &trace);
  bool followLoop(mlir::scf::ForOp loop, Trace &trace);

  const KernelView &kernel;
  std::vector<Trace> traces; ///< by thread
  mlir::Operation *obstacle = nullptr;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SCHEDULE_TOKENFLOW_H
