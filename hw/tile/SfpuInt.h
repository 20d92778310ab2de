//===- SfpuInt.h - division of integers on the SFPU -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of 32-bit integers. The software divides magnitudes. It estimates 1 / b
// in floats, takes the upper bits of a / b, and adds the quotient of the rest. The result is exact
// except for a divisor of 0, and for the smallest int32 as the dividend, whose magnitude becomes
// -0.0 when it is cast.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUINT_H
#define TTJIT_HW_TILE_SFPUINT_H

#include "hw/tile/SfpuExp.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

TTJIT_TILE_INLINE Word magnitudeOfInt(Word x) { return x >> 31 ? Word{0} - x : x; }

/// Returns the magnitude of an integer as a float; 2^31 for the smallest integer.
TTJIT_TILE_INLINE Word floatOfMagnitude(Word x) {
  Word result = castToFloat(x);
  return isNegative(result) ? 0x4f000000 : result;
}

/// The quotient of two magnitudes, and the rest.
struct Quotient {
  Word value, rest;
};

/// Adds 1 to the quotient if the rest is at least b; subtracts 1 if the rest is negative. The
/// smallest int32 as the rest does not count as negative.
TTJIT_TILE_INLINE Quotient corrected(Quotient q, Word b) {
  bool isTooLarge = isNegative(q.rest) && isNegative(q.rest - 1);
  bool isTooSmall = !isTooLarge && !isNegative(q.rest - b);
  return {q.value - isTooLarge + isTooSmall, q.rest + (isTooLarge ? b : 0) - (isTooSmall ? b : 0)};
}

//===--------------------------------------------------------------------------===//
// Wormhole: products of parts of 11 bits, in floats
//===--------------------------------------------------------------------------===//

/// Returns the product of two whole numbers, which must have at most 23 bits.
template <typename Sfpu> TTJIT_TILE_INLINE Word wholeProduct(Word x, Word y) {
  return man9(Sfpu::mad(x, y, 0x4b000000));
}

/// Returns 1 / b. For remainders, it makes one step less.
template <typename Sfpu, bool isRemainder> TTJIT_TILE_INLINE Word inverseOfInt(Word b) {
  Word n = setMan(kMinusOne, b), y = Sfpu::mad(0x3ef0f0f2, n, 0x3fb4b4b5);
  y = Sfpu::mad(Sfpu::mad(y, n, kOne), y, y);
  Word e = Sfpu::mad(y, n, kOne);
  e = isRemainder ? e : Sfpu::mad(e, e, e);
  return Sfpu::mul(Sfpu::mad(e, y, y), (254u << 23) - setMan(b, 0));
}

template <typename Sfpu, bool isRemainder>
TTJIT_TILE_INLINE Quotient quotientWormhole(Word a, Word b) {
  Word inverse = inverseOfInt<Sfpu, isRemainder>(floatOfMagnitude(b));
  Word upper = man9(Sfpu::mad(floatOfMagnitude(a), inverse, 0x50800000)); // a / b / 2^11
  Word q1 = castToFloat(upper & 0x7ff), q2 = castToFloat(upper >> 11);
  Word b0 = castToFloat(b & 0x7ff), b1 = castToFloat(b >> 11 & 0x7ff), b2 = castToFloat(b >> 22);
  Word high = man9(Sfpu::mad(q1, b1, Sfpu::mad(q2, b0, 0x4b000000)));
  Word rest = a - (wholeProduct<Sfpu>(q1, b0) << 11) - (high << 22);
  Word lower = roundedToUInt16(Sfpu::mul(castToFloat(magnitudeOfInt(rest)), inverse));
  Word f = castToFloat(lower);
  Word product = wholeProduct<Sfpu>(f, b0) + (wholeProduct<Sfpu>(f, b1) << 11) +
                 (wholeProduct<Sfpu>(f, b2) << 22);
  bool isNeg = isNegative(rest);
  return corrected({(upper << 11) + (isNeg ? Word{0} - lower : lower),
                    rest + (isNeg ? product : Word{0} - product)},
                   b);
}

//===--------------------------------------------------------------------------===//
// Blackhole: products of parts of 23 bits, in integers
//===--------------------------------------------------------------------------===//

/// Return the lower and the upper 23 bits of the product of two integers' lower 23 bits (SFPMUL24).
TTJIT_TILE_INLINE Word lowerProduct(Word x, Word y) { return man9(man9(x) * man9(y)); }
TTJIT_TILE_INLINE Word upperProduct(Word x, Word y) {
  return static_cast<Word>(uint64_t{man9(x)} * man9(y) >> 23);
}

template <typename Sfpu, bool isRemainder>
TTJIT_TILE_INLINE Quotient quotientBlackhole(Word a, Word b) {
  Word number = floatOfMagnitude(b), inverse = reciprocalEstimate(number);
  Word e = Sfpu::mad(flipSign(inverse), number, kOne);
  e = isRemainder ? e : Sfpu::mad(e, e, e);
  inverse = Sfpu::mad(e, inverse, inverse);
  Word upper = man9(Sfpu::mad(floatOfMagnitude(a), inverse, 0x50000000)); // a / b / 2^10
  Word rest = a - (lowerProduct(upper, b) << 10);
  Word lower = roundedToUInt16(Sfpu::mul(castToFloat(magnitudeOfInt(rest)), inverse));
  Word product =
      lowerProduct(lower, b) + ((upperProduct(lower, b) + lowerProduct(lower, b >> 23)) << 23);
  bool isNeg = isNegative(rest);
  return corrected({(upper << 10) + (isNeg ? Word{0} - lower : lower),
                    rest + (isNeg ? product : Word{0} - product)},
                   b);
}

template <typename Sfpu, bool isRemainder> TTJIT_TILE_INLINE Quotient quotientOf(Word a, Word b) {
  if constexpr (Sfpu::Arch::isWormhole)
    return quotientWormhole<Sfpu, isRemainder>(magnitudeOfInt(a), magnitudeOfInt(b));
  else
    return quotientBlackhole<Sfpu, isRemainder>(magnitudeOfInt(a), magnitudeOfInt(b));
}

//===--------------------------------------------------------------------------===//
// The operations
//===--------------------------------------------------------------------------===//

/// a / b, rounded towards zero.
template <typename Sfpu> TTJIT_TILE_INLINE Word div_int32(Word a, Word b) {
  Word q = quotientOf<Sfpu, false>(a, b).value;
  return isNegative(a ^ b) ? Word{0} - q : q;
}
/// a / b, rounded down.
template <typename Sfpu> TTJIT_TILE_INLINE Word floordiv_int32(Word a, Word b) {
  Quotient q = quotientOf<Sfpu, false>(a, b);
  return isNegative(a ^ b) ? Word{0} - q.value - (q.rest != 0) : q.value;
}
/// The remainder of a / b, with the sign of b.
template <typename Sfpu> TTJIT_TILE_INLINE Word mod_int32(Word a, Word b) {
  Word r = quotientOf<Sfpu, true>(a, b).rest;
  Word ofOtherSigns = isNegative(a) ? b - r : r + b, negative = isNegative(a) ? Word{0} - r : r;
  return r == 0 ? r : isNegative(a ^ b) ? ofOtherSigns : negative;
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUINT_H
