//===- BlockSlots.h - which slot of its buffer a block is -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_BLOCKSLOTS_H
#define TTJIT_PASSES_SUPPORT_BLOCKSLOTS_H

#include "passes/Passes.h"

namespace ttjit {

/// A thread may hold several blocks of one buffer. The hardware counts pages from
/// the oldest one: the k-th block acquired waits for k blocks, and where j older
/// ones are held its pages begin j blocks after the front. That holds as long as
/// the blocks do not wrap around the end of the buffer, for which the slots that
/// the oldest block can stand in are followed through branches and loops.
///
/// Needs threads that ttl-verify-protocol accepts.
class BlockSlots {
public:
  /// Follows a thread function. Fails where held blocks can wrap around.
  mlir::LogicalResult run(mlir::func::FuncOp function);

  /// Blocks held, with the new one, once `acquire` returned.
  int64_t heldBy(mlir::Operation *acquire) const {
    return std::max<int64_t>(held.lookup(acquire), 1);
  }

  /// Pages from the front of its buffer (or of what is reserved) to the first page
  /// of `block` where `user` uses it.
  int64_t pageOffset(mlir::Operation *user, mlir::Value block) const {
    return offsets.lookup({user, block});
  }

private:
  using Queue = std::pair<mlir::Value, unsigned>; ///< buffer; waited for, or reserved
  struct QueueState {
    llvm::SmallVector<mlir::Operation *> blocks; ///< acquires, oldest first
    uint32_t slots = 1; ///< bit i: the oldest block can stand in slot i
  };
  using State = llvm::DenseMap<Queue, QueueState>;

  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation &op);
  mlir::LogicalResult use(mlir::Operation &user, mlir::Value block);
  void acquire(mlir::Operation &op);
  void release(mlir::Operation &op);
  bool joinSlots(const State &other);

  State state;
  llvm::DenseMap<mlir::Operation *, State> entries; ///< of loops
  llvm::DenseMap<mlir::Operation *, int64_t> held;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, int64_t> offsets;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_BLOCKSLOTS_H
