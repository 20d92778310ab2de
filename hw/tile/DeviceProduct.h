//===- DeviceProduct.h - products of tiles on the matrix engine -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// addProductOfTiles() adds the product of two tiles, phase by phase, with the bits of addDot16()
// (Fpu.h). If the host has a fused multiply-add and all exponents are ordinary, it computes the
// rounded products as floats:
//
// * A group of 8 products is rounded to multiples of 2^e, where e is the largest exponent of the
//   group. A product has at most 12 significant bits, so multiplying it by 1 + 2^-14 moves exactly
//   the halves, and no other value, across a half. One fma then divides by 2^e, rounds to nearest
//   and adds 1.5 * 2^23, after which the low bits of the float are the integer.
// * The largest exponents do not depend on the phase: each phase uses those of the first.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_DEVICEPRODUCT_H
#define TTJIT_HW_TILE_DEVICEPRODUCT_H

#include "hw/tile/DeviceTile.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#define TTJIT_TILE_HAS_WIDE_FMA 1
#endif

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

//===--------------------------------------------------------------------------===//
// Any tiles
//===--------------------------------------------------------------------------===//

/// One phase of acc += a[.][16 * half...] @ b[16 * half...][.]. SrcA holds `b`.
template <FpuMode mode>
TTJIT_TILE_NOINLINE static void addHalfProduct(const float *a, const float *b, float *acc, int half,
                                               int phase) {
  FaceFactors columns[2];
  for (int face = 0; face < 2; ++face)
    loadFactors<mode>(b + faceRowIndex(half * kFaceDim, face), phase, columns[face]);
  for (int row = 0; row < kTileDim; ++row) {
    ValueFactors left;
    loadFactors<mode>(a + faceRowIndex(row, half), phase, left);
    for (int face = 0; face < 2; ++face) {
      float *out = acc + faceRowIndex(row, face);
      auto right = [&](int i) { return columns[face].rows[i]; };
      IntRow dst = fieldsOfDst<mode>(loadRow(out));
      storeRow(floatsOfDst<mode>(addDot16<mode, IntRow>(right, left, dst, phase)), out);
    }
  }
}

//===--------------------------------------------------------------------------===//
// Tiles with ordinary exponents
//===--------------------------------------------------------------------------===//

#ifdef TTJIT_TILE_HAS_WIDE_FMA

#ifdef __AVX512F__
using IntLanes = IntRow;
using FloatLanes = FloatRow;
#else
using IntLanes = HalfIntRow;
using FloatLanes = HalfFloatRow;
#endif
inline constexpr int kLanes = sizeof(IntLanes) / sizeof(int32_t);

TTJIT_TILE_INLINE FloatLanes fusedMultiplyAdd(FloatLanes a, FloatLanes b, FloatLanes c) {
#ifdef __AVX512F__
  return (FloatLanes)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#else
  return (FloatLanes)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#endif
}
TTJIT_TILE_INLINE FloatLanes allLanes(float value) { return FloatLanes{} + value; }

/// An operand as floats: by element, the two parts that phases multiply, with the element's
/// exponent and sign, and the power of two of the exponent. All are 0 for zero.
struct OperandParts {
  alignas(64) float high[kTileElements], low[kTileElements], power[kTileElements];
};

/// For exponents in this range, products of two parts of 12 bits neither overflow nor underflow.
inline constexpr int32_t kLeastExponent = 72, kMostExponent = 182;

/// Splits each element: a part is the 11-bit significand, shifted to the right, and masked. Returns
/// whether all exponents are ordinary or zero.
template <int32_t highMask, int32_t highShift, int32_t lowMask, int32_t lowShift>
static bool splitOperand(const float *tile, OperandParts &parts) {
  IntRow isStrange{};
  for (int row = 0; row < kRows; ++row) {
    IntRow bits = loadRow(tile + row * kFaceDim), exponent = exponentOf(bits);
    IntRow fraction = fractionOf11(bits), none{};
    isStrange |=
        (IntRow)((exponent != 0) & ((exponent < kLeastExponent) | (exponent > kMostExponent)));
    FloatRow power = (FloatRow)(exponent << 23);
    FloatRow signedPower = (FloatRow)(exponent == 0 ? none : (exponent << 23) | (bits & kSign));
    auto part = [&](IntRow magnitude) {
      return __builtin_convertvector(magnitude, FloatRow) * signedPower;
    };
    auto store = [&](FloatRow values, float *to) {
      __builtin_memcpy(to + row * kFaceDim, &values, sizeof values);
    };
    store(part(fraction >> highShift & highMask), parts.high);
    store(part((fraction & lowMask) >> lowShift << (lowShift ? 0 : 3)), parts.low);
    store(power, parts.power);
  }
  int32_t any = 0;
  for (int i = 0; i < kFaceDim; ++i)
    any |= isStrange[i];
  return any == 0;
}

/// The parts of SrcA are five bits and the next five; those of SrcB are seven bits, and the last
/// four at the place of the first four of seven.
static inline bool splitForA(const float *tile, OperandParts &parts) {
  return splitOperand<31, 6, 63, 1>(tile, parts);
}
static inline bool splitForB(const float *tile, OperandParts &parts) {
  return splitOperand<127, 4, 15, 0>(tile, parts);
}

/// Computes the elements of a row of a product, `kLanes` columns at a time.
template <FpuMode mode> struct RowProduct {
  static constexpr int kGroups = kTileDim / 8; ///< of k
  const OperandParts &inA, &inB;
  int row, column;
  IntLanes exponents[kGroups]; ///< of the largest product of a group, plus 127; 0: all are zero
  FloatLanes scales[kGroups];

  /// Element k of the row of SrcB, and the elements of SrcA that it multiplies.
  TTJIT_TILE_INLINE static int indexOfB(int row, int k) { return elementIndex(row, k); }
  TTJIT_TILE_INLINE FloatLanes columnsOfA(const float *part, int k) const {
    FloatLanes values;
    __builtin_memcpy(&values, part + elementIndex(k, column), sizeof values);
    return values;
  }

  TTJIT_TILE_INLINE void findExponents() {
    for (int group = 0; group < kGroups; ++group) {
      FloatLanes largest{};
#pragma GCC unroll 8
      for (int k = group * 8; k < group * 8 + 8; ++k)
        largest = larger(largest, columnsOfA(inA.power, k) * inB.power[indexOfB(row, k)]);
      auto bits = (IntLanes)largest;
      exponents[group] = bits >> 23;
      // 2^-e * (1 + 2^-14)
      scales[group] = (FloatLanes)((254 << 23) - bits + (1 << 9));
    }
  }

  TTJIT_TILE_INLINE Term<IntLanes> sumOfGroup(const float *a, const float *b, int group,
                                              int phase) const {
    constexpr float magic = 0x1.8p23f;
    IntLanes sum{};
#pragma GCC unroll 8
    for (int k = group * 8; k < group * 8 + 8; ++k) {
      FloatLanes product = columnsOfA(a, k) * b[indexOfB(row, k)];
      sum += (IntLanes)fusedMultiplyAdd(product, scales[group], allLanes(magic));
    }
    sum -= 8 * static_cast<int32_t>(bitsOf(magic));
    IntLanes none{}, exponent = exponents[group] + (127 + productBias(mode, phase));
    exponent = exponents[group] == 0 ? none : larger(exponent, none);
    return {exponent <= 0 ? none : sum << 13, exponent};
  }

  TTJIT_TILE_INLINE void add(float *acc, int phases) {
    findExponents();
    float *place = acc + elementIndex(row, column);
    IntLanes out;
    __builtin_memcpy(&out, place, sizeof out);
    for (int phase = 0; phase < phases; ++phase) {
      const float *a = phase & 1 ? inA.low : inA.high, *b = phase & 2 ? inB.low : inB.high;
      for (int half = 0; half < 2; ++half)
        out = accumulate<mode, IntLanes>(sumOfGroup(a, b, 2 * half, phase),
                                         sumOfGroup(a, b, 2 * half + 1, phase), out);
    }
    __builtin_memcpy(place, &out, sizeof out);
  }
};

template <FpuMode mode>
TTJIT_TILE_NOINLINE static void addOrdinaryProduct(const OperandParts &inA, const OperandParts &inB,
                                                   float *acc, int phases) {
  for (int row = 0; row < kTileDim; ++row)
    for (int column = 0; column < kTileDim; column += kLanes)
      RowProduct<mode>{inA, inB, row, column, {}, {}}.add(acc, phases);
}

#endif

/// acc += a @ b.
template <FpuMode mode>
TTJIT_TILE_NOINLINE static void addProductOfTiles(const float *a, const float *b, float *acc,
                                                  int phases) {
#ifdef TTJIT_TILE_HAS_WIDE_FMA
  if constexpr (mode.wideExponents) {
    static thread_local OperandParts inA, inB; // too large for the stack of a kernel thread
    if (splitForA(b, inA) && splitForB(a, inB))
      return addOrdinaryProduct<mode>(inA, inB, acc, phases);
  }
#endif
  for (int phase = 0; phase < phases; ++phase)
    for (int half = 0; half < 2; ++half)
      addHalfProduct<mode>(a, b, acc, half, phase);
}

//===--------------------------------------------------------------------------===//
// Integers of 8 bits
//===--------------------------------------------------------------------------===//

/// Returns the sum of two integers, limited to 2^31 - 1 in magnitude.
TTJIT_TILE_INLINE int32_t saturatedSum(int32_t a, int32_t b) {
  int64_t sum = int64_t{a} + b;
  return sum > INT32_MAX ? INT32_MAX : sum < -INT32_MAX ? -INT32_MAX : static_cast<int32_t>(sum);
}

/// acc += a @ b for two tiles of UInt8, whose elements are integers. A phase multiplies the upper 3
/// or the lower 5 bits of `b`, which is in SrcA, by the upper or the lower 4 bits of `a`. It adds
/// 16 products exactly, and then adds their sum to DST.
TTJIT_TILE_NOINLINE static void addProductOfBytes(const float *a, const float *b, float *acc,
                                                  int phases) {
  for (int phase = 0; phase < phases; ++phase) {
    int32_t ofA = phase & 2 ? 0xf : 0x3f0, ofB = phase & 1 ? 0x1f : 0xe0;
    for (int half = 0; half < 2; ++half)
      for (int row = 0; row < kTileDim; ++row)
        for (int face = 0; face < 2; ++face) {
          IntRow sum{};
          for (int k = half * kFaceDim; k < (half + 1) * kFaceDim; ++k)
            sum += (loadRow(b + faceRowIndex(k, face)) & ofB) *
                   (static_cast<int32_t>(bitsOf(a[elementIndex(row, k)])) & ofA);
          float *out = acc + faceRowIndex(row, face);
          IntRow dst = loadRow(out);
          for (int i = 0; i < kFaceDim; ++i)
            dst[i] = saturatedSum(dst[i], sum[i]);
          storeRow(dst, out);
        }
  }
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_DEVICEPRODUCT_H
