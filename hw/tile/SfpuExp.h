//===- SfpuExp.h - exponentials of the vector engine ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST. `Sfpu` is SfpuConfig: the architecture, the
// width of DST and the mode of approximation.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUEXP_H
#define TTJIT_HW_TILE_SFPUEXP_H

#include "hw/tile/SfpuMath.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// The settings for which software of the vector engine is compiled.
template <typename ArchT, bool hasWideDst, bool approximates> struct SfpuConfig {
  using Arch = ArchT;
  static constexpr bool dst32 = hasWideDst;
  static constexpr bool approximate = approximates;

  TTJIT_TILE_INLINE static Word mad(Word x, Word y, Word z) { return device::mad<Arch>(x, y, z); }
  TTJIT_TILE_INLINE static Word mul(Word a, Word b) { return device::mul<Arch>(a, b); }
  TTJIT_TILE_INLINE static Word add(Word a, Word b) { return device::add<Arch>(a, b); }
  TTJIT_TILE_INLINE static Word sub(Word a, Word b) { return device::sub<Arch>(a, b); }
  TTJIT_TILE_INLINE static Word fms(Word a, Word b, Word c) { return device::fms<Arch>(a, b, c); }
  TTJIT_TILE_INLINE static Word mulThenAdd(Word a, Word b, Word c) {
    return device::mulThenAdd<Arch>(a, b, c);
  }
  /// Evaluates a polynomial: begins with c[0], and multiplies by x and adds the next, to the last.
  template <int count> TTJIT_TILE_INLINE static Word chain(Word x, const Word (&c)[count]) {
    Word result = c[0];
    TTJIT_TILE_UNROLL
    for (int i = 1; i < count; ++i)
      result = mad(result, x, c[i]);
    return result;
  }
  /// Rounds a result for a 16-bit DST, halves away from zero.
  TTJIT_TILE_INLINE static Word rounded(Word x) { return dst32 ? x : roundedTo16(x); }

  /// Comparisons subtract, and test the sign and the bits of the difference.
  TTJIT_TILE_INLINE static Word difference(Word a, Word b) {
    return device::mad<Arch>(b, kMinusOne, a);
  }
  TTJIT_TILE_INLINE static bool less(Word a, Word b) { return isNegative(difference(a, b)); }
  TTJIT_TILE_INLINE static bool atLeast(Word a, Word b) { return !less(a, b); }
  TTJIT_TILE_INLINE static bool greater(Word a, Word b) {
    Word d = difference(a, b);
    return !isNegative(d) && d != 0;
  }
  TTJIT_TILE_INLINE static bool equal(Word a, Word b) { return difference(a, b) == 0; }
};

namespace sfpu {

//===--------------------------------------------------------------------------===//
// exp
//===--------------------------------------------------------------------------===//

/// 2^(t - 127) for t from 0 to 255 by a polynomial of degree 2, whose constant term is `constant`.
/// `mask` is applied to the fixed-point number that has the exponent.
template <typename Sfpu> TTJIT_TILE_INLINE Word core21(Word t, Word constant, Word mask = ~0u) {
  Word fixed = shifted(man8(t), expOf(t));
  Word f = castToFloat(man9(fixed));
  Word p = Sfpu::mad(f, 0x27aca418, 0x33a85ada);
  p = Sfpu::mad(p, f, constant);
  return setExp(p, expField(fixed & mask));
}

/// The exponential that other functions use.
template <typename Sfpu> TTJIT_TILE_INLINE Word exp21(Word x) {
  Word t = Sfpu::mulThenAdd(x, 0x3fb8aa3b, 0x42fe0000);
  return core21<Sfpu>(lo(hi(t, 0), 0x437f0000), 0x3f803885);
}

template <typename Sfpu> TTJIT_TILE_INLINE Word exp16(Word x) {
  Word t = Sfpu::mad(x, 0x3fb8aa3b, 0x42fe0000);
  if constexpr (Sfpu::Arch::isWormhole)
    return roundedTo16(core21<Sfpu>(lo(hi(t, 0), 0x437f0000), 0x3f804000));
  t = lo(t, 0x437f0000);
  return roundedTo16(core21<Sfpu>(t, 0x3f804000, isBelow(0, t) ? ~0u : 0));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word exp32(Word a) {
  Word j = Sfpu::mul(0x3fb8aa3b, a), s = roundedToInt16(j);
  j = castToFloat(s);
  Word f = Sfpu::mad(j, 0xbf317200, a);
  f = Sfpu::mad(j, 0xb5bfbe8e, f);
  Word r = Sfpu::chain(f, {0x3ab4a000, 0x3c092f6e, 0x3d2aadad, 0x3e2aaa28, 0x3efffffb});
  Word y = Sfpu::mad(r, f, kOne);
  r = Sfpu::mad(y, f, kOne);
  int32_t e = expField(r) + intOf(s);
  Word special = Sfpu::mul(y, kInf);
  Word normal = e < 1 ? 0 : setExp(r, e);
  return e < 255 ? normal : special;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word exp(Word x) {
  return Sfpu::dst32 ? exp32<Sfpu>(x) : exp16<Sfpu>(x);
}

/// exp_tile<true>: computes the exponent and 8 bits of fraction as one rounded integer.
template <typename Sfpu> TTJIT_TILE_INLINE Word exp_approx(Word x) {
  Word v = Sfpu::mad(0x43b8aa3b, hi(x, 0xc2b10000), 0x46fde9a3);
  return roundedToUInt16(v) << 15;
}

//===--------------------------------------------------------------------------===//
// exp2, expm1
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word exp2_16(Word x) {
  Word t = Sfpu::add(x, 0x42fe0000);
  return roundedTo16(core21<Sfpu>(lo(hi(t, 0), 0x437f0000), 0x3f803885));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word exp2_32(Word x) {
  Word s = roundedToInt16(x), f = Sfpu::sub(x, castToFloat(s));
  Word r = Sfpu::chain(f, {0x3920e000, 0x3aafa000, 0x3c1da000});
  Word y = Sfpu::mad(r, f, 0x3d6357ec);
  r = Sfpu::mad(y, f, 0x3e75fdd0);
  y = Sfpu::mul(y, kInf);
  r = Sfpu::mad(r, f, 0x3f317217);
  r = Sfpu::mad(r, f, kOne);
  int32_t e = expField(r) + intOf(s);
  Word normal = e < 1 ? 0 : setExp(r, e);
  return e < 255 ? normal : y;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word exp2(Word x) {
  return Sfpu::dst32 ? exp2_32<Sfpu>(x) : exp2_16<Sfpu>(x);
}

inline constexpr Word kRounder = 0x4b400000; ///< 1.5 * 2^23: adding it rounds to an integer

template <typename Sfpu> TTJIT_TILE_INLINE Word expm1_16(Word a) {
  Word j0 = Sfpu::mad(0x3fb8aa3b, a, kRounder), j = Sfpu::sub(j0, kRounder);
  Word f = Sfpu::mad(j, 0xbf317218, a);
  Word r = Sfpu::mad(0x3c090000, f, 0x3d2b2000), s = Sfpu::mul(f, f);
  r = Sfpu::mad(r, f, 0x3e2aa000);
  r = Sfpu::mad(r, f, kHalf);
  r = Sfpu::mad(r, s, f);
  Word m = Sfpu::add(j, 0xc0000000), scale = (j0 << 23) + kHalf;
  Word b = Sfpu::sub(scale, kHalf), places = roundedToInt8(absOf(m));
  Word q = Sfpu::mad(scale, r, b);
  Word limit = isNegative(m) ? 0xbf000000 : Sfpu::mul(m, kInf);
  q = Sfpu::mul(places >= 127 ? limit : q, kTwo);
  return roundedTo16(j ? q : r);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word expm1_32(Word a) {
  Word j0 = Sfpu::mad(0x3fb8aa3b, a, kRounder), j = Sfpu::sub(j0, kRounder);
  Word f = Sfpu::mad(j, 0xbf317200, a);
  f = Sfpu::mad(j, 0xb5bfbe8e, f);
  Word s = Sfpu::mul(f, f),
       r = Sfpu::chain(f, {0x394f0000, 0x3ab698f2, 0x3c0888fb, 0x3d2aaacf, 0x3e2aaaae, 0x3effffff});
  Word n = Sfpu::add(j, kMinusOne), u = n == 0 ? Sfpu::add(f, kHalf) : f;
  r = Sfpu::mad(r, s, u);
  Word t = (j0 << 23) + kHalf, y = Sfpu::sub(t, kHalf), x = Sfpu::sub(Sfpu::sub(t, y), kHalf);
  Word m = Sfpu::add(n, kMinusOne);
  Word q = Sfpu::add(Sfpu::mad(r, t, x), y);
  Word limit = isNegative(m) ? 0xbf000000 : Sfpu::mul(m, kInf);
  q = roundedToInt8(absOf(m)) >= 127 ? limit : q;
  q = Sfpu::mul(n ? q : r, kTwo);
  return j ? q : r;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word expm1(Word x) {
  return Sfpu::dst32 ? expm1_32<Sfpu>(x) : expm1_16<Sfpu>(x);
}

} // namespace sfpu
} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_SFPUEXP_H
