//===- ThreadState.h - what a walk over a thread changes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything but variables that differs between the paths through a kernel
// function. Branches and loops take copies and join them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_THREADSTATE_H
#define TTJIT_FRONTEND_WALK_THREADSTATE_H

#include "frontend/walk/Values.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ttjit::frontend {

struct BlockState {
  /// i32, non-zero after an accumulating store; null while that is certainly 0.
  mlir::Value accumulated;
  /// acc= of the stores so far.
  std::optional<bool> accumulates;
};

struct ThreadState {
  std::map<unsigned, BlockState> blocks; ///< by BlockInfo::id
  /// Acquired and not released by an explicit call, oldest first.
  std::vector<Block> outstanding;
  /// Handles that were added to a ttl.GroupTransfer and not waited for, by TransferGroup::id.
  std::map<unsigned, std::vector<mlir::Value>> groups;

  /// The block that `push()` or `pop()` of a buffer releases; null if there is none.
  const Block *oldest(unsigned buffer, bool reserved) const {
    auto it = std::find_if(outstanding.begin(), outstanding.end(), [&](const Block &block) {
      return block.info->buffer == buffer && block.info->reserved == reserved;
    });
    return it == outstanding.end() ? nullptr : &*it;
  }

  /// Whether the block is acquired and not released.
  bool isHeld(const BlockInfo &block) const {
    return std::any_of(outstanding.begin(), outstanding.end(),
                       [&](const Block &other) { return other.info->id == block.id; });
  }

  /// The accumulation flag of a block: 0, or an i32.
  Value flagOf(unsigned id) const {
    auto it = blocks.find(id);
    if (it == blocks.end() || !it->second.accumulated)
      return Static{py::int_(0)};
    return Scalar{it->second.accumulated};
  }

  void release(unsigned id) {
    std::erase_if(outstanding, [&](const Block &block) { return block.info->id == id; });
  }

  /// Adds the handles of another path to the groups.
  void joinGroups(const ThreadState &other) {
    for (const auto &[id, handles] : other.groups)
      for (mlir::Value handle : handles)
        if (std::find(groups[id].begin(), groups[id].end(), handle) == groups[id].end())
          groups[id].push_back(handle);
  }

  /// Forgets blocks that `before` does not know: they were acquired inside a
  /// region that ended.
  void keepOnly(const ThreadState &before) {
    std::erase_if(outstanding, [&](const Block &b) { return !before.blocks.count(b.info->id); });
    std::erase_if(blocks, [&](const auto &entry) { return !before.blocks.count(entry.first); });
  }
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_THREADSTATE_H
