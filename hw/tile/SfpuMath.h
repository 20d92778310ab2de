//===- SfpuMath.h - the instructions of the vector engine -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of the Tensix vector engine (the SFPU) for one lane, bit by bit. A register of a
// lane holds 32 bits, which are a float or an integer. The software of these instructions computes
// the functions of tiles (Sfpu*.h). `Arch` is Wormhole or Blackhole: it selects the differences.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUMATH_H
#define TTJIT_HW_TILE_SFPUMATH_H

#include "hw/tile/IntRow.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

struct Wormhole {
  static constexpr bool isWormhole = true;
};
struct Blackhole {
  static constexpr bool isWormhole = false;
};

/// Put this before a loop with a constant number of steps in the function of an element, to unroll
/// it: the compiler vectorises a loop over elements only if it contains no other loop.
#ifdef __clang__
#define TTJIT_TILE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TTJIT_TILE_UNROLL _Pragma("GCC unroll 16")
#endif

/// A register of a lane.
using Word = uint32_t;

inline constexpr Word kOne = 0x3f800000, kMinusOne = 0xbf800000, kHalf = 0x3f000000;
inline constexpr Word kTwo = 0x40000000, kInf = 0x7f800000, kNaN = 0x7fc00000;
inline constexpr Word kSignBit = 0x80000000;

//===--------------------------------------------------------------------------===//
// Fields
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE int32_t signedOf(Word x) { return static_cast<int32_t>(x); }
TTJIT_TILE_INLINE Word wordOf(int32_t x) { return static_cast<Word>(x); }

TTJIT_TILE_INLINE int32_t expField(Word x) { return signedOf(x >> 23 & 255); }
/// The exponent without its bias (SFPEXEXP).
TTJIT_TILE_INLINE int32_t expOf(Word x) { return expField(x) - 127; }
TTJIT_TILE_INLINE Word man8(Word x) { return (x & kFraction) | kHidden; }
TTJIT_TILE_INLINE Word man9(Word x) { return x & kFraction; }
TTJIT_TILE_INLINE Word absOf(Word x) { return x & ~kSignBit; }
TTJIT_TILE_INLINE Word flipSign(Word x) { return x ^ kSignBit; }
TTJIT_TILE_INLINE bool isNegative(Word x) { return x >> 31; }

TTJIT_TILE_INLINE Word setExp(Word x, int32_t exponent) {
  return (x & ~Word{kInfinity}) | (wordOf(exponent) & 255) << 23;
}
TTJIT_TILE_INLINE Word setMan(Word x, Word from) {
  return (x & ~Word{kFraction}) | (from & kFraction);
}
TTJIT_TILE_INLINE Word copySign(Word x, Word from) { return absOf(x) | (from & kSignBit); }

/// Adds k to the exponent unless it is 255. Zero counts as an ordinary number (SFPDIVP2).
TTJIT_TILE_INLINE Word addExp(Word x, int32_t k) {
  return expField(x) == 255 ? x : setExp(x, expField(x) + k);
}

/// Shifts left by `distance`; if it is negative, right, filling with zeros (SFPSHFT).
TTJIT_TILE_INLINE Word shifted(Word x, int32_t distance) {
  Word left = x << (distance & 31), right = x >> ((Word{0} - wordOf(distance)) & 31);
  return distance >= 0 ? left : right;
}

TTJIT_TILE_INLINE Word flushKeepingSign(Word x) { return expField(x) ? x : x & kSignBit; }

/// isBelow compares in the total order of sign and magnitude; lo and hi choose by it (SFPSWAP).
TTJIT_TILE_INLINE bool isBelow(Word a, Word b) {
  return totalOrder(signedOf(a)) < totalOrder(signedOf(b));
}
TTJIT_TILE_INLINE Word hi(Word a, Word b) { return isBelow(a, b) ? b : a; }
TTJIT_TILE_INLINE Word lo(Word a, Word b) { return isBelow(a, b) ? a : b; }

//===--------------------------------------------------------------------------===//
// Multiply-add
//===--------------------------------------------------------------------------===//

/// A number inside an addition: 24 bits of significand and three more, and its exponent.
struct Wide {
  Word significand;
  int32_t exponent;
};

/// Shifts right. If bits are lost, sets the last bit, unless no other bit is left.
TTJIT_TILE_INLINE Word shiftedSticky(Word x, int32_t distance) {
  distance = distance > 31 ? 31 : distance;
  Word kept = x >> distance;
  return kept ? kept | (kept << distance != x) : 0;
}

/// The result of a multiply-add with NaN, infinity or a product that is too large.
struct Special {
  bool isSpecial;
  bool isNaN; ///< `bits` is the NaN that Wormhole returns unless bits of the sum leak into it
  Word bits;
};

template <typename Arch>
TTJIT_TILE_INLINE Special specialOf(Word x, Word y, Word z, int32_t productExponent) {
  Word sign = (x ^ y) & kSignBit;
  auto isNaN = [](Word w) { return absOf(w) > kInf; };
  auto isInf = [](Word w) { return absOf(w) == kInf; };
  auto isZero = [](Word w) { return expField(w) == 0; };
  bool huge = productExponent >= 255;
  bool infinite = expField(x) == 255 || expField(y) == 255;
  bool ofProduct = isNaN(x) || isNaN(y) || (isInf(x) && isZero(y)) || (isInf(y) && isZero(x));
  bool cancels = isInf(z) && (infinite || (Arch::isWormhole && huge)) && (z & kSignBit) != sign;
  bool nan = ofProduct || cancels || isNaN(z);
  Word nanSign = ofProduct || cancels ? sign : z & kSignBit;
  Word bits = nan ? (Arch::isWormhole ? nanSign | 0x7f800001 : kNaN) : isInf(z) ? z : sign | kInf;
  return {infinite || huge || expField(z) == 255, nan, bits};
}

/// Rounds a sum of at most 30 bits to nearest even. For too small sums, Wormhole returns +0,
/// Blackhole a zero of the sum's sign. A right shift sets bit 0 if a lost bit was set, but not
/// every lost bit counts: Wormhole looks at bit 0 only, Blackhole at the bits of `shift | 1`.
template <typename Arch> TTJIT_TILE_INLINE Word roundedSum(Word sign, Wide sum) {
  int32_t shift = highestBit(signedOf(sum.significand | 1)) - 26;
  int32_t exponent = sum.exponent + shift;
  bool tooLarge = exponent >= 255, tooSmall = Arch::isWormhole && exponent < 0;
  if constexpr (!Arch::isWormhole) {
    shift += exponent <= 0;
    exponent = exponent <= 0 ? 0 : exponent;
  }
  Word lost = Arch::isWormhole ? sum.significand & 1 : (sum.significand & wordOf(shift | 1)) != 0;
  Word right = (sum.significand >> (shift & 31)) | lost, left = sum.significand << (-shift & 31);
  Word all = shift <= 0 ? left : right;
  Word bits = (wordOf(exponent) << 23) + (all >> 3 & kFraction);
  bits += (all & 7) + (bits & 1) > 4;
  bits = tooLarge ? kInf : bits;
  bool isZero = tooSmall || bits >> 23 == 0;
  return isZero ? (Arch::isWormhole ? 0 : sign) : sign | bits;
}

/// Returns x * y + z as SFPMAD rounds it: the product is cut to 27 bits before the addition.
/// Denormal operands count as zero.
template <typename Arch> TTJIT_TILE_INLINE Word mad(Word x, Word y, Word z) {
  auto significand = [](Word w) { return expField(w) ? man8(w) : 0; };
  uint64_t exact = uint64_t{significand(x)} * significand(y);
  Wide product{static_cast<Word>(exact >> 20) | ((exact & 0xfffff) != 0),
               expField(x) + expField(y) - 127};
  Wide addend{significand(z) << 3, expField(z)};
  Word sign = (x ^ y) & kSignBit, signZ = z & kSignBit;
  Special special = specialOf<Arch>(x, y, z, product.exponent);
  bool vanishes = product.significand == 0 || product.exponent < 0;
  if constexpr (Arch::isWormhole)
    product.exponent = product.exponent > 255 ? 255 : product.exponent;
  bool drops = Arch::isWormhole && special.isNaN && vanishes;
  product = {drops ? 0 : product.significand, drops ? 0 : product.exponent};

  int32_t exponent = product.exponent > addend.exponent ? product.exponent : addend.exponent;
  Word p = shiftedSticky(product.significand, exponent - product.exponent);
  Word a = shiftedSticky(addend.significand, exponent - addend.exponent);
  bool differ = sign != signZ;
  Word sum = !differ ? p + a : p >= a ? p - a : a - p;
  Word signOfSum = p >= a ? sign : signZ;
  Word zero = Arch::isWormhole ? 0 : sign & signZ;
  Word rounded = roundedSum<Arch>(signOfSum, {sum, exponent});
  Word result = sum == 0 ? zero : rounded;
  result = vanishes ? (addend.significand ? z : zero) : result;
  Word nan = special.bits;
  if constexpr (Arch::isWormhole) {
    int32_t shift = highestBit(signedOf(sum | 1)) - 26;
    bool leaks = sum != 0 && exponent + shift < 255 && exponent + shift >= 0;
    nan = special.isNaN && leaks ? nan | absOf(rounded) : nan;
  }
  return special.isSpecial ? nan : result;
}

template <typename Arch> TTJIT_TILE_INLINE Word mul(Word a, Word b) { return mad<Arch>(a, b, 0); }
template <typename Arch> TTJIT_TILE_INLINE Word add(Word a, Word b) {
  return mad<Arch>(kOne, a, b);
}
/// a - b. Wormhole multiplies b by -1.
template <typename Arch> TTJIT_TILE_INLINE Word sub(Word a, Word b) {
  return Arch::isWormhole ? mad<Arch>(b, kMinusOne, a) : mad<Arch>(kOne, a, flipSign(b));
}
/// c - a * b. Wormhole rounds the product first.
template <typename Arch> TTJIT_TILE_INLINE Word fms(Word a, Word b, Word c) {
  return Arch::isWormhole ? mad<Arch>(mul<Arch>(a, b), kMinusOne, c) : mad<Arch>(flipSign(a), b, c);
}
/// Returns a * b + c for a constant c that fits a bf16. The compiler of the kernels rounds the
/// product first in this case.
template <typename Arch> TTJIT_TILE_INLINE Word mulThenAdd(Word a, Word b, Word c) {
  return add<Arch>(mul<Arch>(a, b), c);
}

/// c[0] + x * (c[1] + x * (...)), the last coefficient first.
template <typename Arch, int count>
TTJIT_TILE_INLINE Word horner(Word x, const Word (&coefficients)[count]) {
  Word result = coefficients[count - 1];
  TTJIT_TILE_UNROLL
  for (int i = count - 2; i >= 0; --i)
    result = mad<Arch>(x, result, coefficients[i]);
  return result;
}

//===--------------------------------------------------------------------------===//
// Conversions
//===--------------------------------------------------------------------------===//

/// Converts a sign and magnitude to a float, rounded to nearest even (SFPCAST).
TTJIT_TILE_INLINE Word castToFloat(Word x) {
  return bitsOf(static_cast<float>(absOf(x))) | (x & kSignBit);
}
/// Converts a two's complement integer to a float.
TTJIT_TILE_INLINE Word castIntToFloat(int32_t x) {
  Word magnitude = x < 0 ? Word{0} - wordOf(x) : wordOf(x);
  return bitsOf(static_cast<float>(magnitude)) | (wordOf(x) & kSignBit);
}

/// Rounds to bf16, halves away from zero (SFP_STOCH_RND in nearest mode). NaN becomes infinity,
/// denormals become +0.
TTJIT_TILE_INLINE Word roundedTo16(Word x) {
  Word sign = x & kSignBit;
  Word rounded = sign | ((absOf(x) + 0x8000) & 0xffff0000);
  Word result = expField(x) == 255 ? sign | kInf : rounded;
  return expField(x) == 0 ? 0 : result;
}
/// Rounds any bits to 16 bits, nearest even, by integer additions as software does.
TTJIT_TILE_INLINE Word roundedEven16(Word x) { return (x + 0x7fff + (x >> 16 & 1)) & 0xffff0000; }

/// Returns the magnitude as an integer, halves away from zero, limited to `limit`.
TTJIT_TILE_INLINE Word roundedMagnitude(Word x, Word limit) {
  int32_t exponent = expOf(x);
  int32_t places = 23 - exponent;
  places = places < 0 ? 0 : places > 31 ? 31 : places;
  Word rounded = (((man8(x) << 1) >> places) + 1) >> 1;
  rounded = exponent >= 23 || rounded > limit ? limit : rounded;
  return exponent < -1 ? 0 : rounded;
}
/// Rounds to a sign and a magnitude of at most 15 bits, or (below) to unsigned 16 or 8 bits.
TTJIT_TILE_INLINE Word roundedToInt16(Word x) {
  Word magnitude = roundedMagnitude(x, 32767);
  return magnitude ? magnitude | (x & kSignBit) : 0;
}
TTJIT_TILE_INLINE Word roundedToUInt16(Word x) { return roundedMagnitude(x, 65535); }
TTJIT_TILE_INLINE Word roundedToUInt8(Word x) { return roundedMagnitude(x, 255); }
TTJIT_TILE_INLINE Word roundedToInt8(Word x) { return roundedMagnitude(x, 127); }

/// Converts a sign and magnitude to two's complement.
TTJIT_TILE_INLINE int32_t intOf(Word x) {
  return x >> 31 ? -signedOf(absOf(x)) : signedOf(absOf(x));
}

/// Returns Blackhole's 7-bit estimate of 1 / x (SFPARECIP). Entry i of its table is for the middle
/// of an interval, (i + 0.5) / 128 above a power of two.
TTJIT_TILE_INLINE Word reciprocalEstimate(Word x) {
  int32_t i = signedOf(x >> 16 & 127), exponent = 253 - expField(x);
  // floor(128 * (2 / (1 + (i + 0.5) / 128) - 1) + 0.5), in integers
  int32_t d = 2 * i + 257;
  int32_t fraction = (2 * 65536 - 256 * d + d) / (2 * d);
  fraction = fraction > 127 ? 127 : fraction;
  Word bits = exponent <= 0 ? 0 : wordOf(exponent) << 23 | wordOf(fraction) << 16;
  return (expField(x) == 0 ? kInf : bits) | (x & kSignBit);
}

//===--------------------------------------------------------------------------===//
// Loads and stores of DST
//===--------------------------------------------------------------------------===//

/// The format of DST's elements. Here, fp16 elements have the exponents of floats.
enum class DstKind { Bf16, Fp16, Fp32 };

/// Returns a number after a store to a DST of fp16: cut, with exponents from 1 to 31. Too large
/// numbers become the largest one.
TTJIT_TILE_INLINE Word storedFp16(Word x) {
  Word magnitude = expField(x) > 143 ? 0x47ffe000 : absOf(x) & ~Word{0x1fff};
  return (x & kSignBit) | (expField(x) <= 112 ? 0 : magnitude);
}

/// Returns an element of DST after a store: denormals become zeros of their sign, and a 16-bit DST
/// keeps the upper half.
template <DstKind kind> TTJIT_TILE_INLINE Word stored(Word x) {
  if constexpr (kind == DstKind::Fp16)
    return storedFp16(x);
  return flushKeepingSign(x) & (kind == DstKind::Fp32 ? ~Word{0} : 0xffff0000);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_SFPUMATH_H
