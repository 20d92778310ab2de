//===- ThreadAssignment.h - which thread runs what of a unified thread -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_THREADASSIGNMENT_H
#define TTJIT_PASSES_TTL_THREADASSIGNMENT_H

#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// The threads that a unified thread is split into. The reader is the data movement thread
/// that fills blocks, the writer the one that only drains them.
enum class ThreadRole { Reader, Compute, Writer };

/// "the compute thread".
llvm::StringRef describeRole(ThreadRole role);

/// True for a check that belongs to another op: the bounds of a slice, the assert in front of
/// an operation that is undefined for some operands. It goes to the threads of that op.
bool isCheckOfOther(mlir::Operation *op);

/// Finds the thread of every op of a unified thread that must run exactly once. All other ops
/// compute the same on every thread and are copied into those that need them.
class ThreadAssignment {
public:
  explicit ThreadAssignment(mlir::tt::ttl::UnifiedThreadOp thread) : thread(thread) {}

  /// Fails, with an error, for a block that two threads would use.
  mlir::LogicalResult run();

  /// The thread that alone runs the op; none for ops that any thread may run.
  std::optional<ThreadRole> roleOf(mlir::Operation *op) const;

private:
  /// Blocks of one queue of a buffer and the handles of their copies: they stay together.
  struct Group {
    mlir::Operation *acquire = nullptr; ///< the first one
    mlir::Operation *compute = nullptr; ///< the first op of each kind that uses a block
    mlir::Operation *fill = nullptr;
    mlir::Operation *drain = nullptr;
    std::optional<ThreadRole> role;
  };

  void join(mlir::Value a, mlir::Value b);
  void *find(mlir::Value value);
  Group &groupOf(mlir::Value value) { return groups[find(value)]; }
  void formGroups();
  void noteUses(mlir::Operation *op);
  mlir::LogicalResult chooseRole(Group &group) const;
  void assignToGroup(mlir::Operation *op);
  ThreadRole roleOfBarrier(mlir::tt::ttl::DMABarrierOp barrier) const;
  void assignBeside(mlir::Operation *op, bool onlyTransfers);
  void assignToValues(mlir::Operation *op);
  std::optional<ThreadRole> roleOfValues(mlir::Operation *op);
  std::optional<ThreadRole> roleInside(mlir::Operation *op, bool first, bool onlyTransfers) const;
  std::optional<ThreadRole> roleBeside(mlir::Operation *op, bool onlyTransfers) const;

  mlir::tt::ttl::UnifiedThreadOp thread;
  llvm::DenseMap<void *, void *> parents; ///< of a forest of values; roots are missing
  llvm::DenseMap<BlockQueue, mlir::Value> queues;
  llvm::MapVector<void *, Group> groups; ///< by root
  llvm::DenseMap<mlir::Operation *, ThreadRole> roles;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_THREADASSIGNMENT_H
