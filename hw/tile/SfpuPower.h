//===- SfpuPower.h - powers of the vector engine --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions return values before the store to DST (hw/tile/SfpuExp.h). Two routines exist: one
// rounds to bf16 for a 16-bit DST, the other is for an fp32 DST. Both compute x^p with a number p
// (`isUnary`) and x^y with a tile y.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_SFPUPOWER_H
#define TTJIT_HW_TILE_SFPUPOWER_H

#include "hw/tile/SfpuRoots.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu {

inline constexpr Word kLog2E = 0x3fb8aa3b;

/// Returns the integer part of a float.
TTJIT_TILE_INLINE Word integerPart(Word x) {
  int32_t exponent = expOf(x);
  return exponent < 0 ? 0 : exponent > 30 ? 0x7fffffff : shifted(man8(x), exponent - 23);
}

/// Returns the power of a negative base: its sign is negative for an odd exponent; NaN unless the
/// exponent is an integer.
TTJIT_TILE_INLINE Word withSignOfBase(Word y, Word base, Word power) {
  Word n = roundedToInt16(power);
  bool isWhole = castToFloat(n) == power;
  Word negative = copySign(y, n << 31);
  return !isNegative(base) ? y : isWhole ? negative : kNaN;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word power16(Word base, Word power) {
  Word m = setExp(absOf(base), 127);
  Word s = Sfpu::chain(m, {0x3e111cd0, 0xbf5e712a, 0x4013d4e2, 0xbfca94c9});
  Word log2 = Sfpu::mad(s, kLog2E, castIntToFloat(expOf(base)));
  Word z = Sfpu::mul(power, log2);
  z = Sfpu::less(z, 0xc2fe0000) ? 0xc2fe0000 : z;
  Word fixed = integerPart(Sfpu::add(addExp(z, 23), 0x4e7e0000));
  int32_t exponent = expOf(fixed);
  Word f = man9(fixed), d2 = Sfpu::mul(0x332ca418, castIntToFloat(signedOf(0xf94ee7 + f)));
  Word d3 = Sfpu::mul(d2, castIntToFloat(signedOf(0x560e + f)));
  Word y = setExp(integerPart(d3), 127 + exponent);
  y = absOf(base) == 0 && isNegative(power) ? kNaN : y;
  return roundedTo16(withSignOfBase(y, base, power));
}

/// Returns log2 of the base's magnitude, times the power.
template <typename Sfpu, bool isUnary> TTJIT_TILE_INLINE Word scaledLog2(Word base, Word power) {
  Word m = setExp(absOf(base), 127);
  bool halves = Sfpu::atLeast(m, 0x3fb504f3);
  m = !halves ? m : isUnary ? addExp(m, -1) : Sfpu::mul(m, kHalf);
  int32_t exponent = expOf(base) + halves;
  Word p1 = Sfpu::add(m, kOne), m1 = Sfpu::sub(m, kOne);
  Word inverse = isUnary ? Sfpu::fms(0x3e79db23, p1, 0x3f80624e) : Sfpu::fms(0x3e7876cd, p1, kOne);
  TTJIT_TILE_UNROLL
  for (int i = 0; i < 2; ++i)
    inverse = Sfpu::mul(inverse, Sfpu::sub(kTwo, Sfpu::mul(p1, inverse)));
  Word z = Sfpu::mul(m1, inverse);
  Word series = horner<typename Sfpu::Arch>(
      Sfpu::mul(z, z), {kOne, 0x3eaaaaab, 0x3e4ccccd, 0x3e124925, 0x3de38e39, 0x3dba2e8c});
  Word ln = Sfpu::mul(Sfpu::mul(z, series), kTwo);
  return Sfpu::mul(power, Sfpu::mad(ln, kLog2E, castIntToFloat(exponent)));
}

/// Returns 2^w, for a power that is a number.
template <typename Sfpu> TTJIT_TILE_INLINE Word powerOf2(Word w) {
  Word clamped = hi(w, 0xc2fdffff), t = Sfpu::add(clamped, kRounder), k = Sfpu::sub(t, kRounder);
  Word v = Sfpu::mul(clamped, 0x3f317218);
  Word r = Sfpu::mad(k, 0xb805fdf4, Sfpu::mad(k, 0xbf317000, v));
  Word y = horner<typename Sfpu::Arch>(
      r, {kOne, kOne, kHalf, 0x3e2aaaab, 0x3d2aaaab, 0x3c088889, 0x3ab60b61, 0x39500d01});
  y = setExp(y, expField(y) + signedOf(t - kRounder));
  return Sfpu::atLeast(clamped, 0x43000000) ? kInf : y;
}

template <typename Sfpu> TTJIT_TILE_INLINE Word pow_unary(Word base, Word power) {
  if constexpr (!Sfpu::dst32)
    return power16<Sfpu>(base, power);
  Word y = powerOf2<Sfpu>(scaledLog2<Sfpu, true>(base, power));
  y = absOf(base) == 0 && isNegative(power) ? kNaN : y;
  return withSignOfBase(y, base, power);
}
template <typename Sfpu> TTJIT_TILE_INLINE Word pow(Word base, Word power) {
  if constexpr (!Sfpu::dst32)
    return power16<Sfpu>(base, power);
  Word y = exp32<Sfpu>(Sfpu::mul(scaledLog2<Sfpu, false>(base, power), 0x3f317218));
  y = base == 0 && isNegative(power) ? kNaN : y;
  return withSignOfBase(y, base, power);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device::sfpu

#endif // TTJIT_HW_TILE_SFPUPOWER_H
