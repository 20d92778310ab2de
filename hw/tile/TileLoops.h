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

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_TILELOOPS_H
