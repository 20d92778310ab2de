//===- Position.h - where a tensor's elements are -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts the logical index of an element to a core and a byte of its memory, and back.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_LAYOUTS_POSITION_H
#define TTJIT_IR_LAYOUTS_POSITION_H

#include "hw/facts/DataFormat.h"
#include "ir/Layouts/Layout.h"

namespace ttjit::layouts {

/// A layout whose tensor has a grid and an element type.
struct PlacedLayout {
  Layout layout;
  std::optional<TileShape> tile; ///< none: rows of elements
  Shape grid;                    ///< has the rank of the physical shape

  Shape physical() const { return physicalShape(collapsedShape(layout), tile); }
  Shape shard() const { return shardShape(physical(), grid); }
};

/// A position in the memory of the device.
struct Position {
  Shape core;                  ///< a point of the grid
  Shape inShard;               ///< a tile of the shard, or an element of it
  int64_t row = 0, column = 0; ///< in the tile
};

/// Returns the index of an element of the collapsed shape.
Shape collapsedIndex(const Layout &layout, llvm::ArrayRef<int64_t> element);

Position positionOf(const PlacedLayout &placement, llvm::ArrayRef<int64_t> element);

/// Returns the element at a position; nothing for padding.
std::optional<Shape> elementAt(const PlacedLayout &placement, const Position &position);

/// Returns the index of a tile, or of an element, in the physical shape.
Shape physicalIndex(const PlacedLayout &placement, const Position &position);

/// Returns how many elements of the tile are before this one in memory: a tile is stored as faces
/// of 16x16, row by row.
int64_t elementInTile(TileShape tile, int64_t row, int64_t column);

/// Returns the first byte of an element in a tile of the format; a datum of a block float may be
/// the upper half of this byte, and its exponent is elsewhere.
int64_t byteInTile(hw::DataFormat format, TileShape tile, int64_t row, int64_t column);

/// Returns the bytes of a tile, or of an element, if there are no tiles.
int64_t unitBytes(hw::DataFormat format, std::optional<TileShape> tile);

/// Returns the first byte of a position in its shard.
int64_t byteInShard(const PlacedLayout &placement, const Position &position, hw::DataFormat format);

} // namespace ttjit::layouts

#endif // TTJIT_IR_LAYOUTS_POSITION_H
