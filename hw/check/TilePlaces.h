//===- TilePlaces.h - the tiles in the memory of the device ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_TILEPLACES_H
#define TTJIT_HW_CHECK_TILEPLACES_H

#include "hw/check/PlacedTiles.h"
#include "hw/check/TileContent.h"

namespace ttjit::hw::check {

/// Keeps what is known of the tiles in L1 and in DRAM. A range of which nothing is known becomes a
/// tile of a new source when it is first read.
class TilePlaces {
public:
  /// Returns the tile at a place.
  TileContent &at(const MemoryPlace &place);
  void set(const MemoryPlace &place, TileContent content) { tiles.set(place, std::move(content)); }
  /// Forgets the tiles that a write to `place` overwrites.
  void erase(const MemoryPlace &place) { tiles.erase(place); }
  /// Copies the tiles of a range. Returns them.
  std::vector<TileContent *> copy(const MemoryPlace &from, const MemoryPlace &to);

private:
  PlacedTiles<TileContent> tiles;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_TILEPLACES_H
