//===- LaneExp.h - exponentials, logarithms, powers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Exponential, logarithmic, hyperbolic and power functions, as lane functions. hw/tile/Lanes.h
// explains lane functions and "ulp".
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANEEXP_H
#define TTJIT_HW_TILE_LANEEXP_H

#include "hw/tile/LanePieces.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

/// e to the x. The error is at most 0.5008 ulp.
TTJIT_TILE_INLINE float exp(float x) {
  // Outside of this range the float result is zero or infinity.
  return float(detail::expCore(detail::clamp(x, -104.0f, 89.0f)));
}

/// The same as exp: the card approximates here, but the host computes the exact function.
TTJIT_TILE_INLINE float exp_approx(float x) { return exp(x); }

/// 2 to the x.
TTJIT_TILE_INLINE float exp2(float x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  return float(detail::expCore(kLn2 * detail::clamp(x, -150.5f, 129.0f)));
}

/// exp(x) - 1. expm1(-0) = -0.
TTJIT_TILE_INLINE float expm1(float x) {
  float result = float(detail::expm1Core(detail::clamp(x, -104.0f, 89.0f)));
  return x == 0.0f ? x : result;
}

/// The natural logarithm. The error is at most 0.5001 ulp. log(±0) = -inf; NaN for negative x.
TTJIT_TILE_INLINE float log(float x) {
  float inside = float(detail::logCore(x));
  float edge = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  bool regular = (x > 0.0f) & (x < __builtin_inff());
  return regular ? inside : edge;
}

/// log(1 + x). log1p(-0) = -0, log1p(-1) = -inf; NaN for x < -1.
TTJIT_TILE_INLINE float log1p(float x) {
  bool regular = (x > -1.0f) & (x < __builtin_inff());
  float inside = float(detail::log1pCore(regular ? x : 0.0f));
  float edge = x == -1.0f ? -__builtin_inff() : x < -1.0f ? __builtin_nanf("") : x;
  return (regular & (x != 0.0f)) ? inside : edge;
}

/// 1 / (1 + exp(-x)). The error is at most 0.5008 ulp.
TTJIT_TILE_INLINE float sigmoid(float x) {
  return float(1.0 / (1.0 + detail::expCore(detail::clamp(-x, -104.0f, 104.0f))));
}

/// x * sigmoid(x). silu(-inf) = -0.
TTJIT_TILE_INLINE float silu(float x) {
  float bounded = x < -120.0f ? -120.0f : x;
  return float(bounded / (1.0 + detail::expCore(detail::clamp(-bounded, -120.0f, 120.0f))));
}

/// log(1 + exp(beta * x)) / beta, x where beta * x > threshold.
TTJIT_TILE_INLINE float softplus(float x, float beta, float betaRecip, float threshold) {
  double scaled = double(beta) * double(x);
  double inside = detail::log1pCore(detail::expCore(detail::clamp(scaled, -400.0, 400.0)));
  return scaled > threshold ? x : float(inside * betaRecip);
}

/// The error is at most 0.5049 ulp. tanh is odd: tanh(-0) = -0.
TTJIT_TILE_INLINE float tanh(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  double power = detail::expCore(2.0 * detail::clamp(a, 0.0f, 20.0f));
  float large = float(1.0 - 2.0 / (power + 1.0));
  // For small x the subtraction would lose digits, but two terms of the series are accurate
  // enough.
  float small = a - a * (a * a) * (1.0f / 3.0f);
  return detail::withSignOf(a < 0x1p-8f ? small : large, x);
}

/// sinh is odd: sinh(-0) = -0.
TTJIT_TILE_INLINE float sinh(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  double e = detail::expm1Core(detail::clamp(a, 0.0f, 100.0f));
  return detail::withSignOf(float(0.5 * (e + e / (e + 1.0))), x);
}

TTJIT_TILE_INLINE float cosh(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  double e = detail::expCore(detail::clamp(a, 0.0f, 100.0f));
  return float(0.5 * (e + 1.0 / e));
}

/// asinh is odd: asinh(-0) = -0. asinh(±inf) = ±inf.
TTJIT_TILE_INLINE float asinh(float x) {
  double a = floatOf(bitsOf(x) & 0x7fffffff);
  double inside = detail::log1pCore(a + a * a / (1.0 + __builtin_sqrt(a * a + 1.0)));
  return a < __builtin_inf() ? detail::withSignOf(float(inside), x) : x;
}

/// acosh is NaN for x < 1.
TTJIT_TILE_INLINE float acosh(float x) {
  bool regular = (x >= 1.0f) & (x < __builtin_inff());
  double t = double(regular ? x : 1.0f) - 1.0;
  float inside = float(detail::log1pCore(t + __builtin_sqrt(t * (t + 2.0))));
  return regular ? inside : x < 1.0f ? __builtin_nanf("") : x;
}

/// atanh is odd: atanh(-0) = -0. It is infinite at ±1 and NaN beyond.
TTJIT_TILE_INLINE float atanh(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  double t = a < 1.0f ? a : 0.0f;
  float inside = float(0.5 * detail::log1pCore(2.0 * t / (1.0 - t)));
  float edge = a == 1.0f ? __builtin_inff() : __builtin_nanf("");
  return detail::withSignOf(a < 1.0f ? inside : edge, x);
}

//===--------------------------------------------------------------------------===//
// Powers
//===--------------------------------------------------------------------------===//

/// The cube root. It is odd: cbrt(-0) = -0; cbrt(±inf) = ±inf.
TTJIT_TILE_INLINE float cbrt(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  bool regular = (a > 0.0f) & (a < __builtin_inff());
  double exact = regular ? a : 1.0f;
  double root = detail::expCore(detail::logCore(exact) * (1.0 / 3.0));
  // One step of Newton's method squares the error, which is at most 2^-31.
  double square = root * root;
  root = root - (square * root - exact) / (3.0 * square);
  return regular ? detail::withSignOf(float(root), x) : x;
}

/// x to the power y, with the special values of IEEE 754: pow(x, ±0) = 1 and pow(1, y)
/// = 1, also for NaN; pow(-1, ±inf) = 1. A negative x with a y that is not an integer
/// gives NaN.
TTJIT_TILE_INLINE float pow(float x, float y) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  bool regular = (a > 0.0f) & (a < __builtin_inff());
  double inside = detail::logCore(regular ? a : 1.0f);
  // A logarithm with which every y except 0 gives 0 or infinity.
  double edge = a == 0.0f ? -0x1p+900 : a > 1.0f ? 0x1p+900 : double(x);
  double exponent = y * (regular ? inside : edge);
  float magnitude = float(detail::expCore(detail::clamp(exponent, -104.0, 89.0)));
  float b = floatOf(bitsOf(y) & 0x7fffffff);
  // Every float of at least 2^24 is an even integer.
  int32_t n = int32_t(b < 0x1p+24f ? b : 0.0f);
  bool isInteger = (b >= 0x1p+24f) | (float(n) == b);
  bool isOdd = isInteger & ((n & 1) != 0);
  float result = ((a == 1.0f) | (y == 0.0f)) ? 1.0f : magnitude;
  bool negative = (bitsOf(x) >> 31) != 0;
  float signedResult = (negative & isOdd) ? -result : result;
  bool outside = (x < 0.0f) & (a < __builtin_inff()) & !isInteger;
  bool nan = outside | ((y != y) & (x != 1.0f)) | ((x != x) & (y != 0.0f));
  return nan ? __builtin_nanf("") : signedResult;
}

TTJIT_TILE_INLINE float pow_unary(float x, float y) { return pow(x, y); }

/// x to the power n by squaring, in double and rounded once; the relative error before
/// rounding is n * 2^-53. pow_int(x, 0) = 1; a negative n gives the reciprocal.
TTJIT_TILE_INLINE float pow_int(float x, int32_t n) {
  uint32_t rest = n < 0 ? 0 - uint32_t(n) : uint32_t(n);
  double result = 1.0, square = x;
#pragma GCC unroll 32
  for (int bit = 0; bit < 32; ++bit) {
    result = ((rest >> bit) & 1) ? result * square : result;
    square = square * square;
  }
  return float(n < 0 ? 1.0 / result : result);
}

//===--------------------------------------------------------------------------===//
// Activations with an exponential
//===--------------------------------------------------------------------------===//

/// beta * tanh(x / beta): about x for small x, and never beyond beta. softcap(-0) = -0.
TTJIT_TILE_INLINE float softcap(float x, float beta, float betaRecip) {
  double scaled = double(x) * double(betaRecip);
  bool negative = (bitsOf(scaled) >> 63) != 0;
  double e = detail::expm1Core(2.0 * detail::clamp(negative ? -scaled : scaled, 0.0, 30.0));
  double tangent = e / (e + 2.0);
  return float(beta * (negative ? -tangent : tangent));
}

// elu, celu and selu return 0 and -0 unchanged, whatever their other parameters are.

/// x for x >= 0, else alpha * (exp(x) - 1).
TTJIT_TILE_INLINE float elu(float x, float alpha) {
  float negative = float(alpha * detail::expm1Core(detail::clamp(x, -104.0f, 89.0f)));
  return x >= 0.0f ? x : negative;
}

/// x for x >= 0, else alpha * (exp(x / alpha) - 1).
TTJIT_TILE_INLINE float celu(float x, float alpha, float alphaRecip) {
  double scaled = detail::clamp(double(x) * double(alphaRecip), -104.0, 89.0);
  return x >= 0.0f ? x : float(alpha * detail::expm1Core(scaled));
}

/// scale * (x for x >= 0, else alpha * (exp(x) - 1)).
TTJIT_TILE_INLINE float selu(float x, float scale, float alpha) {
  double negative = alpha * detail::expm1Core(detail::clamp(x, -104.0f, 89.0f));
  return x == 0.0f ? x : float(scale * (x > 0.0f ? double(x) : negative));
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEEXP_H
