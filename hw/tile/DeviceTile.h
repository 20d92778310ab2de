//===- DeviceTile.h - tiles on the matrix engine and in the packer --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The order in which the card computes the elements of a tile; Fpu.h has the arithmetic. Tiles are
// 1024 floats in face order. Operands of the matrix engine are what its source registers hold
// (hw/tile/DeviceFormats.h). Phases come in the order of LLK, the card's library: each passes over
// the whole product, and DST rounds after each.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICETILE_H
#define TTJIT_HW_TILE_DEVICETILE_H

#include "hw/tile/DeviceFormats.h"
#include "hw/tile/Fpu.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

TTJIT_TILE_INLINE IntRow loadRow(const float *from) {
  IntRow row;
  __builtin_memcpy(&row, from, sizeof row);
  return row;
}
TTJIT_TILE_INLINE void storeRow(IntRow row, float *to) { __builtin_memcpy(to, &row, sizeof row); }

inline constexpr int kRows = kTileElements / kFaceDim;

/// If its operands are fp16, the matrix engine computes with exponents of 5 bits. fields() converts
/// bits of floats to such exponents, floats() converts back. An fp32 DST has exponents of floats.
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I fields(I bits) {
  if constexpr (mode.wideExponents)
    return bits;
  return exponentOf(bits) <= kFp16Bias ? all<I>(0) : bits - (kFp16Bias << 23);
}
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I fieldsOfDst(I bits) {
  return mode.dst32 ? bits : fields<mode>(bits);
}
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I floatsOfDst(I bits) {
  if constexpr (mode.wideExponents || mode.dst32)
    return bits;
  return exponentOf(bits) == 0 ? all<I>(0) : bits + (kFp16Bias << 23);
}

//===--------------------------------------------------------------------------===//
// Element by element
//===--------------------------------------------------------------------------===//

/// The operations that the matrix engine computes element by element.
enum class MatrixOp { Add, Sub, Mul };

/// out = a op b; products are added to `out` unless it is fresh. `a` is in SrcA.
template <FpuMode mode, MatrixOp op>
TTJIT_TILE_NOINLINE static void elementwise(const float *a, const float *b, float *out,
                                            bool isFresh, int phases) {
  for (int row = 0; row < kRows; ++row) {
    IntRow left = fields<mode>(loadRow(a + row * kFaceDim)), sum{};
    IntRow right = fields<mode>(loadRow(b + row * kFaceDim));
    if constexpr (op == MatrixOp::Add) {
      sum = addSum<mode, IntRow>(left, right, sum);
    } else if constexpr (op == MatrixOp::Sub) {
      sum = addDifference<mode, IntRow>(left, right, sum);
    } else {
      sum = isFresh ? sum : fieldsOfDst<mode>(loadRow(out + row * kFaceDim));
      for (int phase = 0; phase < phases; ++phase)
        sum = addProduct<mode, IntRow>(left, right, sum, phase);
    }
    storeRow(floatsOfDst<mode>(sum), out + row * kFaceDim);
  }
}

//===--------------------------------------------------------------------------===//
// Factors of sums of products
//===--------------------------------------------------------------------------===//

/// The factors of the 16 rows of a face, in one phase.
struct FaceFactors {
  Factor<IntRow> rows[kFaceDim];
};
/// The factors of 16 values, each of which is the same in a whole row.
struct ValueFactors {
  Factor<int32_t> values[kFaceDim];

  TTJIT_TILE_INLINE Factor<IntRow> operator()(int i) const {
    return {all<IntRow>(values[i].exponent), all<IntRow>(values[i].magnitude),
            all<IntRow>(values[i].sign)};
  }
};

template <FpuMode mode>
TTJIT_TILE_INLINE void loadFactors(const float *face, int phase, FaceFactors &factors) {
  for (int i = 0; i < kFaceDim; ++i)
    factors.rows[i] = factorA(fields<mode>(loadRow(face + i * kFaceDim)), phase);
}
template <FpuMode mode>
TTJIT_TILE_INLINE void loadFactors(const float *row, int phase, ValueFactors &factors) {
  IntRow bits = fields<mode>(loadRow(row));
  for (int i = 0; i < kFaceDim; ++i)
    factors.values[i] = factorB<int32_t>(bits[i], phase);
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

/// Exchanges the rows and columns of a face, as the unpacker does.
TTJIT_TILE_INLINE void transposeFace(const float *face, float *out) {
  for (int r = 0; r < kFaceDim; ++r)
    for (int c = 0; c < kFaceDim; ++c)
      out[c * kFaceDim + r] = face[r * kFaceDim + c];
}

/// Returns what a source register holds after a move of fp32 values from DST.
template <FpuMode mode> TTJIT_TILE_INLINE IntRow movedToSource(IntRow row, bool isTf32) {
  if constexpr (mode.dst32 && !mode.wideExponents)
    return truncatedToFp16(row);
  else if constexpr (mode.dst32)
    return isTf32 ? truncatedToTf32(row) : row & ~0xffff;
  return row;
}

/// A step of a reduction. For a sum, it adds the sums of the columns of a face to `acc` (GAPOOL),
/// with each element times that of `scaling` in its row. For a maximum, it takes theirs (GMPOOL).
template <FpuMode mode> struct Pooling {
  bool isMax;
  bool isTf32; ///< SrcA holds TF32
  int phases;
  const float *scaling;

  TTJIT_TILE_INLINE IntRow start() const { return isMax ? all<IntRow>(kLowest) : IntRow{}; }

  TTJIT_TILE_INLINE IntRow operator()(const float *face, IntRow acc) const {
    return isMax ? maxima(face, acc) : sums(face, acc);
  }
  TTJIT_TILE_INLINE IntRow sums(const float *face, IntRow dst) const {
    IntRow acc = fieldsOfDst<mode>(dst);
    for (int phase = 0; phase < phases; ++phase) {
      FaceFactors columns;
      ValueFactors factors;
      loadFactors<mode>(face, phase, columns);
      loadFactors<mode>(scaling, phase, factors);
      acc = addDot16<mode, IntRow>([&](int i) { return columns.rows[i]; }, factors, acc, phase);
    }
    return floatsOfDst<mode>(acc);
  }
  TTJIT_TILE_INLINE IntRow maxima(const float *face, IntRow acc) const {
    if constexpr (mode.dst32)
      acc = truncatedToTf32(acc);
    for (int i = 0; i < kFaceDim; ++i)
      acc = pooledMax(acc, flushed(loadRow(face + i * kFaceDim)));
    return acc;
  }
};

/// Reduces each row r of a tile to results[r], which is stored in column 0. The results pass
/// through a source register.
template <FpuMode mode>
TTJIT_TILE_NOINLINE static void reduceRows(const Pooling<mode> &pool, const float *tile,
                                           float *results, bool isFresh) {
  for (int half = 0; half < 2; ++half) {
    float *out = results + half * kFaceDim, face[kFaceElements];
    IntRow acc = isFresh ? pool.start() : loadRow(out);
    for (int column = 0; column < 2; ++column) {
      transposeFace(tile + faceRowIndex(half * kFaceDim, column), face);
      acc = pool(face, acc);
    }
    acc = movedToSource<mode>(acc, pool.isTf32);
    IntRow sum = addSum<mode, IntRow>(IntRow{}, fields<mode>(acc), IntRow{});
    storeRow(floatsOfDst<mode>(sum), out);
  }
}

/// Reduces each column c to results[c].
template <FpuMode mode>
TTJIT_TILE_NOINLINE static void reduceColumns(const Pooling<mode> &pool, const float *tile,
                                              float *results, bool isFresh) {
  for (int column = 0; column < 2; ++column) {
    float *out = results + column * kFaceDim;
    IntRow acc = isFresh ? pool.start() : loadRow(out);
    for (int half = 0; half < 2; ++half)
      acc = pool(tile + faceRowIndex(half * kFaceDim, column), acc);
    storeRow(acc, out);
  }
}

/// Reduces the tile to results[0]: first the columns of all faces to one row, then this row, which
/// passes through source registers. A sum is scaled in both steps.
template <FpuMode mode>
TTJIT_TILE_NOINLINE static void reduceTile(const Pooling<mode> &pool, const float *tile,
                                           float *results, bool isFresh) {
  IntRow row = pool.start();
  for (int face = 0; face < 4; ++face)
    row = pool(tile + face * kFaceElements, row);
  row = movedToSource<mode>(row, pool.isTf32);
  float column[kFaceElements] = {};
  for (int i = 0; i < kFaceDim; ++i)
    column[i * kFaceDim] = floatOf(static_cast<uint32_t>(row[i]));
  IntRow acc = pool.start();
  if (!isFresh)
    acc[0] = static_cast<int32_t>(bitsOf(results[0]));
  results[0] = floatOf(static_cast<uint32_t>(pool(column, acc)[0]));
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_DEVICETILE_H
