//===- SfpuVector.h - functions that only kernels in C++ have -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operations of hw/facts/VectorOp.h in the card's arithmetic. Each takes an element and a
// second word, and returns the value before the store to DST. Operations on integers with the same
// results on the card and the host are in hw/calls/VectorApi.cpp.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUVECTOR_H
#define TTJIT_HW_TILE_SFPUVECTOR_H

#include "hw/tile/SfpuActivations.h"
#include "hw/tile/SfpuCompare.h"
#include "hw/tile/SfpuPower.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

/// Returns an integer as software reads it that does not say how integers are loaded: Wormhole then
/// reads sign and magnitude, where the smallest integer is zero.
template <typename Sfpu> TTJIT_TILE_INLINE Word loadedInt(Word x) {
  return Sfpu::Arch::isWormhole && x == kSignBit ? 0 : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word eq_int(Word a, Word b) {
  return loadedInt<Sfpu>(a) == b;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ne_int(Word a, Word b) {
  return loadedInt<Sfpu>(a) != b;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word ltz_int(Word x, Word) {
  return signedOf(loadedInt<Sfpu>(x)) < 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word lez_int(Word x, Word) {
  return signedOf(loadedInt<Sfpu>(x)) <= 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gtz_int(Word x, Word) {
  return signedOf(loadedInt<Sfpu>(x)) > 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gez_int(Word x, Word) {
  return signedOf(loadedInt<Sfpu>(x)) >= 0;
}

/// Fills a logical shift with ones from the left. A second shift makes the ones, and its distance
/// is 32 minus the first one. So distances outside of 0 to 31 have results of their own.
template <typename Sfpu> TTJIT_TILE_INLINE Word shift_right_signed(Word x, Word distance) {
  Word bits = signedOf(distance) >= 32 ? 0 : shifted(x, signedOf(Word{0} - distance));
  Word ones = shifted(~Word{0}, signedOf(Word{32} - distance));
  return isNegative(x) && distance != 0 ? bits | ones : bits;
}
/// Shifts right by a constant from 0 to 31.
template <typename Sfpu> TTJIT_TILE_INLINE Word shift_right_by_word(Word x, Word distance) {
  return wordOf(signedOf(loadedInt<Sfpu>(x)) >> (distance & 31));
}

//===--------------------------------------------------------------------------===//
// Floats
//===--------------------------------------------------------------------------===//

/// Returns x if its magnitude is greater than the limit, else 0.
template <typename Sfpu> TTJIT_TILE_INLINE Word hardshrink(Word x, Word limit) {
  return Sfpu::greater(absOf(x), limit) ? x : 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word softshrink(Word x, Word size) {
  Word below = Sfpu::less(x, flipSign(size)) ? Sfpu::add(x, size) : 0;
  return Sfpu::greater(x, size) ? Sfpu::sub(x, size) : below;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word heaviside(Word x, Word atZero) {
  return isNegative(x) ? 0 : x ? kOne : atZero;
}
/// -0 and NaN are not zero here.
template <typename Sfpu> TTJIT_TILE_INLINE Word logical_not(Word x, Word) { return truth(x == 0); }
template <typename Sfpu> TTJIT_TILE_INLINE Word isposinf(Word x, Word) { return truth(x == kInf); }
template <typename Sfpu> TTJIT_TILE_INLINE Word isneginf(Word x, Word) {
  return truth(x == (kSignBit | kInf));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word isfinite(Word x, Word) {
  return truth(expField(x) != 255);
}
/// Only loads and stores the element.
template <typename Sfpu> TTJIT_TILE_INLINE Word identity(Word x, Word) { return x; }

/// For a 16-bit DST, the reciprocal is rounded, but the product is not.
template <typename Sfpu> TTJIT_TILE_INLINE Word rdiv(Word x, Word k) {
  if constexpr (Sfpu::approximate)
    return Sfpu::mul(inverse<Sfpu, 0>(x), k);
  return Sfpu::mul(Sfpu::rounded(inverse<Sfpu, Sfpu::dst32 ? 2 : 1>(x)), k);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word rdiv_trunc(Word x, Word k) {
  return trunc<Sfpu>(rdiv<Sfpu>(x, k));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word rdiv_floor(Word x, Word k) {
  return floor<Sfpu>(rdiv<Sfpu>(x, k));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word log_with_base(Word x, Word scale) {
  return Sfpu::rounded(logOf<Sfpu, Sfpu::dst32>(x, [&](Word y) { return Sfpu::mul(y, scale); }));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word exp_scaled(Word x, Word scale) {
  return exp<Sfpu>(Sfpu::mul(scale, x));
}

//===--------------------------------------------------------------------------===//
// Variants
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word accurate_erf(Word x, Word) {
  return erfBy<Sfpu, 2>(x);
}

/// Blackhole's reciprocal for an fp32 DST: makes two steps of an iteration at once. Where they
/// underflow, the result is the first estimate.
template <typename Sfpu> TTJIT_TILE_INLINE Word recipBlackhole32(Word x) {
  Word y = reciprocalEstimate(x), e = Sfpu::mad(flipSign(x), y, kOne);
  Word t = Sfpu::mad(Sfpu::mad(e, e, e), e, e);
  return Sfpu::mad(lo(t, kOne), y, y);
}
/// Blackhole's reciprocal for a 16-bit DST, whose store cuts the lower half that the step adds.
template <typename Sfpu> TTJIT_TILE_INLINE Word recipBlackhole16(Word x) {
  Word w = Sfpu::mad(0, 0, x), y = (reciprocalEstimate(x) & 0xffff0000) | 0x8000;
  return y + (Sfpu::mad(w, y, kMinusOne) >> 16);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word accurate_recip(Word x, Word) {
  if constexpr (Sfpu::approximate)
    return inverse<Sfpu, 0>(x);
  else if constexpr (Sfpu::Arch::isWormhole)
    return Sfpu::rounded(inverse<Sfpu, Sfpu::dst32 ? 2 : 1>(x));
  else
    return Sfpu::dst32 ? recipBlackhole32<Sfpu>(x) : recipBlackhole16<Sfpu>(x);
}

inline constexpr Word kGeluStart = 0xc0b15cef; ///< -5.54; results below are 0

template <typename Sfpu> TTJIT_TILE_INLINE Word gelu16(Word x) {
  using Arch = typename Sfpu::Arch;
  Word q = Sfpu::mul(x, x), t = Sfpu::mulThenAdd(q, 0xbf38aa3b, 0x42fe0000);
  Word e = core21<Sfpu>(t, 0x3f803885);
  Word h = horner<Arch>(x, {0x3e9b7e8e, 0x3dc36818, 0x3c624345, 0x3a471981});
  h = Sfpu::sub(Sfpu::mulThenAdd(e, h, 0x3ec00000), 0x3ec00000);
  Word o = horner<Arch>(
      q, {0x3ecc422a, 0xbd87e84c, 0x3c201ac3, 0xba8c7afe, 0x38ab9292, 0xb67f907a, 0x33ab6a49});
  Word middle = Sfpu::mul(x, Sfpu::mulThenAdd(x, o, kHalf));
  Word y = Sfpu::atLeast(x, 0xc0480000) ? middle : Sfpu::mul(x, h);
  y = Sfpu::atLeast(x, 0x40320000) ? x : y;
  return roundedTo16(Sfpu::greater(x, kGeluStart) ? y : 0);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word gelu32(Word x) {
  constexpr Word odd[] = {0x3f906eba, 0x3e5bedcd, 0x3d7e7fa1, 0x3bb84182,
                          0x3a20b676, 0x37944be8, 0x32eb3b7a, 0xaf9d680c};
  constexpr Word even[] = {0x3f800000, 0x3f060f6b, 0x3e04ba56, 0x3ca0e975, 0x3b001800,
                           0x390a3143, 0x35b094db, 0xb1719360, 0xacecf824};
  Word s = lo(Sfpu::mul(x, 0x3f3504f3), 0x41200000);
  Word g = ratioOfParity<Sfpu, 2>(s, odd, even);
  g = lo(hi(kMinusOne, g), kOne);
  Word y = Sfpu::mul(x, Sfpu::mad(kHalf, g, kHalf));
  y = Sfpu::equal(g, kMinusOne) ? Sfpu::mul(x, 0x33000000) : y;
  return Sfpu::greater(x, kGeluStart) ? y : 0;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word accurate_gelu(Word x, Word) {
  return Sfpu::dst32 ? gelu32<Sfpu>(x) : gelu16<Sfpu>(x);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUVECTOR_H
