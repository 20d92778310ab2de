//===- HostTiles.h - a host array that is read and written by tiles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pages of a tensor in tile layout whose elements stay in a row-major array on the host. A page
// exists only while it is copied: a read lays out the elements of its tile, a write puts them back.
// So a launch needs no memory for the pages, and does not convert the whole tensor before and after
// it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_HOSTTILES_H
#define TTJIT_HW_TILE_HOSTTILES_H

#include "hw/tile/HostLayout.h"

namespace ttjit::hw {

class HostTiles {
public:
  /// `layout` must be tiled, and `format` no block float. The caller owns the array.
  HostTiles(std::byte *array, DataFormat format, const PageLayout &layout);

  /// Copies `bytes` bytes from byte `offset` of a page on; after its last byte, the next page
  /// follows. The pages must exist. Their padding reads as zero.
  void read(uint32_t page, uint32_t offset, uint32_t bytes, std::byte *to) const;
  /// Copies the bytes to the array. Bytes of the padding are dropped.
  void write(uint32_t page, uint32_t offset, uint32_t bytes, const std::byte *from) const;

private:
  struct Place {
    HostMatrix matrix;
    int64_t tileRow, tileColumn;
  };
  Place placeOf(uint32_t page) const;
  template <typename Whole, typename Part>
  void forEachPiece(uint32_t page, uint32_t offset, uint32_t bytes, Whole whole, Part part) const;

  std::byte *array;
  DataFormat format;
  PageLayout layout;
  uint32_t pageBytes, tileRows, tileColumns;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_TILE_HOSTTILES_H
