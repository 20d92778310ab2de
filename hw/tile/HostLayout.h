//===- HostLayout.h - converts host arrays to tiles and back --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Stores host arrays (numpy's, row-major) into tile pages and loads them back. One call
// moves one tile. To reach the speed of memory, call it for the tiles of a row from
// left to right.
//
// Array and page usually have the same format, which may be any except a block float:
// the bits are moved unchanged. If they differ, both must be float formats of tile
// arithmetic (TileKernels::format), and values are converted as by unpack and pack. An
// array for tiles of a block float is Float32.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_HOSTLAYOUT_H
#define TTJIT_HW_TILE_HOSTLAYOUT_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/TileShape.h"

#include <algorithm>
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

/// Returns whether arrays of format `host` can be stored into tiles of format `page` and loaded
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

/// Do what `count` calls of storeTile or loadTile would do for tiles side by side whose pages
/// follow each other. The pages have the matrix's own format.
void storeTiles(const HostMatrix &from, int64_t tileRow, int64_t tileColumn, int64_t count,
                std::byte *pages);
void loadTiles(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, int64_t count,
               const std::byte *pages);

/// How the elements of a tensor are split into pages: one page per 32x32 tile, row-major over the
/// tiles; or one page per row; or one page per `piece` elements of a row. Rows and columns are the
/// two innermost dimensions; `matrices` is the product of the outer ones. A tensor of rank 1 is one
/// row, of rank 0 one element.
struct PageLayout {
  /// If `piece` is 0, pages of a row-major tensor are whole rows.
  PageLayout(std::span<const int64_t> shape, bool tiled, int64_t piece = 0) : tiled(tiled) {
    size_t rank = shape.size();
    columns = rank >= 1 ? shape[rank - 1] : 1;
    rows = rank >= 2 ? shape[rank - 2] : 1;
    for (size_t i = 0; i + 2 < rank; ++i)
      matrices *= shape[i];
    this->piece = piece ? piece : columns;
  }

  int64_t tileRows() const { return (rows + kTileDim - 1) / kTileDim; }
  int64_t tileColumns() const { return (columns + kTileDim - 1) / kTileDim; }
  int64_t numElements() const { return matrices * rows * columns; }
  /// The number of rows (columns) of pages; pages are numbered row-major over them.
  int64_t pageRows() const { return matrices * (tiled ? tileRows() : rows); }
  int64_t pageColumns() const { return tiled ? tileColumns() : (columns + piece - 1) / piece; }
  int64_t numPages() const { return pageRows() * pageColumns(); }
  int64_t pageBytes(DataFormat format) const {
    return tiled ? tileBytes(format, kTileDim, kTileDim) : piece * bytesOf(format);
  }
  /// Returns whether the pages, in their order, are a row-major array of their format.
  bool isRowMajorArray() const { return !tiled && columns % piece == 0; }
  /// Returns whether some tiles have more elements than the tensor has for them.
  bool hasPadding() const { return tiled && (rows % kTileDim != 0 || columns % kTileDim != 0); }
  /// Bytes of one row of a row-major array; `format` must not be a block float.
  int64_t rowBytes(DataFormat format) const { return columns * bytesOf(format); }

  /// Visits the pages of a row-major array of `format` at `data` in order. Calls
  /// tile(HostMatrix, tile row, tile column, page) or
  /// row(first element, number of elements, page) for each.
  template <typename TileFn, typename RowFn>
  void forEachPage(std::byte *data, DataFormat format, TileFn tile, RowFn row) const {
    uint32_t page = 0;
    if (!tiled) {
      for (int64_t i = 0; i < matrices * rows; ++i)
        for (int64_t c = 0; c < columns; c += piece)
          row(data + i * rowBytes(format) + c * bytesOf(format), std::min(piece, columns - c),
              page++);
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
  int64_t piece = 1; ///< elements of a page of a row-major tensor; its rows may end earlier
  bool tiled = true;

private:
  static int64_t bytesOf(DataFormat format) { return datumBits(format) / 8; }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_HOSTLAYOUT_H
