//===- TileProduct.h - the loops of products of tiles ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A chain of products adds a[0] @ b[0], a[1] @ b[1], ... to one tile. Several rows of that tile are
// computed at a time: as many as the vector registers can hold over the whole chain. This needs no
// copies of tiles: a row of a face is one cache line, and the rows of a column of tiles of b are in
// different cache sets.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILEPRODUCT_H
#define TTJIT_HW_TILE_TILEPRODUCT_H

#include "hw/tile/FaceRow.h"
#include "hw/tile/ProductChain.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

/// A product calls a Fetch at each k, besides adding. This one does nothing.
struct FetchNothing {
  TTJIT_TILE_INLINE void operator()(int) const {}
};
/// Prefetches the next part of memory that a later product reads.
struct FetchPiece {
  const void *piece;
  TTJIT_TILE_INLINE void operator()(int k) const {
    __builtin_prefetch(static_cast<const char *>(piece) + k * (kAheadBytes / kTileDim), 0, 2);
  }
};

/// sum += a @ b for some rows. `a` and `b` are those of HostNumerics::addProducts.
template <typename Numerics, int Rows, int Faces, typename Fetch>
TTJIT_TILE_INLINE void multiplyRows(FaceRow (*sum)[Faces], const float *a, const float *b,
                                    Fetch fetch) {
  for (int phase = 0; phase < Numerics::kPhases; ++phase)
    Numerics::template addProducts<Rows, Faces>(sum, a, b, phase, fetch);
}

/// Computes `Rows` rows from row `row` on, in `Faces` faces from column face `face` on. `step`
/// counts the products of such parts, because each has time to fetch one piece of memory.
template <typename Numerics, int Faces, int Rows>
TTJIT_TILE_INLINE void chainRows(const ProductChain &chain, int row, int face, int &step) {
  FaceRow sum[Rows][Faces];
  for (int r = 0; r < Rows; ++r)
    for (int f = 0; f < Faces; ++f)
      if (chain.from)
        loadRow(sum[r][f], chain.from + faceRowIndex(row + r, face + f));
      else
        clearRow(sum[r][f]);
#pragma GCC unroll 1
  for (int i = 0; i < chain.count; ++i, ++step) {
    const float *a = chain.a[i] + faceRowIndex(row, 0), *b = chain.b[i] + faceRowIndex(0, face);
    if (step < chain.numAhead)
      multiplyRows<Numerics, Rows, Faces>(sum, a, b, FetchPiece{chain.ahead[step]});
    else
      multiplyRows<Numerics, Rows, Faces>(sum, a, b, FetchNothing());
  }
  for (int r = 0; r < Rows; ++r)
    for (int f = 0; f < Faces; ++f)
      storeRow(sum[r][f], chain.out + faceRowIndex(row + r, face + f));
}

/// Computes `Faces` faces. The numbers in `Rows` are the rows computed at a time; their sum is 16.
template <typename Numerics, int Faces, int... Rows>
TTJIT_TILE_INLINE void chainTile(const ProductChain &chain) {
  static_assert((Rows + ...) == kFaceDim);
  int step = 0;
  for (int face = 0; face < 2; face += Faces)
    for (int row = 0; row < kTileDim;)
      ((chainRows<Numerics, Faces, Rows>(chain, row, face, step), row += Rows), ...);
}

/// acc += a @ b for 32-bit integers, which wrap; their bits are in the floats. acc overlaps
/// neither operand.
TTJIT_TILE_INLINE void matmulInt(const float *a, const float *b, float *acc, bool accIsZero) {
  for (int row = 0; row < kTileDim; ++row)
    for (int face = 0; face < 2; ++face) {
      float *out = acc + faceRowIndex(row, face);
      uint32_t sums[kFaceDim];
      for (int c = 0; c < kFaceDim; ++c)
        sums[c] = accIsZero ? 0 : bitsOf(out[c]);
      for (int k = 0; k < kTileDim; ++k) {
        uint32_t factor = bitsOf(a[elementIndex(row, k)]);
        const float *right = b + faceRowIndex(k, face);
        for (int c = 0; c < kFaceDim; ++c)
          sums[c] += factor * bitsOf(right[c]);
      }
      for (int c = 0; c < kFaceDim; ++c)
        out[c] = floatOf(sums[c]);
    }
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_TILEPRODUCT_H
