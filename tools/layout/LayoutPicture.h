//===- LayoutPicture.h - the content of pictures of a layout --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The last two dimensions of the physical shape as cells, with the borders of the cores.
// A cell is a tile, or a shard if the tiles are too many to see.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_LAYOUT_LAYOUTPICTURE_H
#define TTJIT_TOOLS_LAYOUT_LAYOUTPICTURE_H

#include "tools/layout/LayoutRequest.h"

namespace ttjit::layout {

/// How much of a cell is the tensor's data.
enum class Fill { Data, Some, Padding };

/// Rows or columns of the picture.
struct PictureAxis {
  std::vector<double> data; ///< the share of each cell that is not padding
  int64_t perCore = 1;      ///< cells of a core
  int64_t marked = 0;       ///< the cell of the element
  double inCell = 0;        ///< where the element is in the cell, from 0 to 1
};

struct LayoutPicture {
  PictureAxis rows, columns;
  bool cellsAreShards = false;
  layouts::Shape slice;      ///< the element's physical index in the dimensions that are not shown
  layouts::Shape sliceCores; ///< the grid's point in these dimensions

  Fill fill(size_t row, size_t column) const;
  bool isMarked(size_t row, size_t column) const {
    return int64_t(row) == rows.marked && int64_t(column) == columns.marked;
  }
  /// Returns the point of the grid whose core has a cell.
  layouts::Shape pointOf(size_t row, size_t column) const;
};

/// Returns nothing if neither the tiles nor the shards fit into this many rows and columns.
std::optional<LayoutPicture> makePicture(const LayoutRequest &request, int64_t mostRows,
                                         int64_t mostColumns);

/// The cores of the device, and which of them have a shard.
struct CorePicture {
  layouts::Shape device;
  std::vector<bool> used; ///< row by row
  std::optional<layouts::Shape> marked;
};
CorePicture makeCorePicture(const LayoutRequest &request);

/// Returns the pictures as text.
std::string pictureText(const LayoutRequest &request);

} // namespace ttjit::layout

#endif // TTJIT_TOOLS_LAYOUT_LAYOUTPICTURE_H
