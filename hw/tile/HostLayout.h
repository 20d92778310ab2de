//===- HostLayout.h - converts host arrays to tiles and back --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Stores host arrays (numpy's, row-major) into tile pages and loads them back. One call
// moves one tile. To reach the speed of memory, call it for the tiles of a row from
// left to right.
//
// Array and page usually have the same format, which may be any except a block float:
// the bits are moved unchanged. If they differ, both must be formats of tile arithmetic
// (TileKernels::format), and values are converted as by unpack and pack.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_HOSTLAYOUT_H
#define TTJIT_HW_TILE_HOSTLAYOUT_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/TileShape.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ttjit::hw {

/// A row-major matrix in host memory, which the struct does not own. `rowStride` is in
/// elements.
struct HostMatrix {
  void *data = nullptr;
  DataFormat format = DataFormat::Float32;
  int64_t rows = 0, columns = 0;
  int64_t rowStride = 0;
};

/// Whether arrays of format `host` can be stored into tiles of format `page` and loaded
/// back.
bool canLayOut(DataFormat host, DataFormat page);

/// Stores tile (tileRow, tileColumn) of the matrix into the page. The indices count
/// tiles. Elements past the matrix's edges become zero. The page is tileBytes(format)
/// long.
void storeTile(const HostMatrix &from, int64_t tileRow, int64_t tileColumn, DataFormat format,
               std::byte *page);

/// Loads a page into tile (tileRow, tileColumn) of the matrix. Elements past the
/// matrix's edges are dropped.
void loadTile(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, DataFormat format,
              const std::byte *page);

/// How the elements of a tensor are split into pages: one page per 32x32 tile,
/// row-major over the tiles, or one page per row. Rows and columns are the two
/// innermost dimensions; the outer dimensions together count matrices. A tensor of rank
/// 1 is one row, of rank 0 one element.
struct PageLayout {
  PageLayout(std::span<const int64_t> shape, bool tiled) : tiled(tiled) {
    size_t rank = shape.size();
    columns = rank >= 1 ? shape[rank - 1] : 1;
    rows = rank >= 2 ? shape[rank - 2] : 1;
    for (size_t i = 0; i + 2 < rank; ++i)
      matrices *= shape[i];
  }

  int64_t tileRows() const { return (rows + kTileDim - 1) / kTileDim; }
  int64_t tileColumns() const { return (columns + kTileDim - 1) / kTileDim; }
  int64_t numElements() const { return matrices * rows * columns; }
  int64_t numPages() const {
    return tiled ? matrices * tileRows() * tileColumns() : matrices * rows;
  }
  int64_t pageBytes(DataFormat format) const {
    return tiled ? tileBytes(format, kTileDim, kTileDim) : rowBytes(format);
  }
  /// Bytes of one row of a row-major array; `format` must not be a block float.
  int64_t rowBytes(DataFormat format) const { return columns * (datumBits(format) / 8); }

  /// Visits the pages of a row-major array of `format` at `data` in order. Calls
  /// tile(HostMatrix, tile row, tile column, page) or row(first element, page) for
  /// each.
  template <typename TileFn, typename RowFn>
  void forEachPage(std::byte *data, DataFormat format, TileFn tile, RowFn row) const {
    uint32_t page = 0;
    if (!tiled) {
      for (int64_t i = 0; i < matrices * rows; ++i)
        row(data + i * rowBytes(format), page++);
      return;
    }
    for (int64_t m = 0; m < matrices; ++m) {
      HostMatrix matrix{data + m * rows * rowBytes(format), format, rows, columns, columns};
      for (int64_t r = 0; r < tileRows(); ++r)
        for (int64_t c = 0; c < tileColumns(); ++c)
          tile(matrix, r, c, page++);
    }
  }

  int64_t matrices = 1, rows = 1, columns = 1;
  bool tiled = true;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_HOSTLAYOUT_H
