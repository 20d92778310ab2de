//===- Fpu.h - the arithmetic of the matrix engine ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of the Tensix matrix engine (the FPU), bit by bit. Every instruction adds one or
// two terms to an element of DST. A term is an integer v and an exponent e, and has the value v *
// 2^(e - 127 - 23). accumulate() aligns the terms and the element to the largest of their
// exponents, adds them, and rounds to the width of DST.
//
// Operands are elements of SrcA and SrcB: floats with 10 bits of fraction, as the bits of the
// float. The exponents of fp16 data have 5 bits and a bias of their own; those of fp32 DST elements
// have 8 bits. An exponent of 0 means zero. 255 is an ordinary exponent: here, infinity and NaN are
// large numbers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FPU_H
#define TTJIT_HW_TILE_FPU_H

#include "hw/tile/IntRow.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::device {

/// How the matrix engine is configured.
struct FpuMode {
  bool isWormhole;           ///< else Blackhole
  bool dst32;                ///< DST holds fp32, else 16 bits
  bool wideExponents = true; ///< of the operands: 8 bits, else 5 (fp16)
};

template <typename I> struct Term {
  I value, exponent;
};

//===--------------------------------------------------------------------------===//
// Adding to DST
//===--------------------------------------------------------------------------===//

/// Bits of a significand in DST.
constexpr int32_t keptBits(FpuMode mode) { return mode.dst32 ? 24 : mode.wideExponents ? 8 : 11; }

/// Returns the bits of a result from its sign, exponent and significand, whose leading one is at
/// bit 23. A significand of 2^24 counts as the next power of two.
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I encoded(I sign, I exponent, I significand) {
  constexpr bool saturates = !mode.dst32 && !mode.wideExponents;
  constexpr int32_t limit = saturates ? 32 : 255;
  constexpr int32_t largest = saturates ? 31 << 23 | 0x3ff << 13 : kInfinity;
  I carried = exponent + (significand >> 24);
  I bits = ((smaller(larger(exponent, all<I>(0)), all<I>(254)) - 1) << 23) + significand;
  bits = carried >= limit ? all<I>(largest) : bits;
  return carried <= 0 ? all<I>(0) : sign | bits;
}

/// Rounds sum * 2^(exponent - 150) to the width of DST, halves away from zero. Too small results
/// become +0. For a sum of -1 only, Wormhole's normaliser counts one place too few.
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I normalized(I sum, I exponent) {
  constexpr int32_t kept = keptBits(mode);
  I sign = sum & kSign, magnitude = sum < 0 ? -sum : sum;
  I highest = highestBit(magnitude | 1);
  I drop = highest + 1 - kept, none = all<I>(0);
  I rounded = shiftRounded(magnitude, larger(drop, none)) << larger(-drop, none);
  I result = encoded<mode, I>(sign, exponent + highest - 23, rounded << (24 - kept));
  if constexpr (mode.isWormhole && mode.dst32)
    result = sum == -1 ? encoded<mode, I>(sign, exponent + 4, all<I>(kHidden)) : result;
  return result;
}

/// Returns DST + first + second.
template <FpuMode mode, typename I>
TTJIT_TILE_INLINE I accumulate(const Term<I> &first, const Term<I> &second, I dst) {
  I own = exponentOf(dst);
  I exponent = larger(larger(first.exponent, second.exponent), own);
  I a = shiftRounded(first.value, exponent - first.exponent);
  I b = shiftRounded(second.value, exponent - second.exponent);
  I magnitude = shiftRounded(significandOf(dst), exponent - own);
  if constexpr (!mode.dst32) {
    a = (a + 0x1000) & ~0x1fff;
    b = (b + 0x1000) & ~0x1fff;
    magnitude = (magnitude + 0x1000) & ~0x1fff;
  }
  I sum = a + b + (dst < 0 ? -magnitude : magnitude);
  I isZero = all<I>(0);
  I result = normalized<mode, I>(sum, exponent);
  result = sum == 0 ? isZero : result;
  return exponent <= 0 ? isZero : result;
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

/// Exponent of a product of two numbers whose exponents are 0, in one fidelity phase.
constexpr int32_t productBias(FpuMode mode, int phase) {
  int32_t bias = mode.wideExponents ? -127 : mode.dst32 ? 97 : -15;
  return bias - (phase & 1 ? 5 : 0) - (phase & 2 ? 7 : 0);
}
/// Exponent of the terms that are zero.
constexpr int32_t zeroExponent(FpuMode mode, int phase) {
  int32_t bias = productBias(mode, phase);
  return bias > 0 ? bias : 0;
}

/// An exponent that no sum with another one makes positive.
inline constexpr int32_t kZeroOperand = -4096;

/// The bits of an operand that one phase multiplies. Zero has the exponent kZeroOperand.
template <typename I> struct Factor {
  I exponent, magnitude;
  I sign; ///< 0 or -1
};

template <typename I> TTJIT_TILE_INLINE I fractionOf11(I bits) {
  return (bits >> 13 & 0x3ff) | 0x400;
}

/// Returns five bits of an element of SrcA. No phase uses its lowest bit.
template <typename I> TTJIT_TILE_INLINE Factor<I> factorA(I bits, int phase) {
  I exponent = exponentOf(bits), fraction = fractionOf11(bits);
  I part = phase & 1 ? fraction >> 1 & 31 : fraction >> 6;
  I isZero = all<I>(0);
  return {exponent == 0 ? all<I>(kZeroOperand) : exponent, exponent == 0 ? isZero : part,
          bits >> 31};
}
/// Returns seven bits of an element of SrcB, or its last four.
template <typename I> TTJIT_TILE_INLINE Factor<I> factorB(I bits, int phase) {
  I exponent = exponentOf(bits), fraction = fractionOf11(bits);
  I part = phase & 2 ? (fraction & 15) << 3 : fraction >> 4;
  I isZero = all<I>(0);
  return {exponent == 0 ? all<I>(kZeroOperand) : exponent, exponent == 0 ? isZero : part,
          bits >> 31};
}

/// Returns the sum of eight products. Each product is rounded to a multiple of the last place of
/// the product with the largest exponent, halves away from zero.
template <FpuMode mode, typename I, typename AtA, typename AtB>
TTJIT_TILE_INLINE Term<I> sumOf8(AtA a, AtB b, int phase) {
  const int32_t bias = productBias(mode, phase);
  I exponent = all<I>(zeroExponent(mode, phase)), sum = all<I>(0);
  for (int i = 0; i < 8; ++i)
    exponent = larger(exponent, a(i).exponent + b(i).exponent + bias);
  for (int i = 0; i < 8; ++i) {
    I distance = exponent - (a(i).exponent + b(i).exponent + bias);
    I product = shiftRounded(a(i).magnitude * b(i).magnitude, distance);
    I sign = a(i).sign ^ b(i).sign;
    sum += (product ^ sign) - sign;
  }
  I none = all<I>(0);
  return {exponent <= 0 ? none : sum << 13, exponent};
}

/// DST + a[0] * b[0] + ... + a[15] * b[15] in one phase, as one MVMUL or GAPOOL adds it.
/// a(i) and b(i) return factors of that phase.
template <FpuMode mode, typename I, typename AtA, typename AtB>
TTJIT_TILE_INLINE I addDot16(AtA a, AtB b, I dst, int phase) {
  auto lower = sumOf8<mode, I>(a, b, phase);
  auto upper =
      sumOf8<mode, I>([&](int i) { return a(i + 8); }, [&](int i) { return b(i + 8); }, phase);
  return accumulate<mode, I>(lower, upper, dst);
}

/// DST + a * b in one phase (ELWMUL).
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I addProduct(I a, I b, I dst, int phase) {
  Factor<I> left = factorA(a, phase), right = factorB(b, phase);
  I exponent = left.exponent + right.exponent + productBias(mode, phase);
  I none = all<I>(0), sign = left.sign ^ right.sign;
  I product = left.magnitude * right.magnitude << 13;
  Term<I> term{exponent <= 0 ? none : (product ^ sign) - sign,
               exponent <= 0 ? all<I>(zeroExponent(mode, phase)) : exponent};
  return accumulate<mode, I>(term, {none, none}, dst);
}

//===--------------------------------------------------------------------------===//
// Sums and maxima
//===--------------------------------------------------------------------------===//

/// Returns a + b + DST (ELWADD), with all 11 bits of both significands. The smaller operand is
/// rounded to the last place of the larger one.
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I addSum(I a, I b, I dst) {
  a = flushed(a);
  b = flushed(b);
  I isSwapped = (a & INT32_MAX) < (b & INT32_MAX) ? all<I>(-1) : all<I>(0);
  I big = isSwapped != 0 ? b : a, small = isSwapped != 0 ? a : b;
  I exponent = exponentOf(big), none = all<I>(0);
  I left = significandOf(big) >> 13;
  I right = shiftRounded(significandOf(small) >> 13, exponent - exponentOf(small));
  I magnitude = (big ^ small) < 0 ? left - right : left + right;
  if constexpr (mode.dst32 && !mode.wideExponents)
    exponent = exponent == 0 ? all<I>(97) : exponent + 112;
  I value = magnitude << 13;
  return accumulate<mode, I>({big < 0 ? -value : value, exponent}, {none, none}, dst);
}
/// a - b + DST (ELWSUB).
template <FpuMode mode, typename I> TTJIT_TILE_INLINE I addDifference(I a, I b, I dst) {
  return addSum<mode, I>(a, b ^ kSign, dst);
}

/// Returns the larger one of two elements in the order of GMPOOL.
template <typename I> TTJIT_TILE_INLINE I pooledMax(I a, I b) {
  return totalOrder(a) > totalOrder(b) ? a : b;
}
/// The element that GMPOOL, the matrix engine's maximum, reads where DST was not written: in its
/// order it is less than all numbers.
inline constexpr int32_t kLowest = -1;

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::device

#endif // TTJIT_HW_TILE_FPU_H
