//===- MemoryUses.h - who used which bytes last ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For each byte of the device that was used: its last write, and the reads since that write which
// may still be going on.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_MEMORYUSES_H
#define TTJIT_HW_CHECK_MEMORYUSES_H

#include "hw/check/Clock.h"
#include "hw/device/Events.h"

#include <algorithm>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ttjit::hw::check {

/// A transfer, from its issue on. Times are those of the thread that issued it; 0: not yet.
struct TransferState : Counted<TransferState>, Recycled<TransferState> {
  AgentId thread = 0;
  uint32_t loc = 0;
  EventKind kind = EventKind::ReadIssued;
  uint8_t id = 0;
  bool isFabric = false;         ///< whether it goes to another device
  ClockIndex signals = kNoIndex; ///< the signals of its stream
  uint64_t stream = 0;
  Time issued = 0;
  Time sourceRead = 0; ///< when the thread knew that the source has been read
  Time landed = 0;     ///< when it knew that the transfer has landed
  Time signal = 0;     ///< the first signal of its stream that proves the landing
  Epoch epoch;         ///< what the thread knew at the issue; empty if nobody will ask
  /// What it writes: the range, and a hash of the bytes; empty if not known.
  uint32_t address = 0, bytes = 0;
  uint64_t hash = 0;
};

/// The wait for a block that a pipe brings into a slice of a tensor.
struct Receipt : Counted<Receipt> {
  AgentId thread = 0;
  uint32_t loc = 0;
  Time time = 0;
};

/// One use of a range of memory.
struct Use {
  AgentId thread = 0;
  uint32_t loc = 0;
  Time time = 0; ///< of the thread
  bool writes = false;
  bool isSource = false;          ///< of `transfer`; else its destination
  Shared<TransferState> transfer; ///< null if the thread itself uses the memory
  Shared<Receipt> receipt{};      ///< of a transfer into a slice of a tensor; else null
};

class MemoryUses {
public:
  MemoryUses() { blocks.reserve(1 << 14); }

  /// Adds a use. Calls `conflict(earlier)` for each earlier use of the same bytes for which
  /// `isBefore(earlier)` does not say that it is over, if one of the two uses writes.
  template <typename IsBefore, typename Conflict>
  void add(const MemoryPlace &place, const Use &use, const IsBefore &isBefore,
           const Conflict &conflict) {
    uint32_t end = place.address + place.bytes;
    for (uint32_t begin = place.address; begin < end;) {
      uint32_t stop = std::min(end, (begin / kBlockBytes + 1) * kBlockBytes);
      std::vector<Cell> &cells = blocks[keyOf(place, begin)];
      for (size_t i = cellAt(cells, begin, stop); i < cells.size() && cells[i].begin < stop; ++i)
        addTo(*cells[i].last, use, isBefore, conflict);
      begin = stop;
    }
  }

private:
  /// Uses are looked up by blocks of memory of this size: pages of most tensors are not larger.
  static constexpr uint32_t kBlockBytes = 4096;

  /// The last uses of some bytes.
  struct Uses {
    std::optional<Use> write;
    std::optional<Use> read;
    std::vector<Use> reads; ///< more reads; most cells have none
  };
  /// The bytes from `begin` to `end` of a block of memory, and their last uses. The uses are
  /// allocated apart from the cell, so that cells are small: a block may have many of them.
  struct Cell {
    uint32_t begin = 0, end = 0;
    std::unique_ptr<Uses> last;
  };

  static uint64_t keyOf(const MemoryPlace &place, uint32_t address) {
    uint64_t memory = uint64_t(place.memory) << 24 | uint64_t(place.x) << 12 | uint64_t(place.y);
    return memory << 32 | address / kBlockBytes;
  }
  /// Splits and adds cells so that some cover exactly the bytes from `begin` to `end`, which are in
  /// one block. Returns the index of the first of these cells.
  static size_t cellAt(std::vector<Cell> &cells, uint32_t begin, uint32_t end);

  template <typename IsBefore, typename Conflict>
  static void addTo(Uses &last, const Use &use, const IsBefore &isBefore,
                    const Conflict &conflict) {
    if (last.write && !isBefore(*last.write))
      conflict(*last.write);
    if (use.writes) {
      if (last.read && !isBefore(*last.read))
        conflict(*last.read);
      for (const Use &read : last.reads)
        if (!isBefore(read))
          conflict(read);
      last.read.reset();
      last.reads.clear();
      last.write = use;
      return;
    }
    std::erase_if(last.reads, isBefore);
    if (!last.read || isBefore(*last.read))
      last.read = use;
    else
      last.reads.push_back(use);
  }

  std::unordered_map<uint64_t, std::vector<Cell>> blocks; ///< the cells of each, ascending
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_MEMORYUSES_H
