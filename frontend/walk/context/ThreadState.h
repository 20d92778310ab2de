//===- ThreadState.h - a thread's state that depends on the path ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the state, other than variables, that may differ between the paths through a kernel
// function. Branches and loops copy it for each path and join the copies.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_CONTEXT_THREADSTATE_H
#define TTJIT_FRONTEND_WALK_CONTEXT_THREADSTATE_H

#include "frontend/walk/values/PersistentMap.h"
#include "frontend/walk/values/Values.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <set>
#include <tuple>

namespace ttjit::frontend {

/// A side of a buffer: the buffer's index in Kernel::buffers, and whether the blocks are reserved.
using HeldQueue = std::pair<unsigned, bool>;

struct ThreadState {
  /// For each BlockInfo::id, whether the thread stored into the block since it was reserved: the
  /// int 0 or 1, or a value of type i32.
  PersistentMap<unsigned, Value> blocks;
  /// Buffer, whether reserved, BlockInfo::order.
  using HeldKey = std::tuple<unsigned, bool, unsigned>;
  /// The blocks that were acquired and not released by an explicit call, of each buffer the
  /// oldest first.
  PersistentMap<HeldKey, Block> outstanding;
  /// For each TransferGroup::id, the handles that were added to the group and not waited for.
  PersistentMap<unsigned, std::vector<mlir::Value>> groups;
  /// The queues of which a loop or branch acquired blocks that have no name behind it.
  std::set<HeldQueue> lost;
  /// The queues of which a branch releases different numbers of blocks on its two paths.
  std::set<HeldQueue> unsure;

  static HeldKey keyOf(const BlockInfo &block) {
    return {block.buffer, block.reserved, block.order};
  }

  /// Returns the block that `push()` or `pop()` of a buffer releases; null if there is none.
  const Block *oldest(unsigned buffer, bool reserved) const {
    const Block *block = outstanding.lowerBound({buffer, reserved, 0}).second;
    bool fits = block && block->info->buffer == buffer && block->info->reserved == reserved;
    return fits ? block : nullptr;
  }

  /// Returns whether the block is acquired and not released.
  bool isHeld(const BlockInfo &block) const {
    const Block *held = outstanding.find(keyOf(block));
    return held && held->info->id == block.id;
  }

  static Value fresh() { return Static{py::int_(0)}; }
  static Value written() { return Static{py::int_(1)}; }

  /// Returns the flag of a block, see `blocks`.
  Value flagOf(unsigned id) const {
    const Value *flag = blocks.find(id);
    return flag ? *flag : fresh();
  }
  void setFlag(unsigned id, Value flag) { blocks.set(id, std::move(flag)); }

  void hold(const Block &block) {
    outstanding.set(keyOf(*block.info), block);
    blocks.set(block.info->id, fresh());
  }
  void release(const BlockInfo &block) {
    if (isHeld(block))
      outstanding.erase(keyOf(block));
  }

  std::vector<mlir::Value> handlesOf(unsigned group) const {
    const std::vector<mlir::Value> *handles = groups.find(group);
    return handles ? *handles : std::vector<mlir::Value>();
  }

  /// Adds to each group the handles that were added to it on another path.
  void joinGroups(const ThreadState &other) {
    PersistentMap<unsigned, std::vector<mlir::Value>> own = groups;
    own.forEachDifference(other.groups, [&](unsigned id, const auto *, const auto *others) {
      if (!others)
        return;
      std::vector<mlir::Value> handles = handlesOf(id);
      llvm::DenseSet<mlir::Value> known(handles.begin(), handles.end());
      for (mlir::Value handle : *others)
        if (known.insert(handle).second)
          handles.push_back(handle);
      groups.set(id, std::move(handles));
    });
  }

  /// Removes blocks that are not in `before`: a region that ended acquired them.
  void keepOnly(const ThreadState &before) {
    auto held = outstanding;
    held.forEachDifference(before.outstanding, [&](const HeldKey &key, const Block *own, auto *) {
      if (own && !before.blocks.contains(own->info->id))
        outstanding.erase(key);
    });
    auto known = blocks;
    known.forEachDifference(before.blocks, [&](unsigned id, const Value *, auto *old) {
      if (!old)
        blocks.erase(id);
    });
  }
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_CONTEXT_THREADSTATE_H
