//===- PlacedTiles.h - what is known of tiles in memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_PLACEDTILES_H
#define TTJIT_HW_CHECK_PLACEDTILES_H

#include "hw/device/Events.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ttjit::hw::check {

/// Keeps a Content for each tile in L1 and in DRAM of which something is known. A copy of a tile
/// gets a copy of its Content.
template <typename Content> class PlacedTiles {
public:
  /// Returns null if nothing is known of the tile at a place.
  Content *find(const MemoryPlace &place) {
    Tiles &tiles = memories[keyOf(place)];
    auto it = tiles.find(place.address);
    return it == tiles.end() ? nullptr : &it->second.content;
  }
  Content &set(const MemoryPlace &place, Content content) {
    erase(place);
    Tile &tile = memories[keyOf(place)][place.address];
    tile = {place.bytes, std::move(content)};
    return tile.content;
  }
  /// Forgets the tiles that a write to `place` changes. Returns whether it changed a part of one.
  bool erase(const MemoryPlace &place) {
    Tiles &tiles = memories[keyOf(place)];
    uint32_t end = place.address + place.bytes;
    auto it = tiles.lower_bound(place.address);
    if (it != tiles.begin() && endOf(*std::prev(it)) > place.address)
      --it;
    bool isPart = false;
    for (; it != tiles.end() && it->first < end; it = tiles.erase(it))
      isPart |= it->first < place.address || endOf(*it) > end;
    return isPart;
  }
  /// Copies what is known of the tiles of a range. Returns the copies.
  std::vector<Content *> copy(const MemoryPlace &from, const MemoryPlace &to) {
    uint32_t end = from.address + std::min(from.bytes, to.bytes);
    Tiles &tiles = memories[keyOf(from)];
    std::vector<std::pair<uint32_t, Tile>> moved;
    for (auto it = tiles.lower_bound(from.address); it != tiles.end() && endOf(*it) <= end; ++it)
      moved.emplace_back(it->first - from.address, it->second);
    erase(to);
    std::vector<Content *> copies;
    Tiles &destination = memories[keyOf(to)];
    for (auto &[offset, tile] : moved)
      copies.push_back(&(destination[to.address + offset] = std::move(tile)).content);
    return copies;
  }

private:
  struct Tile {
    uint32_t bytes = 0;
    Content content;
  };
  using Key = std::tuple<MemoryPlace::Memory, int, int>;
  using Tiles = std::map<uint32_t, Tile>; ///< by address; disjoint

  static Key keyOf(const MemoryPlace &place) { return {place.memory, place.x, place.y}; }
  static uint32_t endOf(const typename Tiles::value_type &tile) {
    return tile.first + tile.second.bytes;
  }

  std::map<Key, Tiles> memories;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_PLACEDTILES_H
