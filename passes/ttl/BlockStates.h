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

/// A released block has no state. Locks by copies in flight are kept with the copies.
enum BlockState : unsigned {
  MustBeWritten = 1, ///< reserved, holds garbage
  MustBeRead = 2,    ///< waited for, or written
  ReadWrite = 4,     ///< read since
};

/// Landed: completed by a barrier; waiting for it is still allowed once.
enum CopyState : unsigned { InFlightState = 1, Completed = 2, Landed = 4 };

struct BlockStates {
  struct Held {
    mlir::Value block;       ///< an acquire's result, or what a loop or branch made of it
    mlir::Operation *origin; ///< the acquire; where paths meet, that of one path
    unsigned states;
  };
  struct Transfer {
    mlir::tt::ttl::CopyOp copy; ///< that started it
    mlir::Value block;          ///< of this thread
    unsigned states = 0;
  };
  using Queue = std::pair<mlir::Value, unsigned>;

  /// Blocks that are not released yet, oldest first, by buffer; a buffer is waited
  /// for and reserved independently.
  llvm::MapVector<Queue, llvm::SmallVector<Held>> held;
  /// By handle: a ttl.copy's result, or what a loop or branch made of it. Absent: never
  /// started, known by another name, or waited for where it was started.
  llvm::MapVector<mlir::Value, Transfer> transfers;

  static Queue queueOf(mlir::Operation *acquire) {
    return {acquire->getOperand(0), mlir::isa<mlir::tt::ttl::CBWaitOp>(acquire)};
  }

  /// The held block of that name, or null.
  const Held *find(mlir::Value block) const;
  Held *find(mlir::Value block) { return const_cast<Held *>(std::as_const(*this).find(block)); }

  /// A copy from (`into` false) or into the block that is in flight for certain.
  mlir::tt::ttl::CopyOp lockOf(mlir::Value block, bool into) const;

  /// From here on the blocks and handles `from` have the names `to`.
  void rename(mlir::ValueRange from, mlir::ValueRange to);

  /// Unites the sets of states of two paths that hold the same blocks in the same order.
  /// True if this changed.
  bool join(const BlockStates &other);
};

/// First block that is held in `a` but not in `b`; null if there is none.
mlir::Value heldInFirstOnly(const BlockStates &a, const BlockStates &b);

/// First place among the held blocks of a buffer at which two states, which hold the
/// same blocks, have different ones: both; null if there is none.
std::pair<mlir::Value, mlir::Value> heldInOtherOrder(const BlockStates &a, const BlockStates &b);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BLOCKSTATES_H
