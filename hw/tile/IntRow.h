//===- IntRow.h - integer arithmetic on one value or on a row -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The device's arithmetic consists of additions, shifts, maxima and selections of 32-bit integers.
// Functions that are templates on the type `I` compute it for one value (I is int32_t) or for the
// 16 values of a row of a face (I is IntRow).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_INTROW_H
#define TTJIT_HW_TILE_INTROW_H

#include "hw/tile/Target.h"
#include "hw/tile/TileShape.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// 16 integers. Compilers split the vector if the host's registers are shorter.
using IntRow = int32_t __attribute__((vector_size(kFaceDim * 4)));
using WordRow = uint32_t __attribute__((vector_size(kFaceDim * 4)));
using FloatRow = float __attribute__((vector_size(kFaceDim * 4)));
/// 8 integers: a whole register of AVX2.
using HalfIntRow = int32_t __attribute__((vector_size(kFaceDim * 2)));
using HalfFloatRow = float __attribute__((vector_size(kFaceDim * 2)));

/// Returns `value` in every place.
template <typename I> TTJIT_TILE_INLINE I all(int32_t value) { return I{} + value; }

template <typename I> TTJIT_TILE_INLINE I larger(I a, I b) { return a > b ? a : b; }
template <typename I> TTJIT_TILE_INLINE I smaller(I a, I b) { return a < b ? a : b; }

TTJIT_TILE_INLINE int32_t shiftRightWord(int32_t value, int32_t distance) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) >> distance);
}
TTJIT_TILE_INLINE IntRow shiftRightWord(IntRow value, IntRow distance) {
  return (IntRow)((WordRow)value >> (WordRow)distance);
}

/// Returns the bits of the float nearest to a value that is not negative.
TTJIT_TILE_INLINE int32_t bitsOfFloat(int32_t value) {
  return __builtin_bit_cast(int32_t, static_cast<float>(value));
}
TTJIT_TILE_INLINE IntRow bitsOfFloat(IntRow value) {
  return (IntRow) __builtin_convertvector(value, FloatRow);
}
TTJIT_TILE_INLINE HalfIntRow bitsOfFloat(HalfIntRow value) {
  return (HalfIntRow) __builtin_convertvector(value, HalfFloatRow);
}

/// Returns the number of the highest bit of a positive value. Clears the lower one of two adjacent
/// ones first: the conversion to float could round such a value up to the next power of two.
template <typename I> TTJIT_TILE_INLINE I highestBit(I value) {
  return (bitsOfFloat(value & ~(value >> 1)) >> 23) - 127;
}

/// Returns value / 2^distance, rounded to the nearest integer, halves up. `distance` must not be
/// negative; the absolute value must be less than 2^30.
template <typename I> TTJIT_TILE_INLINE I shiftRounded(I value, I distance) {
  return ((value * 2 >> smaller(distance, all<I>(31))) + 1) >> 1;
}

//===--------------------------------------------------------------------------===//
// The fields of a float's bits
//===--------------------------------------------------------------------------===//

inline constexpr int32_t kSign = INT32_MIN;
inline constexpr int32_t kInfinity = 0x7f800000;
inline constexpr int32_t kFraction = 0x7fffff;
inline constexpr int32_t kHidden = 0x800000; ///< the leading one of a significand

template <typename I> TTJIT_TILE_INLINE I exponentOf(I bits) { return bits >> 23 & 255; }

/// Returns the significand of 24 bits; 0 for zeros and denormals.
template <typename I> TTJIT_TILE_INLINE I significandOf(I bits) {
  return exponentOf(bits) == 0 ? all<I>(0) : (bits & kFraction) | kHidden;
}

/// Returns +0 for zeros and denormals, and other bits unchanged.
template <typename I> TTJIT_TILE_INLINE I flushed(I bits) {
  return exponentOf(bits) == 0 ? all<I>(0) : bits;
}
/// Returns a zero of the same sign for zeros and denormals, and other bits unchanged.
template <typename I> TTJIT_TILE_INLINE I flushedKeepingSign(I bits) {
  return exponentOf(bits) == 0 ? bits & kSign : bits;
}

/// Maps floats to integers in the hardware's order: -NaN, -infinity, ..., -0, +0, ..., +NaN.
template <typename I> TTJIT_TILE_INLINE I totalOrder(I bits) {
  return bits < 0 ? bits ^ INT32_MAX : bits;
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_INTROW_H
