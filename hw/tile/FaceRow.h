//===- FaceRow.h - one row of one face in registers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// FaceRow: one row of one face while a product accumulates. Clang unrolls short loops
// before it looks for vectors, so it gets a vector type where the target has a fused
// multiply-add; elsewhere a FaceRow is an array and loops compute on it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FACEROW_H
#define TTJIT_HW_TILE_FACEROW_H

#include "hw/tile/Fma.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

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

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_FACEROW_H
