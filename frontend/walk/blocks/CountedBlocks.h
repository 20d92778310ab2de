//===- CountedBlocks.h - blocks whose number is counted at run time -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The walk usually knows which blocks of a buffer a thread holds at each point. Where that depends
// on the path, the kernel function is walked again and counts: it keeps how many blocks of the
// buffer it has acquired and how many it has released. A variable then holds the number of a block,
// its ticket: 1 for the first block of the launch, 2 for the second. The oldest held block has the
// ticket `released + 1`.
//
// * An acquire waits for one block more than are held.
// * A use of a block finds its slot in the ring: (ticket - 1) modulo the number of slots.
// * A release checks that the block is the oldest one. If the kernel function releases blocks in
//   another order, a release marks its block, and frees the slots of the oldest blocks that are
//   marked.
// * `block += x` tests a bit for each slot: whether the thread stored into the block before.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_COUNTEDBLOCKS_H
#define TTJIT_FRONTEND_WALK_BLOCKS_COUNTEDBLOCKS_H

#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/values/Values.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace ttjit::frontend {

class Walker;

class CountedBlocks {
public:
  explicit CountedBlocks(Walker &walker) : walker(walker) {}

  /// Makes the next walk count the blocks of a side of a buffer. Returns false if this walk does,
  /// or if that was of no use.
  bool add(HeldQueue queue) {
    return !learned[queue].isUseless && queues.try_emplace(queue).second;
  }
  /// Makes the next walk accept releases of younger blocks, too. Returns false if this walk does.
  bool addDeferring(HeldQueue queue) { return deferring.insert(queue).second; }
  bool contains(HeldQueue queue) const { return queues.count(queue); }
  bool empty() const { return queues.empty(); }
  /// Returns whether the program never releases the blocks that it acquires where it acquired this
  /// one: ttl-insert-releases does, after the last use. A walk that counts finds that out.
  bool isNeverReleased(const BlockInfo &block) {
    return learned[{block.buffer, block.reserved}].neverReleased.count(placeOf(block.acquired));
  }
  /// Called at the start of each walk: nothing is acquired yet.
  void begin();
  /// Checks at the end of the kernel function that no block is held. Throws WalkAgain if it
  /// acquires no blocks that are counted, or releases none: counting is then of no use.
  void end();

  Block acquire(py::handle node, HeldQueue queue);
  /// Returns the block with an IR value that names it at this point. If the block is used here, the
  /// kernel checks that the thread holds it.
  Value named(py::handle node, const Block &block, bool isUsed);
  Block oldest(py::handle node, HeldQueue queue);
  void release(py::handle node, const Block &block);
  /// Builds a test whether the thread has not released the block yet.
  mlir::Value isHeld(py::handle node, const Block &block);
  /// Returns the run-time number of blocks that this thread released, before this statement, of the
  /// buffer and role of `block`. Null if it released none, or if `block` is not counted.
  mlir::Value releasesOf(const Block &block) const;
  /// Builds buffer.push() or buffer.pop(). The device reports it if no block is held.
  void releaseOldest(py::handle node, HeldQueue queue);
  /// Returns 1 if the thread stored into the block since it was reserved, else 0. Throws WalkAgain
  /// if this walk does not note that for the buffer.
  mlir::Value writtenFlag(py::handle node, const Block &block);
  /// Notes that the thread stores into the block.
  void noteWritten(py::handle node, const Block &block);
  /// Notes that a reset of the buffer has dropped all blocks.
  void reset(HeldQueue queue);
  /// Fails if blocks were acquired or released since the state `before`, by the callback of a pipe.
  void requireUnchanged(py::handle node, const ThreadState &before) const;

private:
  using Place = std::tuple<std::string, int, int>;
  static Place placeOf(const hw::SourceLocation &at) { return {at.file, at.line, at.column}; }
  void findUnreleased();

  /// Deferred: a set of bits, one for each held block, the lowest for the oldest. A bit is set if
  /// the program has released the block, and an older one is held.
  /// Written: bit i is set if the thread stored into the block in slot i since it was reserved.
  enum Counter : unsigned { Acquired, Released, Deferred, Written, NumCounters };
  mlir::Value count(py::handle node, HeldQueue queue, Counter counter);
  void advance(py::handle node, HeldQueue queue, Counter counter);
  mlir::Value held(py::handle node, HeldQueue queue);
  mlir::Value slotOf(py::handle node, HeldQueue queue, mlir::Value ticket);
  mlir::Value bitOf(py::handle node, HeldQueue queue, mlir::Value ticket);
  void forgetWritten(py::handle node, HeldQueue queue);
  mlir::Value blockAt(py::handle node, HeldQueue queue, mlir::Value ticket);
  Block make(py::handle node, HeldQueue queue, mlir::Value ticket);
  void checkHeld(py::handle node, HeldQueue queue, mlir::Value ticket);
  void markReleased(py::handle node, HeldQueue queue, mlir::Value place);
  void releaseMarked(py::handle node, HeldQueue queue);
  void buildRelease(py::handle node, HeldQueue queue);
  void freeOldest(py::handle node, HeldQueue queue);
  mlir::Value placeOf(py::handle node, HeldQueue queue, mlir::Value ticket);
  mlir::Value isMarked(py::handle node, HeldQueue queue, mlir::Value place);
  void buildAcquire(py::handle node, HeldQueue queue, mlir::Value held);
  void check(py::handle node, mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
             mlir::Value rhs, const std::string &message);

  Walker &walker;
  /// The acquires and releases of one queue that this walk has seen. `acquire` is the syntax tree
  /// node of one of them, for messages.
  struct Calls {
    py::object acquire;
    bool releases = false;
    std::set<Place> acquired,
        released;             ///< where blocks are acquired, and which of them are released
    bool releasesAny = false; ///< whether a release may be that of any block
  };
  /// Facts about one queue that earlier walks of the same function found out.
  struct Learned {
    bool isUseless = false;        ///< whether blocks were counted and none was released
    std::set<Place> neverReleased; ///< see isNeverReleased()
  };
  std::map<HeldQueue, Calls> queues;
  std::set<HeldQueue> deferring;   ///< queues whose younger blocks may be released first
  std::set<HeldQueue> accumulated; ///< queues for which the walk keeps the counter Written
  std::map<HeldQueue, Learned> learned;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_COUNTEDBLOCKS_H
