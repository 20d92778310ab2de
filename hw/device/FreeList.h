//===- FreeList.h - first-fit allocation of an address range --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Keeps which parts of [begin, end) are free, as a map of free ranges by address. A range that
// is given back merges with its free neighbours.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FREELIST_H
#define TTJIT_HW_DEVICE_FREELIST_H

#include <cstdint>
#include <map>
#include <optional>

namespace ttjit::hw {

class FreeList {
public:
  /// Both ends are multiples of every alignment that callers use.
  FreeList(uint64_t begin, uint64_t end);

  /// Allocates `bytes` (not 0, a multiple of the alignment) at the lowest address that
  /// has room, or with `fromTop` at the highest. Returns nothing if no free range is
  /// large enough.
  std::optional<uint64_t> allocate(uint64_t bytes, bool fromTop);
  /// Gives back a range that allocate() returned.
  void free(uint64_t address, uint64_t bytes);

  /// Lowest address in use, or the end of the range.
  uint64_t lowestUsed() const;

private:
  uint64_t begin;
  std::map<uint64_t, uint64_t> ranges; ///< free ranges: start -> end
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FREELIST_H
