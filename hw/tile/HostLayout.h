//===- HostLayout.h - row-major host arrays to tiles and back -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Placing host arrays (numpy's, row-major) into tile pages and reading them
// back. One call moves one tile; going through a tile row from left to right is
// what runs at memory speed.
//
// Array and page usually have the same format, any but the block floats: bits
// are moved as they are. Otherwise both must be formats of tile arithmetic
// (TileKernels::format); values are converted as by unpack and pack.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_HOSTLAYOUT_H
#define TTJIT_HW_TILE_HOSTLAYOUT_H

#include "hw/facts/DataFormat.h"

#include <cstddef>
#include <cstdint>

namespace ttjit::hw {

/// A row-major matrix in host memory, not owned. `rowStride` in elements.
struct HostMatrix {
  void *data = nullptr;
  DataFormat format = DataFormat::Float32;
  int64_t rows = 0, columns = 0;
  int64_t rowStride = 0;
};

/// Whether tiles of `page` can be filled from and read into arrays of `host`.
bool canLayOut(DataFormat host, DataFormat page);

/// Page = tile (tileRow, tileColumn) of the matrix, counted in tiles. Elements
/// past the matrix's edges become zero. The page is tileBytes(format) long.
void storeTile(const HostMatrix &from, int64_t tileRow, int64_t tileColumn, DataFormat format,
               std::byte *page);

/// The reverse; elements past the matrix's edges are dropped.
void loadTile(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, DataFormat format,
              const std::byte *page);

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_HOSTLAYOUT_H
