//===- TilePlaces.cpp - the tiles in the memory of the device -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/TilePlaces.h"

namespace ttjit::hw::check {

TileContent &TilePlaces::at(const MemoryPlace &place) {
  TileContent *known = tiles.find(place);
  return known ? *known : tiles.set(place, TileContent::fromSource(std::make_shared<TileSource>()));
}

std::vector<TileContent *> TilePlaces::copy(const MemoryPlace &from, const MemoryPlace &to) {
  std::vector<TileContent *> copies = tiles.copy(from, to);
  if (!copies.empty())
    return copies;
  MemoryPlace tile = from;
  tile.bytes = std::min(from.bytes, to.bytes);
  at(tile);
  return tiles.copy(tile, to);
}

} // namespace ttjit::hw::check
