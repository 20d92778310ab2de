//===- Unwritten.cpp - memory that nobody has written -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/Unwritten.h"

#include <algorithm>
#include <vector>

namespace ttjit::hw::check {

Unwritten::Ranges::iterator Unwritten::firstBehind(Ranges &ranges, uint64_t begin) {
  auto it = ranges.upper_bound(begin);
  return it != ranges.begin() && std::prev(it)->second.end > begin ? std::prev(it) : it;
}

void Unwritten::remove(const MemoryPlace &place) {
  auto memory = memories.find(keyOf(place));
  if (memory == memories.end())
    return;
  Ranges &ranges = memory->second;
  uint64_t begin = place.address, end = begin + place.bytes;
  for (auto it = firstBehind(ranges, begin); it != ranges.end() && it->first < end;) {
    auto [from, range] = *it;
    it = ranges.erase(it);
    if (from < begin)
      ranges[from] = {begin, range.origin};
    if (range.end > end)
      it = ranges.emplace(end, range).first;
  }
  if (ranges.empty())
    memories.erase(memory);
}

void Unwritten::add(const MemoryPlace &place, const UnwrittenOrigin &origin) {
  remove(place);
  memories[keyOf(place)][place.address] = {uint64_t{place.address} + place.bytes, origin};
}

const UnwrittenOrigin *Unwritten::find(const MemoryPlace &place) const {
  auto memory = memories.find(keyOf(place));
  if (memory == memories.end())
    return nullptr;
  auto &ranges = const_cast<Ranges &>(memory->second);
  auto it = firstBehind(ranges, place.address);
  bool isInside = it != ranges.end() && it->first < uint64_t{place.address} + place.bytes;
  return isInside ? &it->second.origin : nullptr;
}

bool Unwritten::isWhole(const MemoryPlace &place) const {
  auto memory = memories.find(keyOf(place));
  if (memory == memories.end())
    return false;
  auto &ranges = const_cast<Ranges &>(memory->second);
  uint64_t known = place.address, end = known + place.bytes;
  for (auto it = firstBehind(ranges, known); known < end; known = it++->second.end)
    if (it == ranges.end() || it->first > known)
      return false;
  return true;
}

void Unwritten::copy(const MemoryPlace &from, const MemoryPlace &to, uint32_t loc, AgentId by) {
  std::vector<std::pair<MemoryPlace, UnwrittenOrigin>> parts;
  if (auto memory = memories.find(keyOf(from)); memory != memories.end()) {
    uint64_t begin = from.address, end = begin + std::min(from.bytes, to.bytes);
    Ranges &ranges = memory->second;
    for (auto it = firstBehind(ranges, begin); it != ranges.end() && it->first < end; ++it) {
      uint64_t first = std::max(it->first, begin), last = std::min(it->second.end, end);
      MemoryPlace part = to;
      part.address = static_cast<uint32_t>(to.address + (first - begin));
      part.bytes = static_cast<uint32_t>(last - first);
      parts.emplace_back(part, it->second.origin);
      parts.back().second.copyLoc = loc;
      parts.back().second.copiedBy = by;
    }
  }
  remove(to);
  for (auto &[part, origin] : parts)
    add(part, origin);
}

} // namespace ttjit::hw::check
