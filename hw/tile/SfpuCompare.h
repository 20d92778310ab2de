//===- SfpuCompare.h - comparisons, rounding, casts of the SFPU -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST. hw/tile/SfpuExp.h explains `Sfpu`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUCOMPARE_H
#define TTJIT_HW_TILE_SFPUCOMPARE_H

#include "hw/tile/SfpuRoots.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

TTJIT_TILE_INLINE Word truth(bool value) { return value ? kOne : 0; }

//===--------------------------------------------------------------------------===//
// Signs and special values
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word abs(Word x) {
  return x > (kSignBit | kInf) ? x : absOf(x); // a negative NaN keeps its sign
}
template <typename Sfpu> TTJIT_TILE_INLINE Word neg(Word x) { return flipSign(x); }
template <typename Sfpu> TTJIT_TILE_INLINE Word sign(Word x) {
  return isNegative(x) ? kMinusOne : truth(x != 0);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word signbit(Word x) { return truth(isNegative(x)); }
template <typename Sfpu> TTJIT_TILE_INLINE Word isinf(Word x) { return truth(absOf(x) == kInf); }
template <typename Sfpu> TTJIT_TILE_INLINE Word isnan(Word x) { return truth(absOf(x) > kInf); }
template <typename Sfpu> TTJIT_TILE_INLINE Word square(Word x) { return Sfpu::mul(x, x); }

//===--------------------------------------------------------------------------===//
// Comparisons with zero
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE bool isOrdered(Word x) { return absOf(x) <= kInf; }

template <typename Sfpu> TTJIT_TILE_INLINE Word eqz(Word x) { return truth(absOf(x) == 0); }
template <typename Sfpu> TTJIT_TILE_INLINE Word nez(Word x) { return truth(absOf(x) != 0); }
template <typename Sfpu> TTJIT_TILE_INLINE Word ltz(Word x) {
  return truth(isNegative(x) && absOf(x) != 0 && isOrdered(x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gtz(Word x) {
  return truth(!isNegative(x) && x != 0 && isOrdered(x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word lez(Word x) {
  return truth((isNegative(x) || x == 0) && isOrdered(x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gez(Word x) {
  return truth((!isNegative(x) || absOf(x) == 0) && isOrdered(x));
}

//===--------------------------------------------------------------------------===//
// Comparisons of two values
//===--------------------------------------------------------------------------===//

/// How two values compare. Two zeros are equal; all are false for NaN.
struct Order {
  bool isKnown, isEqual, isLess, isGreater;
};
template <typename Sfpu> TTJIT_TILE_INLINE Order orderOf(Word a, Word b) {
  Word sum = Sfpu::mad(kOne, absOf(a), absOf(b));
  bool known = absOf(sum) <= kInf, zeros = sum == 0;
  bool less = known && !zeros && isBelow(a, b), greater = known && !zeros && isBelow(b, a);
  return {known, known && (a == b || zeros), less, greater};
}
template <typename Sfpu> TTJIT_TILE_INLINE Word eq(Word a, Word b) {
  return truth(orderOf<Sfpu>(a, b).isEqual);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ne(Word a, Word b) {
  return truth(!orderOf<Sfpu>(a, b).isEqual);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word lt(Word a, Word b) {
  return truth(orderOf<Sfpu>(a, b).isLess);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gt(Word a, Word b) {
  return truth(orderOf<Sfpu>(a, b).isGreater);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word le(Word a, Word b) {
  Order order = orderOf<Sfpu>(a, b);
  return truth(order.isKnown && !order.isGreater);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ge(Word a, Word b) {
  Order order = orderOf<Sfpu>(a, b);
  return truth(order.isKnown && !order.isLess);
}

/// Comparisons with a number subtract: infinity does not equal infinity.
template <typename Sfpu> TTJIT_TILE_INLINE Word eq_unary(Word x, Word k) {
  return truth(Sfpu::equal(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ne_unary(Word x, Word k) {
  return truth(!Sfpu::equal(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word lt_unary(Word x, Word k) {
  return truth(Sfpu::less(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gt_unary(Word x, Word k) {
  return truth(Sfpu::greater(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word le_unary(Word x, Word k) {
  return truth(!Sfpu::greater(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ge_unary(Word x, Word k) {
  return truth(!Sfpu::less(x, k));
}

//===--------------------------------------------------------------------------===//
// Selections, extrema
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word where(Word condition, Word a, Word b) {
  return condition ? a : b;
}
/// The card masks where its mask is 0; kernels pass it `mask != 1`.
template <typename Sfpu> TTJIT_TILE_INLINE Word mask(Word x, Word mask) {
  return Sfpu::equal(mask, kOne) ? 0 : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word mask_posinf(Word x, Word mask) {
  return Sfpu::equal(mask, kOne) ? kInf : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word max(Word a, Word b) { return hi(a, b); }
template <typename Sfpu> TTJIT_TILE_INLINE Word min(Word a, Word b) { return lo(a, b); }
template <typename Sfpu> TTJIT_TILE_INLINE Word max_unary(Word x, Word k) { return hi(x, k); }
template <typename Sfpu> TTJIT_TILE_INLINE Word min_unary(Word x, Word k) { return lo(x, k); }

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word add(Word a, Word b) { return Sfpu::add(a, b); }
template <typename Sfpu> TTJIT_TILE_INLINE Word sub(Word a, Word b) { return Sfpu::sub(a, b); }
/// For a 16-bit DST, rounds to nearest even, and a product of 0 with any number is +0.
template <typename Sfpu> TTJIT_TILE_INLINE Word mul(Word a, Word b) {
  Word product = Sfpu::mul(a, b);
  return Sfpu::dst32 ? product : a && b ? roundedEven16(product) : 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word add_unary(Word x, Word k) {
  return Sfpu::add(x, k);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word sub_unary(Word x, Word k) {
  return Sfpu::sub(x, k);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word mul_unary(Word x, Word k) {
  return Sfpu::mul(x, k);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word div_unary(Word x, Word inverse) {
  return Sfpu::mul(x, inverse);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word rsub_unary(Word x, Word k) {
  Word difference = Sfpu::sub(k, x);
  return Sfpu::dst32 ? difference : roundedEven16(difference);
}

/// x^n by squaring.
template <typename Sfpu> TTJIT_TILE_INLINE Word pow_int(Word x, int32_t n) {
  Word result = n == 0 ? kOne : x;
  for (auto k = static_cast<uint32_t>(n) - (n != 0); k; k >>= 1) {
    result = k & 1 ? Sfpu::mul(result, x) : result;
    x = Sfpu::mul(x, x);
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Rounding
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word trunc(Word x) {
  int32_t exponent = expOf(x), places = 23 - exponent;
  Word mask = ~Word{0} << (places & 31);
  return exponent < 0 ? x & kSignBit : places < 0 ? x : x & mask;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word floor(Word x) {
  Word t = trunc<Sfpu>(x);
  bool down = Sfpu::Arch::isWormhole ? isNegative(x) && signedOf(t - x) < 0 : isBelow(x, t);
  return down ? Sfpu::mad(kOne, t, kMinusOne) : t;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ceil(Word x) {
  Word t = trunc<Sfpu>(x);
  bool up = Sfpu::Arch::isWormhole ? !isNegative(x) && signedOf(t - x) < 0 : isBelow(t, x);
  return up ? Sfpu::mad(kOne, t, kOne) : t;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word frac(Word x) {
  return Sfpu::sub(x, trunc<Sfpu>(x));
}

/// Returns 10^n as fp32; infinity if it is too large, 0 if it is too small.
TTJIT_TILE_INLINE Word powerOf10(int32_t n) {
  constexpr float kPowers[] = {
      1e-45f, 1e-44f, 1e-43f, 1e-42f, 1e-41f, 1e-40f, 1e-39f, 1e-38f, 1e-37f, 1e-36f, 1e-35f,
      1e-34f, 1e-33f, 1e-32f, 1e-31f, 1e-30f, 1e-29f, 1e-28f, 1e-27f, 1e-26f, 1e-25f, 1e-24f,
      1e-23f, 1e-22f, 1e-21f, 1e-20f, 1e-19f, 1e-18f, 1e-17f, 1e-16f, 1e-15f, 1e-14f, 1e-13f,
      1e-12f, 1e-11f, 1e-10f, 1e-9f,  1e-8f,  1e-7f,  1e-6f,  1e-5f,  1e-4f,  1e-3f,  1e-2f,
      1e-1f,  1e0f,   1e1f,   1e2f,   1e3f,   1e4f,   1e5f,   1e6f,   1e7f,   1e8f,   1e9f,
      1e10f,  1e11f,  1e12f,  1e13f,  1e14f,  1e15f,  1e16f,  1e17f,  1e18f,  1e19f,  1e20f,
      1e21f,  1e22f,  1e23f,  1e24f,  1e25f,  1e26f,  1e27f,  1e28f,  1e29f,  1e30f,  1e31f,
      1e32f,  1e33f,  1e34f,  1e35f,  1e36f,  1e37f,  1e38f};
  return n > 38 ? kInf : n < -45 ? 0 : bitsOf(kPowers[n + 45]);
}
/// Rounds after `decimals` decimals, halves to even, by adding 2^23.
template <typename Sfpu> TTJIT_TILE_INLINE Word round(Word x, int32_t decimals) {
  Word v = Sfpu::mul(x, powerOf10(decimals));
  Word w = Sfpu::add(Sfpu::add(absOf(v), 0x4b000000), 0xcb000000);
  return Sfpu::mul(powerOf10(-decimals), expOf(v) < 23 ? copySign(w, v) : v);
}

//===--------------------------------------------------------------------------===//
// typecast
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word to_bfloat16(Word x) { return roundedEven16(x); }

/// Returns x unchanged: the packer converts it.
template <typename Sfpu> TTJIT_TILE_INLINE Word to_float16(Word x) { return x; }

template <typename Sfpu> TTJIT_TILE_INLINE Word float_to_int32(Word x) {
  int32_t exponent = expOf(x);
  Word magnitude = shifted(man8(x), exponent - 23);
  Word value = isNegative(x) ? Word{0} - magnitude : magnitude;
  return exponent < 0 ? 0 : exponent >= 31 ? kSignBit : value;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word float_to_uint32(Word x) {
  int32_t exponent = expOf(x);
  Word magnitude = exponent >= 32 ? ~Word{0} : shifted(man8(x), exponent - 23);
  return isNegative(x) || exponent < 0 ? 0 : magnitude;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word int32_to_float(Word x) {
  return Sfpu::rounded(castIntToFloat(signedOf(x)));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word uint32_to_float(Word x) {
  Word low = castToFloat(absOf(x));
  return Sfpu::rounded(x >> 31 ? Sfpu::add(low, 0x4f000000) : low);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUCOMPARE_H
