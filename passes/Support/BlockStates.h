//===- BlockStates.h - what is known of a thread's blocks -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of the blocks and copies of one thread at one point of its program.
// Where paths meet, a block may be in several states: sets of bits. A rule is
// broken for certain only if it is broken in every state of the set.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SUPPORT_BLOCKSTATES_H
#define TTJIT_PASSES_SUPPORT_BLOCKSTATES_H

#include "passes/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace ttjit {

/// Locks by copies in flight are kept with the copies.
enum BlockState : unsigned {
  MustBeWritten = 1, ///< reserved, holds garbage
  MustBeRead = 2,    ///< waited for, or written
  ReadWrite = 4,     ///< read since
  Released = 8,
};

enum CopyState : unsigned {
  InFlight = 1,
  Completed = 2,     ///< waited for
  PassedBarrier = 4, ///< complete, its wait is still to come
};

struct BlockStates {
  /// By acquire. Absent: not acquired on this path.
  llvm::MapVector<mlir::Operation *, unsigned> blocks;
  /// By ttl.copy.
  llvm::MapVector<mlir::Operation *, unsigned> copies;
  /// Acquires that are not released yet, oldest first, by buffer; a buffer is
  /// waited for and reserved independently.
  llvm::MapVector<std::pair<mlir::Value, unsigned>, llvm::SmallVector<mlir::Operation *>> held;

  static std::pair<mlir::Value, unsigned> queueOf(mlir::Operation *acquire) {
    return {acquire->getOperand(0), mlir::isa<mlir::tt::ttl::CBWaitOp>(acquire)};
  }

  bool holds(mlir::Operation *acquire) const {
    auto it = held.find(queueOf(acquire));
    return it != held.end() && llvm::is_contained(it->second, acquire);
  }

  /// A copy from (`into` false) or into the block that is in flight for certain.
  mlir::tt::ttl::CopyOp lockOf(mlir::Operation *acquire, bool into) const;

  /// Unites the sets of states; what is held must be equal. True if this changed.
  bool join(const BlockStates &other);
};

/// First acquire that is held in one of the two but not in the other; null if
/// both hold the same.
mlir::Operation *heldInOneOnly(const BlockStates &a, const BlockStates &b);

/// "copy lock error", "must be written" and so on: why `states` does not allow
/// reading, respectively writing.
std::string describeStates(unsigned states);

} // namespace ttjit

#endif // TTJIT_PASSES_SUPPORT_BLOCKSTATES_H
