//===- ThreadSlice.h - one thread's part of a unified thread --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_THREADSLICE_H
#define TTJIT_PASSES_TTL_THREADSLICE_H

#include "ir/TTCpp/TTCpp.h"
#include "passes/ttl/ThreadAssignment.h"

#include "mlir/IR/IRMapping.h"

namespace ttjit {

/// Finds the ops of a unified thread that one of the threads after the split runs, with the
/// loops and branches around them and all ops that compute their operands.
class ThreadSlice {
public:
  ThreadSlice(mlir::tt::ttl::UnifiedThreadOp thread, ThreadRole role,
              const ThreadAssignment &assignment)
      : thread(thread), role(role), assignment(assignment) {}

  /// Finds the ops. Fails, with an error, if one needs a value that another thread makes.
  mlir::LogicalResult run();
  bool empty() const { return ops.empty(); }
  /// Copies the ops into an empty block.
  void copyInto(mlir::Block *block) const;

private:
  /// A value that the thread needs, and the op that uses it.
  struct Need {
    mlir::Value value;
    mlir::Operation *user;
  };

  void needOp(mlir::Operation *op);
  void needValue(mlir::Value value, mlir::Operation *user);
  void needAll(mlir::ValueRange values, mlir::Operation *user);
  mlir::LogicalResult follow(const Need &need);
  /// Reports that the op `maker` of another thread makes the value; always fails.
  mlir::LogicalResult refuse(const Need &need, mlir::Operation *maker, ThreadRole other);
  mlir::Value ownResult(mlir::tt::ttcpp::ResultsOp results) const;
  void followArgument(mlir::BlockArgument argument);
  void followResult(mlir::OpResult result);
  void needCarried(mlir::scf::ForOp loop, unsigned number);
  void needChecks(mlir::Operation *op);
  void needRaise(mlir::Operation *release);

  void copyBlock(mlir::Block &from, mlir::Block *to, mlir::IRMapping &map) const;
  void copyOp(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &map) const;
  void copyIf(mlir::OpBuilder &builder, mlir::scf::IfOp op, mlir::IRMapping &map) const;
  void copyFor(mlir::OpBuilder &builder, mlir::scf::ForOp op, mlir::IRMapping &map) const;
  void copyWhile(mlir::OpBuilder &builder, mlir::scf::WhileOp op, mlir::IRMapping &map) const;
  void copyCallback(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &map) const;
  llvm::SmallVector<unsigned> neededOf(mlir::ValueRange values) const;

  mlir::tt::ttl::UnifiedThreadOp thread;
  ThreadRole role;
  const ThreadAssignment &assignment;
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Value> values;
  llvm::SmallVector<Need> pending;
};

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_THREADSLICE_H
