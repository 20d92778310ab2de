//===- SfpuActivations.h - activation functions of the vector engine *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST. hw/tile/SfpuExp.h explains `Sfpu`.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUACTIVATIONS_H
#define TTJIT_HW_TILE_SFPUACTIVATIONS_H

#include "hw/tile/SfpuRoots.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

//===--------------------------------------------------------------------------===//
// sigmoid, silu, tanh
//===--------------------------------------------------------------------------===//

/// Returns sigmoid before the rounding. `wide`: computes it in the way for an fp32 DST.
template <typename Sfpu, bool wide> TTJIT_TILE_INLINE Word sigmoidOf(Word x) {
  Word e = wide ? exp32<Sfpu>(flipSign(x)) : exp21<Sfpu>(flipSign(x));
  return inverse<Sfpu, wide ? 2 : 1>(Sfpu::add(kOne, e));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word sigmoid(Word x) {
  return Sfpu::rounded(sigmoidOf<Sfpu, Sfpu::dst32>(x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word silu(Word x) {
  return Sfpu::rounded(Sfpu::mul(x, sigmoidOf<Sfpu, Sfpu::dst32>(x)));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word tanh16(Word x) {
  Word r = horner<typename Sfpu::Arch>(
      absOf(x), {0, 0x3f7fbec0, 0x3cfd1ca0, 0xbefa66db, 0x3e905782, 0xbd887f48, 0x3bc0919e});
  return roundedTo16(copySign(lo(r, kOne), x));
}
template <typename Sfpu> TTJIT_TILE_INLINE Word tanh32(Word x) {
  Word p = horner<typename Sfpu::Arch>(
      Sfpu::mul(x, x), {0x3f7fffff, 0xbeaaa964, 0x3e084d1f, 0xbd557b89, 0x3c7deb05});
  Word small = copySign(Sfpu::mul(x, p), x);
  Word sigmoid = sigmoidOf<Sfpu, true>(Sfpu::mul(kTwo, x));
  Word large = Sfpu::sub(Sfpu::mul(kTwo, sigmoid), kOne);
  Word special = man9(x) ? kNaN : copySign(kOne, x);
  Word finite = Sfpu::less(absOf(x), 0x3f19999a) ? small : large;
  return expField(x) == 255 ? special : finite;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word tanh(Word x) {
  return Sfpu::dst32 ? tanh32<Sfpu>(x) : tanh16<Sfpu>(x);
}

//===--------------------------------------------------------------------------===//
// gelu, erf, erfc
//===--------------------------------------------------------------------------===//

/// Returns a coefficient of SFPLUTFP32 as a float: an fp16 in which the exponent 31 means zero.
constexpr Word lutCoefficient(Word half) {
  Word exponent = half >> 10 & 31;
  return (half & 0x8000) << 16 | (exponent == 31 ? 0 : (exponent + 112) << 23) |
         (half & 0x3ff) << 13;
}

/// Returns the value of a function of six segments, which begin at 0, 0.5, 1, 1.5, 2 and 3.
template <typename Sfpu>
TTJIT_TILE_INLINE Word lookUp6(Word x, const Word (&slopes)[6], const Word (&offsets)[6]) {
  constexpr Word starts[] = {0, 0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000, 0x40400000};
  Word a = absOf(x), slope = slopes[0], offset = offsets[0];
  TTJIT_TILE_UNROLL
  for (int i = 1; i < 6; ++i) {
    slope = a >= starts[i] ? slopes[i] : slope;
    offset = a >= starts[i] ? offsets[i] : offset;
  }
  return Sfpu::mad(slope, a, offset);
}

/// gelu_tile without template arguments, which uses a table.
template <typename Sfpu> TTJIT_TILE_INLINE Word gelu(Word x) {
  constexpr Word slopes[] = {lutCoefficient(0x322b), lutCoefficient(0x37e7),
                             lutCoefficient(0x38f3), lutCoefficient(0x38e1),
                             lutCoefficient(0x3852), lutCoefficient(0x3800)};
  constexpr Word offsets[] = {lutCoefficient(0x86d8), lutCoefficient(0xb122),
                              lutCoefficient(0xb479), lutCoefficient(0xb437),
                              lutCoefficient(0xafa4), lutCoefficient(0x7c00)};
  return Sfpu::add(Sfpu::mul(x, kHalf), lookUp6<Sfpu>(x, slopes, offsets));
}

/// Returns a polynomial of odd powers of x over one of even powers. `steps`: Newton's iterations.
template <typename Sfpu, int steps, int count>
TTJIT_TILE_INLINE Word ratioOfParity(Word x, const Word (&odd)[count],
                                     const Word (&even)[count + 1]) {
  Word q = Sfpu::mul(x, x), n = odd[count - 1], d = Sfpu::mad(even[count], q, even[count - 1]);
  TTJIT_TILE_UNROLL
  for (int i = count - 2; i >= 0; --i) {
    n = Sfpu::mad(n, q, odd[i]);
    d = Sfpu::mad(d, q, even[i]);
  }
  return Sfpu::mul(Sfpu::mul(n, x), inverse<Sfpu, steps>(d));
}

template <typename Sfpu, int steps> TTJIT_TILE_INLINE Word erfBy(Word x) {
  constexpr Word odd[] = {0x3f90655c, 0x3e8d5bf2, 0x3d39f5a5, 0x3a433f7a};
  constexpr Word even[] = {0x3f800000, 0x3f130b59, 0x3e0c0a32, 0x3c07bb8c, 0x37d0275d};
  x = copySign(lo(absOf(x), 0x41200000), x);
  Word y = ratioOfParity<Sfpu, steps>(x, odd, even);
  return lo(hi(kMinusOne, y), kOne);
}
/// erf_tile without template arguments, which only estimates the reciprocal.
template <typename Sfpu> TTJIT_TILE_INLINE Word erf(Word x) { return erfBy<Sfpu, 0>(x); }

template <typename Sfpu> TTJIT_TILE_INLINE Word erfc(Word x) {
  constexpr Word above[2][5] = {{0x3f8000c4, 0xbfab356a, 0x3f2e8e14, 0xbe20af97, 0x3c613a07},
                                {0xb7d73634, 0x37b278f4, 0xb6de00dc, 0x357574ee, 0xb34b86c2}};
  constexpr Word below[2][6] = {
      {0x3f800000, 0xbe5501ee, 0x3edf9353, 0xbb628c9a, 0x3ccda887, 0x3ce873ce},
      {0x3f800000, 0xbe288596, 0xbe52a8bf, 0xbe0e383a, 0x3e01d040, 0xbcaf1b72}};
  Word a = lo(absOf(x), 0x40a00000);
  bool second = Sfpu::atLeast(a, 0x40200000);
  auto chosen = [&](Word first, Word other) { return second ? other : first; };
  Word n = chosen(above[0][4], above[1][4]);
  Word d = Sfpu::mad(chosen(below[0][5], below[1][5]), a, chosen(below[0][4], below[1][4]));
  TTJIT_TILE_UNROLL
  for (int i = 3; i >= 0; --i) {
    n = Sfpu::mad(n, a, chosen(above[0][i], above[1][i]));
    d = Sfpu::mad(d, a, chosen(below[0][i], below[1][i]));
  }
  Word y = Sfpu::mul(n, inverse<Sfpu, 0>(d));
  return isNegative(x) ? Sfpu::sub(kTwo, y) : y;
}

//===--------------------------------------------------------------------------===//
// elu, celu, selu, softplus
//===--------------------------------------------------------------------------===//

/// exp(x) - 1 for negative x.
template <typename Sfpu> TTJIT_TILE_INLINE Word negativeExpm1(Word x) {
  x = hi(x, 0xc2ae0000);
  Word t = Sfpu::mulThenAdd(x, 0x3fb8aa3b, kRounder), k = Sfpu::sub(t, kRounder);
  Word r = Sfpu::mad(k, 0xbf317000, x);
  r = Sfpu::mad(k, 0xb805fdf4, r);
  Word h =
      horner<typename Sfpu::Arch>(r, {0x3f800000, 0x3effff2d, 0x3e2aaa0e, 0x3d2b85d1, 0x3c0937d9});
  h = Sfpu::mul(r, h);
  Word w = setExp(kOne, signedOf(t - 0x4b3fff81));
  return Sfpu::mad(w, h, Sfpu::sub(w, kOne));
}

template <typename Sfpu> TTJIT_TILE_INLINE Word elu(Word x, Word alpha) {
  Word y = Sfpu::mul(alpha, negativeExpm1<Sfpu>(x));
  return Sfpu::rounded(isNegative(x) ? y : x);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word celu(Word x, Word alpha, Word inverseAlpha) {
  Word y = Sfpu::mul(alpha, negativeExpm1<Sfpu>(Sfpu::mul(inverseAlpha, x)));
  return Sfpu::rounded(isNegative(x) ? y : x);
}

/// The product of the two numbers is computed once, in fp32.
template <typename Sfpu> TTJIT_TILE_INLINE Word selu(Word x, Word scale, Word alpha) {
  Word both = bitsOf(floatOf(scale) * floatOf(alpha));
  Word y = Sfpu::mul(both, negativeExpm1<Sfpu>(x));
  return Sfpu::rounded(isNegative(x) ? y : Sfpu::mul(scale, x));
}

template <typename Sfpu>
TTJIT_TILE_INLINE Word softplus(Word x, Word beta, Word inverseBeta, Word threshold) {
  Word t = Sfpu::mul(beta, x), a = absOf(t);
  Word r =
      horner<typename Sfpu::Arch>(a, {0x3f316f5e, 0xbeff9f54, 0x3df99391, 0x3bb9f886, 0xbc2c7f34,
                                      0x3b32d951, 0xb9b42331, 0x37b28ead, 0xb5018234});
  r = Sfpu::greater(a, 0x40a00000) ? roundedTo16(exp21<Sfpu>(a | kSignBit)) : r;
  Word y = Sfpu::mul(inverseBeta, Sfpu::add(hi(t, 0), r));
  return Sfpu::less(t, threshold) ? Sfpu::rounded(y) : x;
}

//===--------------------------------------------------------------------------===//
// Small ones
//===--------------------------------------------------------------------------===//

template <typename Sfpu> TTJIT_TILE_INLINE Word relu(Word x) {
  return Sfpu::Arch::isWormhole ? hi(x, 0) : Sfpu::less(x, 0) ? 0 : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word relu_min(Word x, Word limit) {
  return Sfpu::Arch::isWormhole ? hi(x, limit) : Sfpu::less(x, limit) ? limit : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word relu_max(Word x, Word limit) {
  Word y = Sfpu::greater(x, limit) ? limit : x;
  return isNegative(y) ? 0 : y;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word leaky_relu(Word x, Word slope) {
  return isNegative(x) ? Sfpu::mul(x, slope) : x;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word threshold(Word x, Word limit, Word value) {
  return Sfpu::greater(x, limit) ? x : value;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word clamp(Word x, Word low, Word high) {
  return lo(hi(x, low), high);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word hardsigmoid(Word x) {
  Word z = Sfpu::mad(x, 0x3e2aaaab, kHalf);
  z = Sfpu::greater(z, kOne) ? kOne : z;
  return isNegative(z) ? 0 : z;
}
template <typename Sfpu> TTJIT_TILE_INLINE Word softsign(Word x) {
  return Sfpu::mul(x, inverse<Sfpu, Sfpu::approximate ? 0 : 2>(Sfpu::add(absOf(x), kOne)));
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUACTIVATIONS_H
