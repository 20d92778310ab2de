//===- BlockSlots.h - which slot of its buffer a block is ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H
#define TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// A buffer, and whether its blocks are reserved (or waited for): both sides are
/// counted independently.
using BlockQueue = std::pair<mlir::Value, unsigned>;

BlockQueue queueOf(mlir::Operation *acquire);

/// Blocks of the queue's buffer.
int64_t blocksOf(BlockQueue queue);

/// A thread may hold several blocks of one buffer. The hardware counts pages from
/// the oldest one, so where j older ones are held a block stands j slots after the
/// front, or, where the ring ends in between, behind it. A dense forward analysis finds
/// the slots in which the front can be before each use.
///
/// Needs threads that ttl-verify-protocol accepts, whose blocks are all made by ops that
/// acquireOf() finds.
class BlockSlots {
public:
  struct Use {
    BlockQueue queue;
    int64_t older = 0;  ///< blocks held that were acquired before
    uint64_t slots = 0; ///< bit i: the oldest one can stand in slot i
  };
  using Uses = llvm::MapVector<std::pair<mlir::Operation *, mlir::Value>, Use>;

  explicit BlockSlots(mlir::func::FuncOp function);

  /// Blocks held, with the new one, once `acquire` returned.
  int64_t heldBy(mlir::Operation *acquire) const {
    return std::max<int64_t>(held.lookup(acquire), 1);
  }

  /// Where blocks are used while older ones of the same queue are held, by op and
  /// operand.
  const Uses &uses() const { return behindOthers; }

private:
  llvm::DenseMap<mlir::Operation *, int64_t> held;
  Uses behindOthers;
};

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H
