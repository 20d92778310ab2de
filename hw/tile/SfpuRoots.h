//===- SfpuRoots.h - reciprocals, roots, logarithms -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST. hw/tile/SfpuExp.h explains `Sfpu`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUROOTS_H
#define TTJIT_HW_TILE_SFPUROOTS_H

#include "hw/tile/SfpuExp.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

//===--------------------------------------------------------------------------===//
// 1 / x inside of other functions, with 0, 1 or 2 steps of Newton's iteration
//===--------------------------------------------------------------------------===//

template <typename Sfpu, int steps> TTJIT_TILE_INLINE Word inverseWormhole(Word x) {
  Word n = setMan(kMinusOne, x);
  Word y = Sfpu::mad(0x3ea57ebb, n, 0x3fba2e90);
  y = Sfpu::mad(y, n, 0x4007c1f2);
  Word scale = setMan(~x, 0), t = Sfpu::mad(n, y, kOne);
  scale = Sfpu::mul(scale, kHalf);
  y = Sfpu::mad(y, t, y);
  if constexpr (steps > 1)
    y = Sfpu::mad(y, Sfpu::mad(n, y, kOne), y);
  return copySign(Sfpu::mul(y, scale), x);
}

template <typename Sfpu, int steps> TTJIT_TILE_INLINE Word inverseBlackhole(Word x) {
  Word y = reciprocalEstimate(x);
  if constexpr (steps == 0)
    return y;
  Word t = Sfpu::mad(x, y, 0xc0000000), y1 = Sfpu::mad(y, flipSign(t), kSignBit);
  if constexpr (steps > 1)
    y1 = Sfpu::mad(y1, flipSign(Sfpu::mad(x, y1, 0xc0000000)), kSignBit);
  return isNegative(t) ? y1 : y;
}

template <typename Sfpu, int steps> TTJIT_TILE_INLINE Word inverse(Word x) {
  if constexpr (Sfpu::Arch::isWormhole)
    return inverseWormhole<Sfpu, steps>(x);
  else
    return inverseBlackhole<Sfpu, steps>(x);
}

//===--------------------------------------------------------------------------===//
// recip, div
//===--------------------------------------------------------------------------===//

/// recip_tile without template arguments: it computes the reciprocal as earlier releases did.
template <typename Sfpu> TTJIT_TILE_INLINE Word recip(Word x) {
  constexpr Word log2e = 0x3fb8aa3b;
  Word v = setExp(x | kSignBit, 126);
  Word r = Sfpu::mul(log2e, Sfpu::mulThenAdd(v, log2e, kTwo));
  TTJIT_TILE_UNROLL
  for (int i = 0; i < (Sfpu::approximate ? 1 : 2); ++i)
    r = Sfpu::mul(r, Sfpu::mulThenAdd(v, r, kTwo));
  int32_t exponent = expOf(r) - expOf(x) + 126;
  r = exponent < 0 ? 0 : setExp(r, exponent);
  r = isNegative(x) ? flipSign(r) : r;
  return Sfpu::approximate ? r : Sfpu::rounded(r);
}

template <typename Sfpu> TTJIT_TILE_INLINE Word div(Word a, Word b) {
  Word r = inverse<Sfpu, 2>(b), q = Sfpu::mul(a, r);
  if constexpr (Sfpu::dst32)
    q = expField(q) != 255 ? Sfpu::mad(Sfpu::fms(q, b, a), r, q) : q;
  Word atZero = a == 0 ? kNaN : kInf | (a & kSignBit);
  q = b == 0 ? atZero : q;
  return Sfpu::dst32 ? q : roundedEven16(q);
}

//===--------------------------------------------------------------------------===//
// sqrt, rsqrt
//===--------------------------------------------------------------------------===//

/// Returns the square root before rounding, without a test of the sign.
template <typename Sfpu> TTJIT_TILE_INLINE Word rootOf(Word x) {
  Word y = 0x5f1110a0 - (x >> 1), q = Sfpu::mul(x, y), c = Sfpu::mul(flipSign(y), q);
  y = Sfpu::mul(y, Sfpu::mad(c, Sfpu::add(0x40103626, c), 0x401214c9));
  q = Sfpu::mul(x, y);
  Word o = Sfpu::mad(flipSign(y), q, kOne), half = Sfpu::mul(kHalf, q);
  Word root = Sfpu::mad(o, half, q);
  return signedOf(x - kInf) < 0 ? root : y;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word inverseRootOf(Word x) {
  Word y = 0x5f1110a0 - (x >> 1), q = Sfpu::mul(x, y), c = Sfpu::mul(flipSign(y), q);
  y = Sfpu::mul(y, Sfpu::mad(c, Sfpu::add(0x40103626, c), 0x401214c9));
  q = Sfpu::mul(x, y);
  Word o = Sfpu::mad(flipSign(y), q, kOne), d = kInf - x;
  return d && x ? Sfpu::mad(o, addExp(y, -1), y) : d;
}

/// Returns the estimate that math_approx_mode uses.
template <typename Sfpu> TTJIT_TILE_INLINE Word approximateRoot(Word x, bool isInverse) {
  Word y = 0x5f0b3892 - (x >> 1), c = Sfpu::mul(x, y), t = Sfpu::mad(flipSign(y), c, 0x3ff20bf7);
  Word d = kInf - x, inverse = d && x ? Sfpu::mul(y, t) : d;
  Word root = d ? Sfpu::mul(c, t) : c;
  return isInverse ? inverse : root;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word sqrt(Word x) {
  Word y = Sfpu::approximate ? approximateRoot<Sfpu>(x, false) : rootOf<Sfpu>(x);
  return Sfpu::rounded(isNegative(x) ? kNaN : y);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word rsqrt(Word x) {
  Word y = Sfpu::approximate ? approximateRoot<Sfpu>(x, true) : inverseRootOf<Sfpu>(x);
  return Sfpu::rounded(isNegative(x) ? kNaN : y);
}

/// The square root inside of asin and acos.
template <typename Sfpu> TTJIT_TILE_INLINE Word plainRoot(Word x) {
  Word a = 0x5f370000 - (x >> 1), h = Sfpu::mul(x, 0xbf000000);
  TTJIT_TILE_UNROLL
  for (int i = 0; i < 2; ++i)
    a = Sfpu::mul(Sfpu::mulThenAdd(Sfpu::mul(a, a), h, 0x3fc00000), a);
  return x ? Sfpu::mul(a, x) : x;
}

//===--------------------------------------------------------------------------===//
// Logarithms
//===--------------------------------------------------------------------------===//

inline constexpr Word kLn2Ulp = 0x33b17218; ///< ln 2 * 2^-23

/// Converts a two's complement integer to a float.
TTJIT_TILE_INLINE Word floatOfInt(Word x) { return castIntToFloat(signedOf(x)); }

/// Returns ln x before rounding. `wide`: uses the polynomial for an fp32 DST. `scaled` is applied
/// to the result before special values replace it.
template <typename Sfpu, bool wide, typename Scaled>
TTJIT_TILE_INLINE Word logOf(Word a, Scaled scaled) {
  Word k = a - 0x3f400000;
  a = Sfpu::mad(a, kOne, 0);
  k = setMan(k, 0);
  Word m = Sfpu::sub(a - k, kOne), s = Sfpu::mul(m, m), r;
  if constexpr (wide) {
    r = Sfpu::chain(m, {0xbd496000, 0x3ddc2000, 0xbe062000, 0x3e13a000, 0xbe2a8000, 0x3e4cc000,
                        0xbe80000d, 0x3eaaaab9, 0xbf000000});
  } else {
    r = Sfpu::mad(0xbe800000, m, 0x3eba2000);
    r = Sfpu::mad(r, m, 0xbf004000);
  }
  Word g = addExp(a, -1);
  r = Sfpu::mad(r, s, m);
  Word out = scaled(Sfpu::mad(floatOfInt(k), kLn2Ulp, r));
  out = expField(g) == 255 ? Sfpu::mul(out, g) : out;
  return isNegative(a) ? kNaN : out;
}
template <typename Sfpu, bool wide> TTJIT_TILE_INLINE Word logOf(Word a) {
  return logOf<Sfpu, wide>(a, [](Word y) { return y; });
}
template <typename Sfpu> TTJIT_TILE_INLINE Word log(Word x) {
  return Sfpu::rounded(logOf<Sfpu, Sfpu::dst32>(x));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word log1p(Word a) {
  Word u = Sfpu::add(a, kOne), k = setMan(u - 0x3f400000, 0);
  Word m = a - k, t = Sfpu::mad(0xbe800000, 0xc0800000 - k, kMinusOne);
  m = Sfpu::add(m, t);
  Word s = Sfpu::mul(m, m), r;
  if constexpr (Sfpu::dst32) {
    r = Sfpu::chain(m, {0xbd496000, 0x3ddc2000, 0xbe062000, 0x3e13a000, 0xbe2a8000, 0x3e4cc000,
                        0xbe80000d, 0x3eaaaab9});
    r = Sfpu::mulThenAdd(r, m, 0xbf000000);
  } else {
    r = Sfpu::mad(0xbe800000, m, 0x3eba2000);
    r = Sfpu::mad(r, m, 0xbf004000);
  }
  r = Sfpu::mad(r, s, m);
  r = Sfpu::mad(floatOfInt(k), kLn2Ulp, r);
  r = signedOf(u - kInf) >= 0 ? u : r;
  return Sfpu::rounded(isNegative(u) ? kNaN : r);
}

/// Returns the logarithm of earlier releases, which acosh, asinh and atanh use.
template <typename Sfpu> TTJIT_TILE_INLINE Word oldLog(Word b) {
  Word x = setExp(b, 127);
  Word s = Sfpu::mad(x, 0x3e111cd0, 0xbf5e712a);
  s = Sfpu::mad(x, s, 0x4013d4e2);
  s = Sfpu::mad(x, s, 0xbfca94c9);
  Word out = Sfpu::mad(castIntToFloat(expOf(b)), 0x3f315ffe, s);
  return b ? out : kSignBit | kInf;
}

//===--------------------------------------------------------------------------===//
// cbrt
//===--------------------------------------------------------------------------===//

/// Estimates 1 / cbrt(x) by a third of the bits of x, and refines it once; for an fp32 DST twice.
template <typename Sfpu> TTJIT_TILE_INLINE Word cbrt(Word a) {
  constexpr Word third = 0xbaaaaaab, c0 = 0x3fe04c03, c1 = 0xbfa01f36, c2 = 0x3f0266d9;
  Word x = a > (kSignBit | kInf) ? a : absOf(a); // a negative NaN keeps its sign
  Word y = Sfpu::mad(castToFloat(x), third, 0x4b548c2c) << 8;
  if constexpr (Sfpu::dst32) {
    Word c = Sfpu::mul(Sfpu::mul(x, y), Sfpu::mul(y, y));
    y = Sfpu::mul(y, Sfpu::mad(c, Sfpu::mad(c2, c, c1), c0));
    Word d = Sfpu::mul(x, Sfpu::mul(y, y));
    Word t = Sfpu::mad(Sfpu::mad(d, y, kMinusOne), addExp(third, 8), kOne);
    return Sfpu::mul(copySign(d, a), Sfpu::mul(t, t));
  }
  Word d = Sfpu::mul(x, Sfpu::mul(y, y)), c = Sfpu::mul(d, y);
  Word t = Sfpu::mad(c, Sfpu::mad(c2, c, c1), c0);
  return roundedTo16(Sfpu::mul(copySign(d, a), Sfpu::mul(t, t)));
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUROOTS_H
