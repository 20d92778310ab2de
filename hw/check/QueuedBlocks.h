//===- QueuedBlocks.h - blocks that pipes bring into tensors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A receive into a slice of a tensor takes a block from a queue, copies it into a block of its
// thread, and writes that block into the tensor (hw/device/LandingQueues.h). On a card the sender
// writes into the tensor itself. This class finds the send of a block that a thread writes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_QUEUEDBLOCKS_H
#define TTJIT_HW_CHECK_QUEUEDBLOCKS_H

#include "hw/check/MemoryUses.h"
#include "hw/check/SemaphoreRaces.h"
#include "hw/device/Program.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace ttjit::hw::check {

class QueuedBlocks {
public:
  void start(const Program &program);

  /// Returns whether blocks that arrive at this place are queued.
  bool isQueued(const MemoryPlace &place) const;
  /// Notes that a send puts a block into the queue at a place.
  void sent(const MemoryPlace &queue, const Shared<TransferState> &send);
  /// Notes that a thread takes the oldest block of a queue into a block of its own.
  void taken(const MemoryPlace &queue, const MemoryPlace &block);
  /// Notes that a thread writes the bytes at a place into a tensor. Returns the send that put them
  /// into a queue; null if they are not from a queue. Each byte of a block goes to the tensor once:
  /// after the last one, `isLast`, the place is memory like any other.
  Shared<TransferState> written(const MemoryPlace &part, bool &isLast);

private:
  struct Block {
    uint32_t bytes = 0, left = 0; ///< left: bytes that are not in the tensor yet
    Shared<TransferState> send;
  };
  using BlocksOfCore = std::map<uint32_t, Block>; ///< by address

  std::vector<const L1Range *> ranges; ///< those with queues
  std::unordered_map<WordKey, std::vector<Shared<TransferState>>, HashOfWord> queues;
  std::unordered_map<WordKey, BlocksOfCore, HashOfWord> blocks; ///< by core, and address 0
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_QUEUEDBLOCKS_H
