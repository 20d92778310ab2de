//===- Unwritten.h - memory that nobody has written -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_UNWRITTEN_H
#define TTJIT_HW_CHECK_UNWRITTEN_H

#include "hw/device/Events.h"

#include <map>
#include <tuple>

namespace ttjit::hw::check {

/// Where unwritten bytes come from: a page of a tensor or buffer, and the last transfer that
/// copied them.
struct UnwrittenOrigin {
  MemoryPlace page;
  int tensor = -1;         ///< number of the tensor; -1: the page is one of a buffer
  uint32_t reserveLoc = 0; ///< of a page of a buffer: the position of its reserve
  uint32_t copyLoc = 0;    ///< 0 if the bytes were not copied
  AgentId copiedBy = 0;
};

/// The ranges of the device's memory that nobody has written, with their origins. All other memory
/// counts as written.
class Unwritten {
public:
  bool empty() const { return memories.empty(); }
  void clear() { memories.clear(); }
  void add(const MemoryPlace &place, const UnwrittenOrigin &origin);
  void remove(const MemoryPlace &place);
  /// Returns the origin of the first unwritten byte of a range; null if all its bytes are written.
  const UnwrittenOrigin *find(const MemoryPlace &place) const;
  /// Marks the bytes of `to` as unwritten whose bytes of `from` are. The thread `by` copies them at
  /// `loc`. `to` may be shorter.
  void copy(const MemoryPlace &from, const MemoryPlace &to, uint32_t loc, AgentId by);
  /// Returns whether all bytes of the range are unwritten.
  bool isWhole(const MemoryPlace &place) const;

private:
  struct Range {
    uint64_t end = 0;
    UnwrittenOrigin origin;
  };
  using Key = std::tuple<MemoryPlace::Memory, int, int>;
  using Ranges = std::map<uint64_t, Range>; ///< by begin; disjoint

  static Key keyOf(const MemoryPlace &place) { return {place.memory, place.x, place.y}; }
  /// Returns the first range that ends behind `begin`.
  static Ranges::iterator firstBehind(Ranges &ranges, uint64_t begin);

  std::map<Key, Ranges> memories;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_UNWRITTEN_H
