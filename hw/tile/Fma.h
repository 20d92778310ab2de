//===- Fma.h - fused multiply-add on every target -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// lane::fma: a * b + c, rounded once to nearest even. The instruction where the
// target has it, elsewhere our own with the same bits (NaN's apart).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FMA_H
#define TTJIT_HW_TILE_FMA_H

#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

/// Without the instruction. The product of two floats is exact in double. Their
/// sum with c is rounded to odd: if inexact, of the two doubles around it the
/// one whose last bit is set. 53 bits being at least 24 + 2, the rounding to float that
/// follows gives what a single one would (Boldo and Melquiond 2008), also in
/// the denormal range. No double over- or underflows on the way.
TTJIT_TILE_INLINE float fmaByOddSum(float a, float b, float c) {
  double product = double(a) * double(b);
  double addend = c;
  double sum = product + addend;
  // What rounding lost (Knuth's two-sum); NaN for infinite and NaN sums.
  double shadow = sum - product;
  double lost = (product - (sum - shadow)) + (addend - shadow);
  uint64_t bits = bitsOf(sum);
  // A sum that was rounded to even steps by one towards what was lost.
  bool outward = (lost > 0) == (sum > 0);
  uint64_t odd = outward ? (bits | 1) : (bits - (~bits & 1));
  bool inexact = (lost > 0) | (lost < 0);
  return float(doubleOf(inexact ? odd : bits));
}

TTJIT_TILE_INLINE float fma(float a, float b, float c) {
#if TTJIT_TILE_HAS_FMA
  return __builtin_fmaf(a, b, c);
#else
  return fmaByOddSum(a, b, c);
#endif
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_FMA_H
