//===- TileReduce.h - reductions, broadcasts, transposes of a tile --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inline reductions and broadcasts of tiles, for the kernels of every instruction set level and the
// JIT's bitcode. A reduction folds halves: it combines x[i] with x[i + 16], then at distance 8, 4,
// 2, 1, the innermost dimension first. Its results are in column 0 (reduction over the innermost
// dimension), row 0 (over the other) or element (0, 0) (both). Broadcasts read the elements at the
// same places.

#ifndef TTJIT_HW_TILE_TILEREDUCE_H
#define TTJIT_HW_TILE_TILEREDUCE_H

#include "hw/facts/TileDims.h"
#include "hw/tile/Lanes.h"
#include "hw/tile/TileShape.h"

#include <utility>

namespace ttjit::hw::inline TTJIT_TILE_ISA::loops {

/// The operations of a sum: one combines two values of a tile, the other a tile's result with the
/// accumulator.
struct SumPool {
  static constexpr float kStart = 0.0f;
  TTJIT_TILE_INLINE static float fold(float a, float b) { return lane::add(a, b); }
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return lane::fma(tile, scaling, acc);
  }
};
struct MaxPool {
  static constexpr float kStart = -__builtin_inff();
  TTJIT_TILE_INLINE static float fold(float a, float b) { return lane::max(a, b); }
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return lane::max(acc, tile * scaling);
  }
};

/// The same operations on integers, whose bits are in the floats (hw/tile/LaneInt.h).
struct SumIntPool {
  static constexpr float kStart = 0.0f;
  TTJIT_TILE_INLINE static float fold(float a, float b) { return lane::add_int(a, b); }
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return lane::add_int(acc, lane::mul_int(tile, scaling));
  }
};
struct MaxInt32Pool {
  static constexpr float kStart = -0.0f; ///< the bits of the smallest int32
  TTJIT_TILE_INLINE static float fold(float a, float b) { return lane::max_int32(a, b); }
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return lane::max_int32(acc, lane::mul_int(tile, scaling));
  }
};
struct MaxUInt32Pool {
  static constexpr float kStart = 0.0f;
  TTJIT_TILE_INLINE static float fold(float a, float b) { return lane::max_uint32(a, b); }
  TTJIT_TILE_INLINE static float combine(float acc, float tile, float scaling) {
    return lane::max_uint32(acc, lane::mul_int(tile, scaling));
  }
};

/// Folds all `Count` values into values[0], and overwrites the others.
template <typename Numerics, typename PoolT, int Count>
TTJIT_TILE_INLINE void foldHalves(float *values) {
  for (int half = Count / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      values[i] = Numerics::template fold<PoolT>(values[i], values[i + half]);
}

/// 16 values. Compilers split the vector if the host's registers are shorter.
using Row16 = float __attribute__((vector_size(64)));

/// Returns the index, in the 32 values of two vectors, of value `i` of 16: the lower (Upper = 0) or
/// upper (1) halves of all groups of 2 * `Half` values, those of the first vector first.
template <int Half, int Upper> constexpr int halfOfGroup(int i) {
  int vector = i / 8, value = i % 8;
  return vector * 16 + value / Half * 2 * Half + value % Half + Upper * Half;
}

template <int Half, int Upper, int... I>
TTJIT_TILE_INLINE void takeHalves(const float *first, const float *second, float *taken,
                                  std::integer_sequence<int, I...>) {
  Row16 a, b;
  __builtin_memcpy(&a, first, sizeof a);
  __builtin_memcpy(&b, second, sizeof b);
  Row16 result = __builtin_shufflevector(a, b, halfOfGroup<Half, Upper>(I)...);
  __builtin_memcpy(taken, &result, sizeof result);
}

/// Each 16 values are groups of 2 * `Half` values, one for each of 8 / `Half` rows of a tile. Folds
/// each group, half with half. Then 16 values hold twice as many rows, in their order.
template <typename Numerics, typename PoolT, int Half>
TTJIT_TILE_INLINE void foldGroups(const float *wide, float *narrow) {
  constexpr int kCount = kTileDim * Half;
  float lower[kCount], upper[kCount];
  std::make_integer_sequence<int, 16> lanes;
  for (int i = 0; i < kCount; i += 16) {
    takeHalves<Half, 0>(wide + 2 * i, wide + 2 * i + 16, lower + i, lanes);
    takeHalves<Half, 1>(wide + 2 * i, wide + 2 * i + 16, upper + i, lanes);
  }
  for (int i = 0; i < kCount; ++i)
    narrow[i] = Numerics::template fold<PoolT>(lower[i], upper[i]);
}

/// Prefetches the 16 elements of a row of a face in the tile that is read next.
TTJIT_TILE_INLINE void prefetchFaceRow(const float *ahead, int index) {
  __builtin_prefetch(ahead + index);
}

/// Folds row r of the tile over its columns into rows[r], all rows at once: when rows have become
/// shorter than a vector, vectors hold several. `ahead`: the tile to prefetch.
template <typename Numerics, typename PoolT>
TTJIT_TILE_INLINE void foldRows(const float *tile, const float *ahead, float *rows) {
  float width16[kTileDim * 16], width8[kTileDim * 8], width4[kTileDim * 4], width2[kTileDim * 2];
  for (int row = 0; row < kTileDim; ++row) {
    int left = faceRowIndex(row, 0), right = faceRowIndex(row, 1);
    prefetchFaceRow(ahead, left);
    prefetchFaceRow(ahead, right);
    for (int i = 0; i < kFaceDim; ++i)
      width16[row * kFaceDim + i] = Numerics::template fold<PoolT>(tile[left + i], tile[right + i]);
  }
  foldGroups<Numerics, PoolT, 8>(width16, width8);
  foldGroups<Numerics, PoolT, 4>(width8, width4);
  foldGroups<Numerics, PoolT, 2>(width4, width2);
  foldGroups<Numerics, PoolT, 1>(width2, rows);
}

/// Folds column c of the tile over its rows into columns[c]. `ahead`: the tile to prefetch.
template <typename Numerics, typename PoolT>
TTJIT_TILE_INLINE void foldColumns(const float *tile, const float *ahead, float *columns) {
  for (int face = 0; face < 2; ++face) {
    float values[kFaceElements];
    for (int row = 0; row < kFaceDim; ++row) {
      int top = faceRowIndex(row, face), bottom = faceRowIndex(kFaceDim + row, face);
      prefetchFaceRow(ahead, top);
      prefetchFaceRow(ahead, bottom);
      for (int i = 0; i < kFaceDim; ++i)
        values[row * kFaceDim + i] =
            Numerics::template fold<PoolT>(tile[top + i], tile[bottom + i]);
    }
    for (int half = kFaceElements / 2; half >= kFaceDim; half /= 2)
      for (int i = 0; i < half; ++i)
        values[i] = Numerics::template fold<PoolT>(values[i], values[i + half]);
    for (int c = 0; c < kFaceDim; ++c)
      columns[face * kFaceDim + c] = values[c];
  }
}

/// Reduces the tile over `Dims` and combines the elements of the result with those of `results`,
/// or with the start value if `isFresh`. `ahead` is prefetched.
template <typename Numerics, typename PoolT, TileDims Dims>
TTJIT_TILE_INLINE void reduce(const float *tile, const float *ahead, float scaling, float *results,
                              bool isFresh) {
  const float start = PoolT::kStart;
  float values[kTileDim];
  if constexpr (Dims == TileDims::Col)
    foldColumns<Numerics, PoolT>(tile, ahead, values);
  else
    foldRows<Numerics, PoolT>(tile, ahead, values);
  if constexpr (Dims == TileDims::Scalar)
    foldHalves<Numerics, PoolT, kTileDim>(values);
  for (int i = 0; i < numReduced(Dims); ++i)
    results[i] =
        Numerics::template combine<PoolT>(isFresh ? start : results[i], values[i], scaling);
}

/// Returns the index of the first source element of a broadcast for row `row`'s half in column face
/// `columnFace`. Col copies the 16 elements from it on; Row and Scalar repeat this one.
template <TileDims Dims> constexpr int broadcastIndex(int row, int columnFace) {
  return Dims == TileDims::Row   ? faceRowIndex(row, 0)
         : Dims == TileDims::Col ? faceRowIndex(0, columnFace)
                                 : 0;
}

/// Repeats column 0 along the innermost dimension (Row), row 0 along the other (Col),
/// or element (0, 0) along both. The tiles do not overlap.
template <TileDims Dims> TTJIT_TILE_INLINE void broadcast(const float *tile, float *out) {
  for (int r = 0; r < kTileDim; ++r)
    for (int face = 0; face < 2; ++face) {
      const float *from = tile + broadcastIndex<Dims>(r, face);
      float *to = out + faceRowIndex(r, face);
      for (int c = 0; c < kFaceDim; ++c)
        to[c] = from[Dims == TileDims::Col ? c : 0];
    }
}

/// Transposes the tile: rows become columns. The tiles do not overlap.
TTJIT_TILE_INLINE void transpose(const float *tile, float *out) {
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      out[elementIndex(c, r)] = tile[elementIndex(r, c)];
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::loops

#endif // TTJIT_HW_TILE_TILEREDUCE_H
