//===- FreeList.cpp - first-fit allocation of an address range ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FreeList.h"

#include <algorithm>

namespace ttjit::hw {

FreeList::FreeList(uint64_t begin, uint64_t end) : begin(begin) { ranges[begin] = end; }

std::optional<uint64_t> FreeList::allocate(uint64_t bytes, bool fromTop) {
  auto fits = [bytes](const auto &range) { return range.second - range.first >= bytes; };
  auto range = ranges.end();
  if (fromTop) {
    auto found = std::find_if(ranges.rbegin(), ranges.rend(), fits);
    if (found != ranges.rend())
      range = std::prev(found.base());
  } else {
    range = std::find_if(ranges.begin(), ranges.end(), fits);
  }
  if (range == ranges.end())
    return std::nullopt;

  auto [start, stop] = *range;
  ranges.erase(range);
  uint64_t address = fromTop ? stop - bytes : start;
  if (start < address)
    ranges[start] = address;
  if (address + bytes < stop)
    ranges[address + bytes] = stop;
  return address;
}

void FreeList::free(uint64_t address, uint64_t bytes) {
  uint64_t stop = address + bytes;
  auto next = ranges.lower_bound(address);
  if (next != ranges.end() && next->first == stop) {
    stop = next->second;
    next = ranges.erase(next);
  }
  if (next != ranges.begin() && std::prev(next)->second == address)
    std::prev(next)->second = stop;
  else
    ranges[address] = stop;
}

uint64_t FreeList::lowestUsed() const {
  auto first = ranges.begin();
  if (first == ranges.end() || first->first != begin)
    return begin;
  return first->second;
}

} // namespace ttjit::hw
