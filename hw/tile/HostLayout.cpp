//===- HostLayout.cpp - converts host arrays to tiles and back ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/HostLayout.h"

#include "hw/facts/Assert.h"
#include "hw/tile/TileMath.h"

#include <algorithm>
#include <cstring>

using namespace ttjit::hw;

//===--------------------------------------------------------------------------===//
// Formats are equal: bits are moved
//===--------------------------------------------------------------------------===//

namespace {

// The part of a matrix that one tile covers.
template <typename T> struct Window {
  T *data;
  int64_t rowStride;
  int rows, columns; // rows and columns of the part, 0 to 32

  Window(const HostMatrix &matrix, int64_t tileRow, int64_t tileColumn)
      : data(static_cast<T *>(matrix.data) + tileRow * kTileDim * matrix.rowStride +
             tileColumn * kTileDim),
        rowStride(matrix.rowStride), rows(inside(matrix.rows, tileRow)),
        columns(inside(matrix.columns, tileColumn)) {}

  bool isWhole() const { return rows == kTileDim && columns == kTileDim; }
  T *halfRow(int row, int face) const { return data + row * rowStride + face * kFaceDim; }

private:
  static int inside(int64_t extent, int64_t tile) {
    return static_cast<int>(std::clamp<int64_t>(extent - tile * kTileDim, 0, kTileDim));
  }
};

// Runs `copy(host, page, columns)` for each half row of the window. If the tile lies
// entirely in the matrix, every count is a constant.
template <typename T, typename Page, typename Copy>
void forEachHalfRow(const Window<T> &window, Page *page, Copy copy) {
  if (window.isWhole()) {
    for (int row = 0; row < kTileDim; ++row)
      for (int face = 0; face < 2; ++face)
        copy(window.halfRow(row, face), page + faceRowIndex(row, face), kFaceDim);
    return;
  }
  for (int row = 0; row < window.rows; ++row)
    for (int face = 0; face < 2; ++face)
      copy(window.halfRow(row, face), page + faceRowIndex(row, face),
           std::clamp(window.columns - face * kFaceDim, 0, kFaceDim));
}

// Returns how many tiles from `tileColumn` on lie entirely in the matrix.
int64_t wholeTiles(const HostMatrix &matrix, int64_t tileRow, int64_t tileColumn, int64_t count) {
  bool isWholeRow = (tileRow + 1) * kTileDim <= matrix.rows;
  return isWholeRow ? std::min(count, matrix.columns / kTileDim - tileColumn) : 0;
}

template <typename T>
void storeBits(const HostMatrix &from, int64_t tileRow, int64_t tileColumn, std::byte *bytes) {
  Window<T> window(from, tileRow, tileColumn);
  T *page = reinterpret_cast<T *>(bytes);
  if (!window.isWhole())
    std::memset(page, 0, sizeof(T) * kTileElements);
  forEachHalfRow(window, page, [](const T *host, T *page, int columns) {
    std::memcpy(page, host, sizeof(T) * columns);
  });
}

template <typename T>
void loadBits(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, const std::byte *bytes) {
  Window<T> window(to, tileRow, tileColumn);
  const T *page = reinterpret_cast<const T *>(bytes);
  forEachHalfRow(window, page, [](T *host, const T *page, int columns) {
    std::memcpy(host, page, sizeof(T) * columns);
  });
}

template <typename T>
void storeRow(const HostMatrix &from, int64_t tileRow, int64_t tileColumn, int64_t count,
              std::byte *bytes) {
  int64_t whole = wholeTiles(from, tileRow, tileColumn, count);
  Window<T> first(from, tileRow, tileColumn);
  tileKernels().storeTiles[sizeof(T) / 2](reinterpret_cast<const std::byte *>(first.data),
                                          first.rowStride * int64_t(sizeof(T)), whole, bytes);
  for (int64_t tile = whole; tile < count; ++tile)
    storeBits<T>(from, tileRow, tileColumn + tile, bytes + tile * kTileElements * sizeof(T));
}

template <typename T>
void loadRow(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, int64_t count,
             const std::byte *bytes) {
  int64_t whole = wholeTiles(to, tileRow, tileColumn, count);
  Window<T> first(to, tileRow, tileColumn);
  tileKernels().loadTiles[sizeof(T) / 2](reinterpret_cast<std::byte *>(first.data),
                                         first.rowStride * int64_t(sizeof(T)), whole, bytes);
  for (int64_t tile = whole; tile < count; ++tile)
    loadBits<T>(to, tileRow, tileColumn + tile, bytes + tile * kTileElements * sizeof(T));
}

// Functions that move data of one width between a matrix and pages.
struct Mover {
  int bits;
  void (*store)(const HostMatrix &, int64_t tileRow, int64_t tileColumn, std::byte *page);
  void (*load)(const HostMatrix &, int64_t tileRow, int64_t tileColumn, const std::byte *page);
  void (*storeRow)(const HostMatrix &, int64_t tileRow, int64_t tileColumn, int64_t count,
                   std::byte *pages);
  void (*loadRow)(const HostMatrix &, int64_t tileRow, int64_t tileColumn, int64_t count,
                  const std::byte *pages);
};

template <typename T>
constexpr Mover kMover = {8 * sizeof(T), storeBits<T>, loadBits<T>, storeRow<T>, loadRow<T>};
constexpr Mover kMovers[] = {kMover<uint8_t>, kMover<uint16_t>, kMover<uint32_t>};

// Returns null for a format that host arrays cannot have.
const Mover *findMover(DataFormat format) {
  for (const Mover &mover : kMovers)
    if (mover.bits == datumBits(format) && !isBlockFloat(format))
      return &mover;
  return nullptr;
}

} // namespace

//===--------------------------------------------------------------------------===//
// Formats differ: values are converted tile by tile
//===--------------------------------------------------------------------------===//

static void convertTile(DataFormat fromFormat, const std::byte *from, DataFormat toFormat,
                        std::byte *to) {
  alignas(64) float values[kTileElements];
  const TileKernels &kernels = tileKernels();
  kernels.format(fromFormat)->unpack(from, values);
  kernels.format(toFormat)->pack(values, to);
}

bool ttjit::hw::canLayOut(DataFormat host, DataFormat page) {
  const TileKernels &kernels = tileKernels();
  auto isComputed = [&](DataFormat format) {
    return isFloatFormat(format) && kernels.format(format);
  };
  return findMover(host) && (host == page || (isComputed(host) && isComputed(page)));
}

void ttjit::hw::storeTile(const HostMatrix &from, int64_t tileRow, int64_t tileColumn,
                          DataFormat format, std::byte *page) {
  TTJIT_ASSERT(canLayOut(from.format, format), "the tensor's format has no tile layout");
  const Mover &mover = *findMover(from.format);
  if (from.format == format)
    return mover.store(from, tileRow, tileColumn, page);
  alignas(64) std::byte tile[sizeof(float) * kTileElements];
  mover.store(from, tileRow, tileColumn, tile);
  convertTile(from.format, tile, format, page);
}

void ttjit::hw::loadTile(const HostMatrix &to, int64_t tileRow, int64_t tileColumn,
                         DataFormat format, const std::byte *page) {
  TTJIT_ASSERT(canLayOut(to.format, format), "the tensor's format has no tile layout");
  const Mover &mover = *findMover(to.format);
  if (to.format == format)
    return mover.load(to, tileRow, tileColumn, page);
  alignas(64) std::byte tile[sizeof(float) * kTileElements];
  convertTile(format, page, to.format, tile);
  mover.load(to, tileRow, tileColumn, tile);
}

void ttjit::hw::storeTiles(const HostMatrix &from, int64_t tileRow, int64_t tileColumn,
                           int64_t count, std::byte *pages) {
  findMover(from.format)->storeRow(from, tileRow, tileColumn, count, pages);
}

void ttjit::hw::loadTiles(const HostMatrix &to, int64_t tileRow, int64_t tileColumn, int64_t count,
                          const std::byte *pages) {
  findMover(to.format)->loadRow(to, tileRow, tileColumn, count, pages);
}
