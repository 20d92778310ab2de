//===- BlockSlots.h - the buffer slot of each block -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H
#define TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H

#include "passes/common/PassDialects.h"
#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Number of blocks in the buffer of the queue.
int64_t blocksOf(BlockQueue queue);

/// Finds the slot of each used block. A thread may hold several blocks of one buffer,
/// and the hardware counts pages from the oldest one, the front. If j older blocks are
/// held, a block is j slots after the front, or before it if the ring ends in between.
/// A dense forward analysis finds the slots at which the front can be before each use.
///
/// The threads must pass ttl-verify-protocol, and acquireOf() must find the op that
/// made each block.
class BlockSlots {
public:
  struct Use {
    BlockQueue queue;
    int64_t older = 0;  ///< number of held blocks that are older
    uint64_t slots = 0; ///< bit i: the oldest block can be in slot i
  };
  using Uses = llvm::MapVector<std::pair<mlir::Operation *, mlir::Value>, Use>;

  explicit BlockSlots(mlir::func::FuncOp function);

  /// Number of blocks that are held after `acquire`, its own included.
  int64_t heldBy(mlir::Operation *acquire) const {
    return std::max<int64_t>(held.lookup(acquire), 1);
  }

  /// Uses of blocks while older blocks of the same queue are held, by op and operand.
  const Uses &uses() const { return behindOthers; }

private:
  llvm::DenseMap<mlir::Operation *, int64_t> held;
  Uses behindOthers;
};

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BLOCKSLOTS_H
