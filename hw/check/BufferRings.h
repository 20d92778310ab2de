//===- BufferRings.h - which pages of the buffers are in use --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_BUFFERRINGS_H
#define TTJIT_HW_CHECK_BUFFERRINGS_H

#include "hw/device/Events.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ttjit::hw::check {

/// The pages of one buffer of one node, counted since the start of the run. A page is in use
/// between its reserve and its push, and between its wait and its pop.
struct BufferRing {
  const BufferConfig *buffer = nullptr;
  uint64_t pushed = 0, popped = 0;
  uint64_t reservedEnd = 0, waitedEnd = 0; ///< one past the last page reserved, or waited for
  uint64_t start = 0;                      ///< number of the first page since the last reset
  uint32_t pushLoc = 0, popLoc = 0;        ///< positions of the last push and pop

  /// Follows a reset, which drops all blocks: page 0 of the buffer is the next page.
  void restart();

  /// isReserved (isWaited) returns whether page `page` of the buffer is reserved (waited for) now.
  bool isReserved(uint32_t page) const { return isIn(page, pushed, reservedEnd); }
  bool isWaited(uint32_t page) const { return isIn(page, popped, waitedEnd); }
  bool isUsed(uint32_t page) const { return isReserved(page) || isWaited(page); }

private:
  bool isIn(uint32_t page, uint64_t begin, uint64_t end) const;
};

/// Follows the buffer events of a run.
class BufferRings {
public:
  /// By buffer index and node number.
  using Key = std::pair<uint32_t, uint32_t>;

  void start(const Program &program);
  /// Adds an event of a buffer to the buffer's ring, and returns the ring; null for other events.
  BufferRing *follow(const Event &event);
  /// Returns the ring whose buffer has the first byte of `place`, and the page; null if there is
  /// none. If several buffers share the memory, prefers one that uses the page.
  std::pair<const BufferRing *, uint32_t> at(const MemoryPlace &place) const;
  const std::map<Key, BufferRing> &all() const { return rings; }

private:
  BufferRing &ringOf(const Event &event);

  /// Returns the page of `buffer` that contains an address; nothing if no page does.
  static std::optional<uint32_t> pageAt(const BufferConfig &buffer, uint32_t address);

  const Program *program = nullptr;
  std::vector<const BufferConfig *> configs; ///< by index
  std::map<Key, BufferRing> rings;
  mutable std::vector<const BufferRing *> lastOf; ///< by node: what at() found last
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_BUFFERRINGS_H
