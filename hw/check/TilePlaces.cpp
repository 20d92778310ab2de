//===- TilePlaces.cpp - the tiles in the memory of the device -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/TilePlaces.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ttjit::hw::check {

TileContent &TilePlaces::at(const MemoryPlace &place) {
  Tiles &tiles = memories[keyOf(place)];
  auto it = tiles.find(place.address);
  if (it == tiles.end()) {
    set(place, TileContent::fromSource(std::make_shared<TileSource>()));
    it = tiles.find(place.address);
  }
  return it->second.content;
}

void TilePlaces::set(const MemoryPlace &place, TileContent content) {
  erase(place);
  memories[keyOf(place)][place.address] = {place.bytes, std::move(content)};
}

void TilePlaces::erase(const MemoryPlace &place) {
  Tiles &tiles = memories[keyOf(place)];
  auto it = tiles.lower_bound(place.address);
  if (it != tiles.begin() && std::prev(it)->first + std::prev(it)->second.bytes > place.address)
    --it;
  while (it != tiles.end() && it->first < place.address + place.bytes)
    it = tiles.erase(it);
}

std::vector<const TileContent *> TilePlaces::copy(const MemoryPlace &from, const MemoryPlace &to) {
  uint32_t bytes = std::min(from.bytes, to.bytes);
  Tiles &tiles = memories[keyOf(from)];
  std::vector<std::pair<uint32_t, Tile>> moved;
  for (auto it = tiles.lower_bound(from.address);
       it != tiles.end() && it->first + it->second.bytes <= from.address + bytes; ++it)
    moved.emplace_back(it->first - from.address, it->second);
  if (moved.empty()) {
    MemoryPlace tile = from;
    tile.bytes = bytes;
    moved.emplace_back(0, Tile{bytes, at(tile)});
  }
  erase(to);
  std::vector<const TileContent *> copies;
  Tiles &destination = memories[keyOf(to)];
  for (auto &[offset, tile] : moved)
    copies.push_back(&(destination[to.address + offset] = std::move(tile)).content);
  return copies;
}

} // namespace ttjit::hw::check
