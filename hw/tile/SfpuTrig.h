//===- SfpuTrig.h - trigonometry of the vector engine ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST. hw/tile/SfpuExp.h explains `Sfpu`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUTRIG_H
#define TTJIT_HW_TILE_SFPUTRIG_H

#include "hw/tile/SfpuRoots.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

//===--------------------------------------------------------------------------===//
// sin, cos, tan
//===--------------------------------------------------------------------------===//

/// Returns sin of a reduced argument. If the lowest bit of `n` is set, its sign is flipped.
template <typename Sfpu> TTJIT_TILE_INLINE Word sinOfReduced(Word a, Word n) {
  Word s = Sfpu::mul(a, a);
  a ^= n << 31;
  Word r = Sfpu::dst32 ? Sfpu::mad(0x362ee484, s, 0xb94fb878) : Word{0xb9458852};
  r = Sfpu::mad(r, s, Sfpu::dst32 ? 0x3c08876d : 0x3c086151);
  Word c = Sfpu::mul(a, s);
  r = Sfpu::mad(r, s, Sfpu::dst32 ? 0xbe2aaaa6 : 0xbe2aaa52);
  return Sfpu::rounded(Sfpu::mad(r, c, a));
}

/// Returns x - j * pi (or pi / 2). The constant is the sum of `parts`.
template <typename Sfpu, int count>
TTJIT_TILE_INLINE Word reduced(Word x, Word j, const Word (&parts)[count]) {
  TTJIT_TILE_UNROLL
  for (Word part : parts)
    x = Sfpu::mad(j, part, x);
  return x;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word sin(Word x) {
  Word j0 = Sfpu::mad(x, 0x3ea2f983, kRounder), j = Sfpu::sub(j0, kRounder);
  Word a = reduced<Sfpu>(x, j, {0xc0490000, 0xba7d8000, 0xb5288000, 0xaf05a309});
  return sinOfReduced<Sfpu>(a, j0);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word cos(Word x) {
  Word j0 = Sfpu::add(Sfpu::mad(x, 0x3ea2f983, kHalf), kRounder);
  Word j = Sfpu::mad(Sfpu::add(j0, flipSign(kRounder)), kTwo, kMinusOne);
  Word a = reduced<Sfpu>(x, j, {0xbfc90000, 0xb9fd8000, 0xb4a88000, 0xae85a309});
  return sinOfReduced<Sfpu>(a, j0);
}

/// Returns -1 / r, for tan.
template <typename Sfpu> TTJIT_TILE_INLINE Word negativeInverse(Word r) {
  if constexpr (Sfpu::Arch::isWormhole) {
    Word n = setMan(kMinusOne, r), t = Sfpu::mad(0x3ea57ebb, n, 0x3fba2e90);
    t = Sfpu::mad(t, n, 0x4007c1f2);
    Word w = Sfpu::mul(setMan(~r, 0), kHalf);
    t = Sfpu::mad(t, Sfpu::mad(n, t, kOne), t);
    return Sfpu::mul(t, w);
  } else {
    Word t = reciprocalEstimate(r), e = Sfpu::mad(flipSign(r), t, kOne);
    return Sfpu::mad(flipSign(t), e, flipSign(t));
  }
}

template <typename Sfpu> TTJIT_TILE_INLINE Word tan(Word x) {
  Word j0 = Sfpu::mad(x, 0x3f22f983, kRounder), j = Sfpu::add(j0, flipSign(kRounder));
  Word a = reduced<Sfpu>(x, j, {0xbfc90000, 0xb9fd8000, 0xb4a88000, 0xae85a309});
  Word s = Sfpu::mul(a, a), t;
  if constexpr (Sfpu::dst32) {
    t = Sfpu::chain(
        s, {0x3b7d4fc1, 0x3a95a020, 0x3c23c3e8, 0x3cb1055e, 0x3d5d2b8b, 0x3e088839, 0x3eaaaaab});
  } else {
    t = Sfpu::mad(0x3da78fa7, s, 0x3e015cc0);
    t = Sfpu::mad(t, s, 0x3eaaca98);
  }
  t = Sfpu::mul(t, s);
  Word r = Sfpu::mad(t, a, a), inverted = negativeInverse<Sfpu>(r);
  if constexpr (Sfpu::dst32) {
    Word low = Sfpu::mad(t, a, Sfpu::mad(kMinusOne, r, a));
    Word error = Sfpu::mad(low, inverted, Sfpu::mad(r, inverted, kOne));
    inverted = Sfpu::mad(error, inverted, inverted);
  }
  return Sfpu::rounded(j0 & 1 ? inverted : r);
}

//===--------------------------------------------------------------------------===//
// Inverse functions
//===--------------------------------------------------------------------------===//

inline constexpr Word kHalfPi = 0x3fc90fdb;

template <typename Sfpu> TTJIT_TILE_INLINE Word atan(Word x) {
  Word t = absOf(x), d = Sfpu::sub(t, kOne);
  bool isLarge = !isNegative(d) && d != 0;
  t = isLarge ? inverse<Sfpu, 2>(t) : t;
  Word z = Sfpu::mul(t, t);
  if constexpr (Sfpu::dst32)
    z = horner<typename Sfpu::Arch>(z, {kOne, 0xbeaaaa6b, 0x3e4cbbf8, 0xbe11818f, 0x3dda5394,
                                        0xbd9a6ff9, 0x3d307766, 0xbc857426, 0x3b3e2d89});
  else
    z = horner<typename Sfpu::Arch>(z, {0x3f7ff219, 0xbea6d062, 0x3e1f501a, 0xbd358ff6});
  z = Sfpu::mul(z, t);
  z = copySign(isLarge ? Sfpu::sub(kHalfPi, z) : z, x);
  return Sfpu::rounded(absOf(x) > kInf ? kNaN : z);
}

/// The angle of the point (x, y): the arc tangent of the smaller magnitude over the larger one,
/// moved to the octant of the point.
template <typename Sfpu> TTJIT_TILE_INLINE Word atan2(Word y, Word x) {
  constexpr bool isShort = !Sfpu::dst32 || Sfpu::approximate;
  Word low = lo(absOf(x), absOf(y)), high = hi(absOf(x), absOf(y));
  Word a = Sfpu::mul(low, inverse<Sfpu, isShort ? 0 : 2>(high)), s = Sfpu::mul(a, a), q;
  if constexpr (Sfpu::dst32)
    q = Sfpu::chain(s, {0x3b80e000, 0xbca5e000, 0x3d498000, 0xbda46000, 0x3ddea000, 0xbe120000,
                        0x3e4cc9c5, 0xbeaaaaac});
  else
    q = Sfpu::chain(s, {0xbd6f4000, 0x3e334000, 0xbeaa0000});
  Word r = Sfpu::mad(Sfpu::mul(q, s), a, a);
  bool isSteep = low >= absOf(x), isDiagonal = isSteep && low >= high;
  r = isSteep ? Sfpu::sub(kHalfPi, r) : r;
  r = isDiagonal ? (low == 0 ? 0 : addExp(kHalfPi, -1)) : r;
  r = isNegative(x) ? Sfpu::sub(addExp(kHalfPi, 1), r) : r;
  return high > kInf ? kNaN : copySign(Sfpu::rounded(r), y);
}

template <typename Sfpu> TTJIT_TILE_INLINE Word asinRatio(Word v) {
  Word q = Sfpu::mul(v, v);
  if constexpr (Sfpu::dst32)
    return Sfpu::mul(v, horner<typename Sfpu::Arch>(q, {kOne, 0x3e2aaaab, 0x3d99999a, 0x3d36db6e,
                                                        0x3cf8e38e, 0x3cb745d1, 0x3c8e2762,
                                                        0x3c64cccd, 0x3c3d43c4, 0x3c1fef28}));
  else
    return Sfpu::mul(
        v, horner<typename Sfpu::Arch>(q, {0x3f7ffe99, 0x3e2bbcc3, 0x3d82b032, 0x3daa49f1}));
}

/// Returns asin before rounding; NaN outside of [-1, 1].
template <typename Sfpu> TTJIT_TILE_INLINE Word asinOf(Word x) {
  Word b = absOf(x), small = asinRatio<Sfpu>(b);
  Word t = Sfpu::mul(Sfpu::sub(kOne, b), kHalf);
  Word large = Sfpu::sub(kHalfPi, Sfpu::mul(kTwo, asinRatio<Sfpu>(plainRoot<Sfpu>(t))));
  Word g = Sfpu::greater(b, 0x3f200000) ? large : small;
  return copySign(g, x);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word asin(Word x) {
  return Sfpu::rounded(Sfpu::greater(absOf(x), kOne) ? kNaN : asinOf<Sfpu>(x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word acos(Word x) {
  Word y = Sfpu::sub(kHalfPi, asinOf<Sfpu>(x));
  return Sfpu::rounded(Sfpu::greater(absOf(x), kOne) ? kNaN : y);
}

//===--------------------------------------------------------------------------===//
// Hyperbolic functions
//===--------------------------------------------------------------------------===//

/// Returns 1 / x for positive x, for sinh and cosh.
template <typename Sfpu> TTJIT_TILE_INLINE Word positiveInverse(Word x) {
  if constexpr (Sfpu::Arch::isWormhole) {
    Word y = 0xfef392e0 - x, e = Sfpu::mad(x, y, kOne);
    if constexpr (Sfpu::dst32) {
      y = Sfpu::mad(y, e, y);
      e = Sfpu::mad(x, y, kOne);
    }
    Word p = Sfpu::mad(e, e, e);
    y = flipSign(y);
    return Sfpu::mad(y, p, y);
  } else {
    Word y = reciprocalEstimate(x), e = Sfpu::mad(flipSign(x), y, kOne);
    y = Sfpu::mad(y, e, y);
    if constexpr (Sfpu::dst32)
      y = Sfpu::mad(y, Sfpu::mad(flipSign(x), y, kOne), y);
    return y;
  }
}

/// Returns x - u * ln 2, where u is the integer nearest to x / ln 2.
template <typename Sfpu> TTJIT_TILE_INLINE Word withoutPowerOf2(Word x, Word u) {
  Word j = castToFloat(u), f = Sfpu::mad(j, Sfpu::dst32 ? 0xbf317200 : 0xbf317218, x);
  return Sfpu::dst32 ? Sfpu::mad(j, 0xb5bfbe8e, f) : f;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word cosh(Word x) {
  x = absOf(x);
  Word u = roundedToUInt8(Sfpu::mul(x, 0x3fb8aa3b)), i = u + 125, f = withoutPowerOf2<Sfpu>(x, u),
       r;
  if constexpr (Sfpu::dst32) {
    r = Sfpu::chain(f, {0x3ab4a000, 0x3c092f6e, 0x3d2aadad, 0x3e2aaa28, 0x3efffffb, 0x3f800000});
  } else {
    r = Sfpu::mad(0x3d1f3dad, f, 0x3e2c3607);
    r = Sfpu::mad(r, f, 0x3f0007ff);
    r = Sfpu::mad(r, f, 0x3f7ffd9b);
  }
  r = Sfpu::mad(r, f, kOne);
  Word q = i < 255 ? Sfpu::mul(r, i << 23) : Sfpu::mul(x, kInf); // e^|x| / 4
  Word y = Sfpu::add(q, q), w = Sfpu::mul(positiveInverse<Sfpu>(q), 0x3e000000);
  return Sfpu::rounded(expOf(q) < 24 ? Sfpu::add(y, w) : y);
}

template <typename Sfpu> TTJIT_TILE_INLINE Word sinh(Word x) {
  Word a = absOf(x), u = roundedToUInt8(Sfpu::mul(a, 0x3fb8aa3b)), f = withoutPowerOf2<Sfpu>(a, u);
  Word s = Sfpu::mul(f, f), r;
  if constexpr (Sfpu::dst32) {
    r = Sfpu::chain(f, {0x394f0000, 0x3ab698f2, 0x3c0888fb, 0x3d2aaacf, 0x3e2aaaae, 0x3effffff});
  } else {
    r = Sfpu::mad(0x3c090000, f, 0x3d2b2000);
    r = Sfpu::mad(r, f, 0x3e2aa000);
    r = Sfpu::mad(r, f, kHalf);
  }
  r = Sfpu::mad(r, s, f);
  Word scale = (u << 23) + 0x3e800000, b = Sfpu::sub(scale, 0x3e800000);
  Word q = u < 130 ? Sfpu::mad(r, scale, b) : Sfpu::mul(a, kInf); // (e^|x| - 1) / 4
  Word w = positiveInverse<Sfpu>(Sfpu::mad(0x40800000, q, kOne)), y = Sfpu::add(q, q);
  y = expOf(q) < 23 ? Sfpu::mad(y, w, y) : y;
  y = expOf(q) >= -27 ? y : x;
  return Sfpu::rounded(copySign(y, x));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word acosh(Word x) {
  Word root = rootOf<Sfpu>(Sfpu::mad(x, x, kMinusOne));
  Word y = oldLog<Sfpu>(Sfpu::add(root, x));
  y = Sfpu::equal(x, kOne) ? 0 : y;
  return Sfpu::less(x, kOne) ? kNaN : y;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word asinh(Word x) {
  Word root = rootOf<Sfpu>(Sfpu::mad(x, x, kOne));
  Word y = oldLog<Sfpu>(Sfpu::add(root, absOf(x)));
  return Sfpu::less(x, 0) ? flipSign(y) : y;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word atanh(Word x) {
  Word d = Sfpu::sub(kOne, x), t = copySign(inverse<Sfpu, 2>(d), d);
  t = Sfpu::rounded(t);
  Word y = Sfpu::mul(kHalf, oldLog<Sfpu>(Sfpu::mul(Sfpu::add(kOne, x), t)));
  y = Sfpu::equal(absOf(x), kOne) ? copySign(kInf, x) : y;
  return Sfpu::greater(absOf(x), kOne) ? kNaN : y;
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUTRIG_H
