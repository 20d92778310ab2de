//===- TileLoops.h - the loops over a tile --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inline loops around the lane functions, written to be vectorised. The kernels of
// every instruction set level and the JIT's bitcode include this header. It depends
// only on hw/facts and compiler builtins. Tiles are 1024 floats in face order.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_TILELOOPS_H
#define TTJIT_HW_TILE_TILELOOPS_H

#include "hw/tile/Fma.h"
#include "hw/tile/Lanes.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

template <float (*Lane)(float)> TTJIT_TILE_INLINE void unary(float *dst) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = Lane(dst[i]);
}

/// Any two of the tiles must be the same tile or not overlap.
template <float (*Lane)(float, float)>
TTJIT_TILE_INLINE void binary(const float *a, const float *b, float *out) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    out[i] = Lane(a[i], b[i]);
}

/// Applies a lane function whose parameters are the same for all elements.
template <auto Lane, typename... Numbers>
TTJIT_TILE_INLINE void unaryWith(float *dst, Numbers... numbers) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = Lane(dst[i], numbers...);
}

template <float (*Lane)(float, float, float)>
TTJIT_TILE_INLINE void ternary(const float *a, const float *b, const float *c, float *out) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    out[i] = Lane(a[i], b[i], c[i]);
}

TTJIT_TILE_INLINE void fill(float *dst, float value) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    dst[i] = value;
}

TTJIT_TILE_INLINE void copy(const float *from, float *to) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    to[i] = from[i];
}

/// acc = fma(a, b, acc), element by element; acc overlaps neither a nor b.
TTJIT_TILE_INLINE void multiplyAdd(const float *a, const float *b, float *acc) {
  TTJIT_TILE_INDEPENDENT
  for (int i = 0; i < kTileElements; ++i)
    acc[i] = lane::fma(a[i], b[i], acc[i]);
}

// FaceRow: one row of one face while a product accumulates. Clang unrolls short loops
// before it looks for vectors, so it gets a vector type where the target has a fused
// multiply-add; elsewhere a FaceRow is an array and loops compute on it.
#if defined(__clang__) && TTJIT_TILE_HAS_FMA

typedef float FaceRow __attribute__((ext_vector_type(kFaceDim)));

TTJIT_TILE_INLINE void clearRow(FaceRow &row) { row = 0.0f; }
TTJIT_TILE_INLINE void loadRow(FaceRow &row, const float *from) {
  __builtin_memcpy(&row, from, sizeof(row));
}
TTJIT_TILE_INLINE void storeRow(const FaceRow &row, float *to) {
  __builtin_memcpy(to, &row, sizeof(row));
}
/// row[c] = fma(a, b[c], row[c])
TTJIT_TILE_INLINE void addProduct(FaceRow &row, float a, const float *b) {
  FaceRow right;
  loadRow(right, b);
  row = __builtin_elementwise_fma(FaceRow(a), right, row);
}

#else

typedef float FaceRow[kFaceDim];

TTJIT_TILE_INLINE void clearRow(FaceRow &row) {
  for (int c = 0; c < kFaceDim; ++c)
    row[c] = 0.0f;
}
TTJIT_TILE_INLINE void loadRow(FaceRow &row, const float *from) {
  for (int c = 0; c < kFaceDim; ++c)
    row[c] = from[c];
}
TTJIT_TILE_INLINE void storeRow(const FaceRow &row, float *to) {
  for (int c = 0; c < kFaceDim; ++c)
    to[c] = row[c];
}
/// row[c] = fma(a, b[c], row[c])
TTJIT_TILE_INLINE void addProduct(FaceRow &row, float a, const float *b) {
  for (int c = 0; c < kFaceDim; ++c)
    row[c] = lane::fma(a, b[c], row[c]);
}

#endif

/// Computes `Rows` rows of the product, all 16 columns of one face. The sums stay in
/// registers over the whole k. `a` points at the first of these rows in its left face,
/// `acc` at it in the face that is computed, `b` at the first row of that column face.
template <int Rows>
TTJIT_TILE_INLINE void matmulRows(const float *a, const float *b, float *acc, bool accIsZero) {
  FaceRow sum[Rows];
  for (int r = 0; r < Rows; ++r)
    if (accIsZero)
      clearRow(sum[r]);
    else
      loadRow(sum[r], acc + r * kFaceDim);
  for (int half = 0; half < 2; ++half) {
    const float *rows = a + half * kFaceElements;
    const float *columns = b + half * 2 * kFaceElements;
    // Unrolling k instead of the rows would leave only two chains of fma, and each
    // would wait.
#pragma GCC unroll 1
    for (int k = 0; k < kFaceDim; ++k)
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r)
        addProduct(sum[r], rows[r * kFaceDim + k], columns + k * kFaceDim);
  }
  for (int r = 0; r < Rows; ++r)
    storeRow(sum[r], acc + r * kFaceDim);
}

/// acc += a @ b. Each element is a chain of fma over ascending k that starts from acc,
/// or from +0 if `accIsZero`. acc overlaps neither operand.
template <int Rows>
TTJIT_TILE_INLINE void matmul(const float *a, const float *b, float *acc, bool accIsZero) {
  for (int row = 0; row < kTileDim; row += Rows)
    for (int face = 0; face < 2; ++face)
      matmulRows<Rows>(a + faceRowIndex(row, 0), b + faceRowIndex(0, face),
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
