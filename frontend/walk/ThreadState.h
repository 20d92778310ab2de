//===- ThreadState.h - the state of a thread that depends on the path --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the state, other than variables, that may differ between the paths through a kernel
// function. Branches and loops copy it for each path and join the copies.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_THREADSTATE_H
#define TTJIT_FRONTEND_WALK_THREADSTATE_H

#include "frontend/walk/Values.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ttjit::frontend {

struct BlockState {
  /// A value of type i32 that is non-zero after an accumulating store. Null while it is known to be
  /// 0.
  mlir::Value accumulated;
  /// The value of acc= in the stores so far; nothing before the first store.
  std::optional<bool> accumulates;
};

struct ThreadState {
  std::map<unsigned, BlockState> blocks; ///< the key is BlockInfo::id
  /// The blocks that were acquired and not released by an explicit call, oldest first.
  std::vector<Block> outstanding;
  /// For each TransferGroup::id, the handles that were added to the group and not waited for.
  std::map<unsigned, std::vector<mlir::Value>> groups;

  /// Returns the block that `push()` or `pop()` of a buffer releases; null if there is none.
  const Block *oldest(unsigned buffer, bool reserved) const {
    auto it = std::find_if(outstanding.begin(), outstanding.end(), [&](const Block &block) {
      return block.info->buffer == buffer && block.info->reserved == reserved;
    });
    return it == outstanding.end() ? nullptr : &*it;
  }

  /// Returns whether the block is acquired and not released.
  bool isHeld(const BlockInfo &block) const {
    return std::any_of(outstanding.begin(), outstanding.end(),
                       [&](const Block &other) { return other.info->id == block.id; });
  }

  /// Returns the accumulation flag of a block: the constant 0, or a value of type i32.
  Value flagOf(unsigned id) const {
    auto it = blocks.find(id);
    if (it == blocks.end() || !it->second.accumulated)
      return Static{py::int_(0)};
    return Scalar{it->second.accumulated};
  }

  void release(unsigned id) {
    std::erase_if(outstanding, [&](const Block &block) { return block.info->id == id; });
  }

  /// Adds the handles that the groups have on another path.
  void joinGroups(const ThreadState &other) {
    for (const auto &[id, handles] : other.groups)
      for (mlir::Value handle : handles)
        if (std::find(groups[id].begin(), groups[id].end(), handle) == groups[id].end())
          groups[id].push_back(handle);
  }

  /// Removes blocks that are not in `before`: a region that ended acquired them.
  void keepOnly(const ThreadState &before) {
    std::erase_if(outstanding, [&](const Block &b) { return !before.blocks.count(b.info->id); });
    std::erase_if(blocks, [&](const auto &entry) { return !before.blocks.count(entry.first); });
  }
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_THREADSTATE_H
