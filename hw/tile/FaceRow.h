//===- FaceRow.h - one row of one face in registers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// FaceRow is one row of a face while a product is summed into it. Compilers keep rows in vector
// registers reliably only if they are vectors in the source. So a FaceRow is one or two vectors
// where the target has a fused multiply-add for them; elsewhere it is an array. The functions of
// immintrin.h are always inlined, so the linker cannot take the code of one level for another
// one.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FACEROW_H
#define TTJIT_HW_TILE_FACEROW_H

#include "hw/tile/Fma.h"
#include "hw/tile/TileShape.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

#if defined(__AVX512F__)

struct FaceRow {
  __m512 all;
};

TTJIT_TILE_INLINE void clearRow(FaceRow &row) { row.all = _mm512_setzero_ps(); }
TTJIT_TILE_INLINE void loadRow(FaceRow &row, const float *from) { row.all = _mm512_loadu_ps(from); }
TTJIT_TILE_INLINE void storeRow(const FaceRow &row, float *to) { _mm512_storeu_ps(to, row.all); }
/// row[c] = fma(a, b[c], row[c])
TTJIT_TILE_INLINE void addProduct(FaceRow &row, float a, const float *b) {
  row.all = _mm512_fmadd_ps(_mm512_set1_ps(a), _mm512_loadu_ps(b), row.all);
}

#elif defined(__AVX2__) && defined(__FMA__)

struct FaceRow {
  __m256 left, right;
};

TTJIT_TILE_INLINE void clearRow(FaceRow &row) { row.left = row.right = _mm256_setzero_ps(); }
TTJIT_TILE_INLINE void loadRow(FaceRow &row, const float *from) {
  row.left = _mm256_loadu_ps(from);
  row.right = _mm256_loadu_ps(from + kFaceDim / 2);
}
TTJIT_TILE_INLINE void storeRow(const FaceRow &row, float *to) {
  _mm256_storeu_ps(to, row.left);
  _mm256_storeu_ps(to + kFaceDim / 2, row.right);
}
/// row[c] = fma(a, b[c], row[c])
TTJIT_TILE_INLINE void addProduct(FaceRow &row, float a, const float *b) {
  __m256 factor = _mm256_set1_ps(a);
  row.left = _mm256_fmadd_ps(factor, _mm256_loadu_ps(b), row.left);
  row.right = _mm256_fmadd_ps(factor, _mm256_loadu_ps(b + kFaceDim / 2), row.right);
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

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_FACEROW_H
