//===- HostTiles.cpp - a host array that is read and written by tiles ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostTiles.h"

#include "hw/facts/Assert.h"

#include <algorithm>
#include <cstring>

using namespace ttjit::hw;

HostTiles::HostTiles(std::byte *array, DataFormat format, const PageLayout &layout)
    : array(array), format(format), layout(layout),
      pageBytes(static_cast<uint32_t>(layout.pageBytes(format))),
      tileRows(static_cast<uint32_t>(layout.tileRows())),
      tileColumns(static_cast<uint32_t>(layout.tileColumns())) {
  TTJIT_ASSERT(layout.tiled && !isBlockFloat(format), "the array has no tiles of its own format");
}

HostTiles::Place HostTiles::placeOf(uint32_t page) const {
  uint32_t row = page / tileColumns;
  int64_t matrix = row / tileRows;
  std::byte *start = array + matrix * layout.rows * layout.rowBytes(format);
  return {{start, format, layout.rows, layout.columns, layout.columns},
          row % tileRows,
          page % tileColumns};
}

// Calls `whole(place, number of pages, first byte)` for whole pages side by side, and
// `part(place, first byte of the page, number of bytes, first byte)` for parts of pages.
template <typename Whole, typename Part>
void HostTiles::forEachPiece(uint32_t page, uint32_t offset, uint32_t bytes, Whole whole,
                             Part part) const {
  for (uint32_t done = 0; done < bytes;) {
    Place place = placeOf(page);
    uint32_t pages = std::min((bytes - done) / pageBytes, tileColumns - uint32_t(place.tileColumn));
    if (offset == 0 && pages > 0) {
      whole(place, pages, done);
      done += pages * pageBytes;
      page += pages;
      continue;
    }
    uint32_t piece = std::min(pageBytes - offset, bytes - done);
    part(place, offset, piece, done);
    done += piece;
    offset = 0;
    ++page;
  }
}

namespace {
using Page = std::byte[tileBytes(DataFormat::Float32)];
} // namespace

void HostTiles::read(uint32_t page, uint32_t offset, uint32_t bytes, std::byte *to) const {
  forEachPiece(
      page, offset, bytes,
      [&](const Place &place, uint32_t pages, uint32_t done) {
        storeTiles(place.matrix, place.tileRow, place.tileColumn, pages, to + done);
      },
      [&](const Place &place, uint32_t first, uint32_t piece, uint32_t done) {
        alignas(64) Page whole;
        storeTile(place.matrix, place.tileRow, place.tileColumn, format, whole);
        std::memcpy(to + done, whole + first, piece);
      });
}

void HostTiles::write(uint32_t page, uint32_t offset, uint32_t bytes, const std::byte *from) const {
  forEachPiece(
      page, offset, bytes,
      [&](const Place &place, uint32_t pages, uint32_t done) {
        loadTiles(place.matrix, place.tileRow, place.tileColumn, pages, from + done);
      },
      [&](const Place &place, uint32_t first, uint32_t piece, uint32_t done) {
        alignas(64) Page whole;
        storeTile(place.matrix, place.tileRow, place.tileColumn, format, whole);
        std::memcpy(whole + first, from + done, piece);
        loadTile(place.matrix, place.tileRow, place.tileColumn, format, whole);
      });
}
