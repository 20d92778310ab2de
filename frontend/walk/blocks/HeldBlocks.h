//===- HeldBlocks.h - blocks that are released late -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `buffer.push()` and `buffer.pop()` release the oldest block that the thread holds, which may have
// been acquired in a loop or branch that has ended. A block that only some paths hold has no name
// in the IR. If such a block is to be released, the kernel function is walked again, in a form in
// which every path knows its blocks:
//
// * A loop whose range is known at compile time is unrolled.
// * The statements after an `if` are walked once on each of its two paths. A later test of the same
//   condition then has a known result.
// * Otherwise the thread counts the blocks of that buffer while it runs (CountedBlocks.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_HELDBLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_HELDBLOCKS_H

#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "frontend/walk/values/Values.h"

#include <map>
#include <set>

namespace ttjit::frontend {

class Walker;

/// Held blocks, oldest first, by buffer and side.
using HeldQueues = std::map<HeldQueue, std::vector<Block>>;

class HeldBlocks {
public:
  explicit HeldBlocks(Walker &walker) : walker(walker) {}

  /// Returns the blocks that a thread holds in state `state` and did not know in state `before`.
  static HeldQueues acquiredSince(const ThreadState &before, const ThreadState &state);
  /// Returns all blocks that a thread holds in state `state`.
  static HeldQueues all(const ThreadState &state) { return acquiredSince({}, state); }

  /// Notes that blocks which the loop or `if` at `node` acquires have no name after it.
  void noteLost(py::handle node, HeldQueue queue);
  /// Returns whether the statements after the `if` are to be walked on each of its paths.
  bool isForked(py::handle node) const { return forked.count(node.ptr()); }

  /// Notes that buffer.push() or buffer.pop() releases the block.
  void noteOldest(const BlockInfo &block) { releasedAsOldest.insert(block.id); }
  /// Returns whether buffer.push() or buffer.pop() released the block.
  bool isReleasedAsOldest(const Block &block) const {
    return releasedAsOldest.count(block.info->id);
  }

  /// Ends the walk at the call `node` of buffer.push() or buffer.pop(), which finds no block.
  /// Throws WalkAgain if the walk may find one in another form.
  [[noreturn]] void failNoBlock(py::handle node, HeldQueue queue);

  /// Called when the oldest block depends on the path. Throws WalkAgain if the walk may know it in
  /// another form; else ttl-verify-protocol reports the branch.
  void tryForks(HeldQueue queue);

  /// Returns the value of an expression. A counted block gets an IR value for this point. Throws
  /// WalkAgain if the IR cannot pass the block to this point. `isUsed` is false where a variable is
  /// only assigned to another one.
  Value named(py::handle node, const Value &value, bool isUsed);
  /// Called for a block that is not counted and is used. Loops and branches of compute threads
  /// cannot pass blocks on: throws WalkAgain, if the walk may know the block in another form.
  void requireName(const Block &block);
  /// Called after the last walk of the body of a loop that carries a block which the body uses.
  /// Throws WalkAgain, if the walk may know the block in another form.
  void requireNameInLoop(const BlockInfo &block);
  /// Called for a block that is not counted and is released. If an older block of the buffer is
  /// held that was acquired outside of the loop or branch around this point, asks for the loop to
  /// be unrolled, or throws WalkAgain to count.
  void requireOrder(py::handle node, const Block &block);
  /// Called for a name that has no value here. Throws WalkAgain if counting may give it one.
  void requireKnown(const Missing &missing);
  /// Called where a program names the oldest block of a buffer, and none is known. Throws WalkAgain
  /// if counting may find one.
  void requireOldest(HeldQueue queue);
  /// Called for a loop of which each iteration releases blocks acquired before it, and leaves
  /// another number of blocks than it found. Throws WalkAgain if that depends on the path.
  void tryCountingInLoop(HeldQueue queue);
  /// Called for an `if` whose two paths release different numbers of the blocks held before it.
  /// Throws WalkAgain if a loop in it does.
  void tryCountingInBranch(HeldQueue queue);

private:
  struct Lost {
    py::object node;
    HeldQueue queue;
    hw::SourceLocation location;
  };
  bool canRepeat() const;
  [[noreturn]] void walkAgain();
  void tryCounting(HeldQueue queue);
  bool unrollLoops(HeldQueue queue);
  bool forkBranches(HeldQueue queue);
  std::vector<diagnostics::DiagnosticNote> notes(HeldQueue queue) const;

  Walker &walker;
  std::vector<Lost> lost;
  std::set<unsigned> releasedAsOldest; ///< values of BlockInfo::id
  std::set<PyObject *> forked;         ///< `if` statements for which isForked() is true
  std::set<HeldQueue> unequal;         ///< see tryCountingInLoop()
  std::set<PyObject *> triedToFork;    ///< `if` statements for which forking did not help
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_HELDBLOCKS_H
