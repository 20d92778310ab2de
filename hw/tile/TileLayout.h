//===- TileLayout.h - rows of a host array to tiles and back --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inline loops that move whole tiles side by side between a row-major array and pages that follow
// each other. A row of the array is one range over all tiles. Each store fills a whole cache line
// if rows are long enough: the pages of many cores exceed the host's caches, and a line that is
// stored in pieces takes twice the time.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILELAYOUT_H
#define TTJIT_HW_TILE_TILELAYOUT_H

#include "hw/tile/Target.h"
#include "hw/tile/TileShape.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

/// Compilers split these vectors if the host's registers are shorter.
using Bytes32 = uint8_t __attribute__((vector_size(32)));
using Bytes64 = uint8_t __attribute__((vector_size(64)));

/// Copies 32 bytes from each of two places to 64 bytes.
template <int... I>
TTJIT_TILE_INLINE void joinHalves(const std::byte *first, const std::byte *second, std::byte *to,
                                  std::integer_sequence<int, I...>) {
  Bytes32 a, b;
  __builtin_memcpy(&a, first, sizeof a);
  __builtin_memcpy(&b, second, sizeof b);
  Bytes64 line = __builtin_shufflevector(a, b, I...);
  __builtin_memcpy(to, &line, sizeof line);
}

/// Copies two rows of faces, of `Bytes` bytes each, to `to`, one after the other.
template <int Bytes>
TTJIT_TILE_INLINE void copyRows(const std::byte *first, const std::byte *second, std::byte *to) {
  if constexpr (Bytes == sizeof(Bytes32)) {
    joinHalves(first, second, to, std::make_integer_sequence<int, 2 * Bytes>());
  } else {
    __builtin_memcpy(to, first, Bytes);
    __builtin_memcpy(to + Bytes, second, Bytes);
  }
}

/// Stores `count` tiles of data of type T into pages. `stride`: bytes between rows of the array.
template <typename T>
TTJIT_TILE_INLINE void storeTiles(const std::byte *array, int64_t stride, int64_t count,
                                  std::byte *pages) {
  constexpr int kRow = kFaceDim * sizeof(T);
  for (int row = 0; row < kTileDim; row += 2)
    for (int64_t tile = 0; tile < count; ++tile) {
      std::byte *page = pages + tile * kTileElements * int64_t(sizeof(T));
      for (int face = 0; face < 2; ++face) {
        const std::byte *from = array + row * stride + (tile * 2 + face) * kRow;
        copyRows<kRow>(from, from + stride, page + faceRowIndex(row, face) * sizeof(T));
      }
    }
}

/// Loads `count` pages into tiles of the array.
template <typename T>
TTJIT_TILE_INLINE void loadTiles(std::byte *array, int64_t stride, int64_t count,
                                 const std::byte *pages) {
  constexpr int kRow = kFaceDim * sizeof(T);
  for (int row = 0; row < kTileDim; ++row)
    for (int64_t tile = 0; tile < count; ++tile) {
      const std::byte *page = pages + tile * kTileElements * int64_t(sizeof(T));
      const std::byte *left = page + faceRowIndex(row, 0) * sizeof(T);
      copyRows<kRow>(left, left + kFaceElements * sizeof(T),
                     array + row * stride + tile * 2 * kRow);
    }
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_TILELAYOUT_H
