//===- BlockStates.h - the state of a thread's blocks ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of the blocks and copies of one thread at one point of its program. After
// paths meet, a block may be in one of several states, so a set of bits stores its
// state. A rule is certainly broken only if it is broken in every state of the set.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTL_BLOCKSTATES_H
#define TTJIT_PASSES_TTL_BLOCKSTATES_H

#include "passes/common/PassDialects.h"
#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// States of a block that is held. Copies in flight lock their blocks; see CopyState.
enum BlockState : unsigned {
  MustBeWritten = 1, ///< the block was reserved and contains garbage
  MustBeRead = 2,    ///< the block was waited for or written
  ReadWrite = 4,     ///< the block was read since then
};

/// States of a copy. Landed: a barrier completed it; one later wait for it is still
/// allowed.
enum CopyState : unsigned { InFlightState = 1, Completed = 2, Landed = 4 };

struct BlockStates {
  struct Held {
    mlir::Value block; ///< result of the acquire, or the value that a loop or branch made of it
    mlir::Operation *origin; ///< the acquire; after paths meet, the acquire of one path
    unsigned states;
  };
  struct Transfer {
    mlir::tt::ttl::CopyOp copy; ///< copy that started the transfer
    mlir::Value block;          ///< block of this thread that is copied
    unsigned states = 0;
  };

  /// Blocks that are not released yet, by queue, oldest first. Each side of a buffer
  /// has its own queue.
  llvm::MapVector<BlockQueue, llvm::SmallVector<Held>> held;
  /// Transfers by handle: a ttl.copy's result, or the value of a loop or branch that
  /// passes it on. A handle is absent if its copy was not started, has another name
  /// now, or was waited for.
  llvm::MapVector<mlir::Value, Transfer> transfers;

  /// Returns the held block of that name, or null.
  const Held *find(mlir::Value block) const;
  Held *find(mlir::Value block) { return const_cast<Held *>(std::as_const(*this).find(block)); }

  /// Returns a copy into the block (out of it, if `into` is false) that is certainly in
  /// flight.
  mlir::tt::ttl::CopyOp lockOf(mlir::Value block, bool into) const;

  /// Renames blocks and handles: from here on, those called `from` have the names `to`.
  void rename(mlir::ValueRange from, mlir::ValueRange to);

  /// Forgets in which states blocks and transfers are: no path goes on here. The empty sets break
  /// no rule, and add nothing where this path meets others.
  void end();

  /// Unites the states of two paths that hold the same blocks in the same order.
  /// Returns whether this changed the state.
  bool join(const BlockStates &other);
};

/// Returns the first block that is held in `a` but not in `b`; null if there is none.
mlir::Value heldInFirstOnly(const BlockStates &a, const BlockStates &b);

/// Compares two states that hold the same blocks. Returns the first two blocks of a
/// buffer that are at the same place in a different order; null if there are none.
std::pair<mlir::Value, mlir::Value> heldInOtherOrder(const BlockStates &a, const BlockStates &b);

} // namespace ttjit

#endif // TTJIT_PASSES_TTL_BLOCKSTATES_H
