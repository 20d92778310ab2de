//===- ThreadState.h - what a walk over a thread changes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything but variables that differs between the paths through a kernel
// function. Branches and loops take copies and join them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_THREADSTATE_H
#define TTJIT_FRONTEND_WALK_THREADSTATE_H

#include "frontend/walk/PersistentMap.h"
#include "frontend/walk/Values.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <tuple>

namespace ttjit::frontend {

struct BlockState {
  /// i32, non-zero after an accumulating store; null while that is certainly 0.
  mlir::Value accumulated;
  /// acc= of the stores so far.
  std::optional<bool> accumulates;
};

struct ThreadState {
  PersistentMap<unsigned, BlockState> blocks; ///< by BlockInfo::id
  /// Buffer, whether reserved, BlockInfo::order.
  using HeldKey = std::tuple<unsigned, bool, unsigned>;
  /// Acquired and not released by an explicit call, of each buffer the oldest first.
  PersistentMap<HeldKey, Block> outstanding;
  /// Handles that were added to a ttl.GroupTransfer and not waited for, by TransferGroup::id.
  PersistentMap<unsigned, std::vector<mlir::Value>> groups;

  static HeldKey keyOf(const BlockInfo &block) {
    return {block.buffer, block.reserved, block.order};
  }

  /// The block that `push()` or `pop()` of a buffer releases; null if there is none.
  const Block *oldest(unsigned buffer, bool reserved) const {
    const Block *block = outstanding.lowerBound({buffer, reserved, 0}).second;
    bool fits = block && block->info->buffer == buffer && block->info->reserved == reserved;
    return fits ? block : nullptr;
  }

  /// Whether the block is acquired and not released.
  bool isHeld(const BlockInfo &block) const {
    const Block *held = outstanding.find(keyOf(block));
    return held && held->info->id == block.id;
  }

  BlockState stateOf(unsigned id) const {
    const BlockState *state = blocks.find(id);
    return state ? *state : BlockState();
  }

  /// The accumulation flag of a block: 0, or an i32.
  Value flagOf(unsigned id) const {
    mlir::Value flag = stateOf(id).accumulated;
    return flag ? Value(Scalar{flag}) : Value(Static{py::int_(0)});
  }
  void setFlag(unsigned id, mlir::Value flag) {
    BlockState state = stateOf(id);
    state.accumulated = flag;
    blocks.set(id, state);
  }

  void hold(const Block &block) {
    outstanding.set(keyOf(*block.info), block);
    blocks.set(block.info->id, {});
  }
  void release(const BlockInfo &block) {
    if (isHeld(block))
      outstanding.erase(keyOf(block));
  }

  std::vector<mlir::Value> handlesOf(unsigned group) const {
    const std::vector<mlir::Value> *handles = groups.find(group);
    return handles ? *handles : std::vector<mlir::Value>();
  }

  /// Adds the handles of another path to the groups.
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

  /// Forgets blocks that `before` does not know: they were acquired inside a
  /// region that ended.
  void keepOnly(const ThreadState &before) {
    auto held = outstanding;
    held.forEachDifference(before.outstanding, [&](const HeldKey &key, const Block *own, auto *) {
      if (own && !before.blocks.contains(own->info->id))
        outstanding.erase(key);
    });
    auto known = blocks;
    known.forEachDifference(before.blocks, [&](unsigned id, const BlockState *, auto *old) {
      if (!old)
        blocks.erase(id);
    });
  }
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_THREADSTATE_H
