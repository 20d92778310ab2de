//===- BlockStates.h - what is known of a thread's blocks -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of the blocks and copies of one thread at one point of its program.
// Where paths meet, a block may be in several states: sets of bits. A rule is
// broken for certain only if it is broken in every state of the set.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BLOCKSTATES_H
#define TTJIT_PASSES_TTL_BLOCKSTATES_H

#include "passes/common/PassDialects.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Locks by copies in flight are kept with the copies.
enum BlockState : unsigned {
  MustBeWritten = 1, ///< reserved, holds garbage
  MustBeRead = 2,    ///< waited for, or written
  ReadWrite = 4,     ///< read since
  Released = 8,
};

/// Landed: completed by a barrier; waiting for it is still allowed once.
enum CopyState : unsigned { InFlight = 1, Completed = 2, Landed = 4 };

struct BlockStates {
  struct Transfer {
    mlir::tt::ttl::CopyOp copy; ///< that started it
    mlir::Value block;          ///< of this thread
    unsigned states = 0;
  };
  using Queue = std::pair<mlir::Value, unsigned>;

  /// By block: an acquire's result, or what a loop or branch made of it. Absent: not
  /// acquired on this path, or known by another name.
  llvm::MapVector<mlir::Value, unsigned> blocks;
  /// By handle: a ttl.copy's result, or what a loop or branch made of it.
  llvm::MapVector<mlir::Value, Transfer> transfers;
  /// Blocks that are not released yet, oldest first, by buffer; a buffer is waited
  /// for and reserved independently.
  llvm::MapVector<Queue, llvm::SmallVector<mlir::Value>> held;

  static Queue queueOf(mlir::Operation *acquire) {
    return {acquire->getOperand(0), mlir::isa<mlir::tt::ttl::CBWaitOp>(acquire)};
  }

  bool holds(mlir::Value block) const {
    return llvm::any_of(held, [&](auto &entry) { return llvm::is_contained(entry.second, block); });
  }

  /// A copy from (`into` false) or into the block that is in flight for certain.
  mlir::tt::ttl::CopyOp lockOf(mlir::Value block, bool into) const;

  /// From here on the blocks and handles `from` have the names `to`.
  void rename(mlir::ValueRange from, mlir::ValueRange to);

  /// Unites the sets of states; what is held must be equal. True if this changed.
  bool join(const BlockStates &other);
};

/// First block that is held in one of the two but not in the other; null if both
/// hold the same.
mlir::Value heldInOneOnly(const BlockStates &a, const BlockStates &b);

/// First block that has another place among those held in the other state.
mlir::Value heldInOtherOrder(const BlockStates &a, const BlockStates &b);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BLOCKSTATES_H
