//===- TileLoops.h - the loops over a tile --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inline loops around the lane functions, written to be vectorised. The kernels of
// every instruction set level and the JIT's bitcode include this header. It depends
// only on hw/facts and compiler builtins. Tiles are 1024 floats in face order. The
// parameter `Numerics` is a numeric policy (hw/tile/HostNumerics.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILELOOPS_H
#define TTJIT_HW_TILE_TILELOOPS_H

#include "hw/tile/FaceRow.h"
#include "hw/tile/Lanes.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

template <typename Numerics, float (*Lane)(float)> TTJIT_TILE_INLINE void unary(float *dst) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = Numerics::template apply<Lane>(dst[i]);
}

/// Any two of the tiles must be the same tile or not overlap.
template <typename Numerics, float (*Lane)(float, float)>
TTJIT_TILE_INLINE void binary(const float *a, const float *b, float *out) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    out[i] = Numerics::template apply<Lane>(a[i], b[i]);
}

/// Applies a lane function whose parameters are the same for all elements.
template <typename Numerics, auto Lane, typename... Numbers>
TTJIT_TILE_INLINE void unaryWith(float *dst, Numbers... numbers) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = Numerics::template apply<Lane>(dst[i], numbers...);
}

template <typename Numerics, float (*Lane)(float, float, float)>
TTJIT_TILE_INLINE void ternary(const float *a, const float *b, const float *c, float *out) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    out[i] = Numerics::template apply<Lane>(a[i], b[i], c[i]);
}

template <typename Numerics> TTJIT_TILE_INLINE void fill(float *dst, float value) {
  float stored = Numerics::dstValue(value);
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = stored;
}

/// Copies the bits of a DST tile.
TTJIT_TILE_INLINE void copy(const float *from, float *to) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    to[i] = from[i];
}

/// acc += a * b on the matrix engine, element by element; acc overlaps neither a nor b.
template <typename Numerics>
TTJIT_TILE_INLINE void multiplyAdd(const float *a, const float *b, float *acc) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    acc[i] = Numerics::multiplyAdd(a[i], b[i], acc[i]);
}

/// Computes `Rows` rows of the product, all 16 columns of one face. The sums stay in
/// registers over the whole k. `a` points at the first of these rows in its left face,
/// `acc` at it in the face that is computed, `b` at the first row of that column face.
template <typename Numerics, int Rows>
TTJIT_TILE_INLINE void matmulRows(const float *a, const float *b, float *acc, bool accIsZero) {
  FaceRow sum[Rows];
  for (int r = 0; r < Rows; ++r)
    if (accIsZero)
      clearRow(sum[r]);
    else
      loadRow(sum[r], acc + r * kFaceDim);
  for (int phase = 0; phase < Numerics::kPhases; ++phase)
    Numerics::template addProducts<Rows>(sum, a, b, phase);
  for (int r = 0; r < Rows; ++r)
    storeRow(sum[r], acc + r * kFaceDim);
}

/// acc += a @ b, from +0 if `accIsZero`. acc overlaps neither operand.
template <typename Numerics, int Rows>
TTJIT_TILE_INLINE void matmul(const float *a, const float *b, float *acc, bool accIsZero) {
  for (int row = 0; row < kTileDim; row += Rows)
    for (int face = 0; face < 2; ++face)
      matmulRows<Numerics, Rows>(a + faceRowIndex(row, 0), b + faceRowIndex(0, face),
                                 acc + faceRowIndex(row, face), accIsZero);
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

#endif // TTJIT_HW_TILE_TILELOOPS_H
