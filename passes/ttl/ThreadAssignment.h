//===- ThreadAssignment.h - the thread of each op of a body ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_THREADASSIGNMENT_H
#define TTJIT_PASSES_TTL_THREADASSIGNMENT_H

#include "ir/TTCpp/TTCpp.h"
#include "passes/common/Threads.h"
#include "passes/ttl/StatementLists.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// The threads that a unified thread is split into. The reader is the data movement thread
/// that copies data into blocks; the writer is the one that only copies blocks elsewhere.
enum class ThreadRole { Reader, Compute, Writer };

/// Returns a name for messages, such as "the compute thread".
llvm::StringRef describeRole(ThreadRole role);

/// Returns whether `op` is a check that belongs to another op: of the bounds of a slice, or the
/// assert before an operation that is undefined for some operands. Every thread that runs the other
/// op also runs the check.
bool isCheckOfOther(mlir::Operation *op);

/// Finds the thread of every op of a unified thread that must run exactly once. All other ops
/// compute the same on every thread and are copied into those that need them.
class ThreadAssignment {
public:
  explicit ThreadAssignment(mlir::tt::ttl::UnifiedThreadOp thread)
      : thread(thread), lists(thread) {}

  /// Fails, with an error, for a block that two threads would use.
  mlir::LogicalResult run();

  /// Returns the one thread that runs the op; nullopt for ops that any thread may run.
  std::optional<ThreadRole> roleOf(mlir::Operation *op) const;

private:
  /// The blocks of one buffer that are waited for (or those that are reserved), and the
  /// handles of their copies. One thread runs all their ops. Blocks that are acquired on different
  /// nodes may be in several groups.
  struct Group {
    mlir::Operation *acquire = nullptr;  ///< the first wait or reserve
    mlir::Operation *compute = nullptr;  ///< first block arithmetic
    mlir::Operation *fill = nullptr;     ///< first copy into a block
    mlir::Operation *drain = nullptr;    ///< first copy out of a block
    mlir::Operation *selected = nullptr; ///< first release to which the program gave a thread
    std::optional<ThreadRole> role;
  };

  void join(mlir::Value a, mlir::Value b);
  void *find(mlir::Value value);
  Group &groupOf(mlir::Value value) { return groups[find(value)]; }
  void formGroups();
  void joinQueues(llvm::ArrayRef<mlir::Operation *> ops);
  bool isSplit(llvm::ArrayRef<mlir::Operation *> acquires);
  void noteUses(mlir::Operation *op);
  mlir::LogicalResult chooseRole(Group &group) const;
  mlir::LogicalResult chooseSelected(Group &group) const;
  void collectElements(mlir::Operation *op, llvm::SmallVectorImpl<Group *> &found);
  bool shareElements(mlir::Operation *op);
  void keepTensorOrder();
  ThreadRole roleOfSends() const;
  ThreadRole selectedRole(mlir::Operation *op) const;
  mlir::tt::ttcpp::CallOp callAfter(mlir::Operation *acquire) const;
  void assignExternalCalls();
  void assignToGroup(mlir::Operation *op);
  ThreadRole roleOfBarrier(mlir::tt::ttl::DMABarrierOp barrier) const;
  void assignBeside(mlir::Operation *op);
  void assignToTransfers(mlir::Operation *op);
  void assignSemaphores(llvm::ArrayRef<mlir::Operation *> ops);
  void assignUnused(mlir::Operation *acquire, llvm::ArrayRef<mlir::Operation *> ops);
  void assignToValues(mlir::Operation *op);
  void assignFault(mlir::Operation *op);
  mlir::LogicalResult checkCallbacks(llvm::ArrayRef<mlir::Operation *> ops) const;
  std::optional<ThreadRole> roleOfValues(mlir::Operation *op);
  using Counts = llvm::function_ref<bool(mlir::Operation *)>;
  std::optional<ThreadRole> roleInside(mlir::Operation *op, bool first, Counts counts) const;
  std::optional<ThreadRole> roleBeside(mlir::Operation *op, StatementLists::First first,
                                       Counts counts) const;

  mlir::tt::ttl::UnifiedThreadOp thread;
  StatementLists lists;
  llvm::DenseMap<void *, void *> parents; ///< union-find: value to its parent
  llvm::MapVector<BlockQueue, llvm::SmallVector<mlir::Operation *>> queues; ///< acquires
  llvm::MapVector<void *, Group> groups; ///< key: root of the values in `parents`
  llvm::DenseMap<mlir::Operation *, ThreadRole> roles;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_THREADASSIGNMENT_H
