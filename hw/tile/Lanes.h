//===- Lanes.h - lane functions of the tile operations --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A lane function computes one element. This header and those it includes define one
// for every row of hw/facts/TileOps.def, without branches and calls: IEEE + - * / sqrt,
// compare and select, integer operations. Transcendental functions compute in double
// and round once at the end. They use plain multiply and add, since fma would give
// other bits on some targets. Denormals are kept.
//
// "ulp" in a comment is the largest distance to the exact value, measured over all 2^32 floats, in
// units of the result's last place; 0.5 means correct rounding. The bits of a NaN result are
// unspecified. docs/numerics.md lists the errors.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANES_H
#define TTJIT_HW_TILE_LANES_H

#include "hw/tile/LaneErf.h"
#include "hw/tile/LaneExp.h"
#include "hw/tile/LaneInt.h"
#include "hw/tile/LaneRound.h"
#include "hw/tile/LaneTrig.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

//===--------------------------------------------------------------------------===//
// Signs, roots, activations
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float abs(float x) { return floatOf(bitsOf(x) & 0x7fffffff); }

TTJIT_TILE_INLINE float neg(float x) { return floatOf(bitsOf(x) ^ 0x80000000); }

/// sign returns ±0 and NaN unchanged.
TTJIT_TILE_INLINE float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x; }

/// signbit is 1 for negative numbers and -0, else 0, also for every NaN.
TTJIT_TILE_INLINE float signbit(float x) {
  return (((bitsOf(x) >> 31) != 0) & (x == x)) ? 1.0f : 0.0f;
}

/// recip is rounded correctly.
TTJIT_TILE_INLINE float recip(float x) { return 1.0f / x; }

/// rsqrt is rounded correctly. rsqrt(±0) = ±inf; rsqrt of a negative number is NaN.
TTJIT_TILE_INLINE float rsqrt(float x) { return float(1.0 / __builtin_sqrt(double(x))); }

/// sqrt is rounded correctly. sqrt(-0) = -0.
TTJIT_TILE_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }

/// square is rounded correctly.
TTJIT_TILE_INLINE float square(float x) { return x * x; }

/// relu is +0 for every x <= 0 (also -0), and NaN for NaN.
TTJIT_TILE_INLINE float relu(float x) { return x <= 0.0f ? 0.0f : x; }

TTJIT_TILE_INLINE float relu_max(float x, float high) {
  float positive = relu(x);
  return positive > high ? high : positive;
}

/// The greater of x and `low`.
TTJIT_TILE_INLINE float relu_min(float x, float low) { return x < low ? low : x; }

TTJIT_TILE_INLINE float leaky_relu(float x, float slope) { return x < 0.0f ? x * slope : x; }

/// The number in [low, high] that is nearest to x; NaN stays NaN.
TTJIT_TILE_INLINE float clamp(float x, float low, float high) {
  return detail::clamp(x, low, high);
}

/// x if it is greater than `limit`, else `value`; `value` for NaN.
TTJIT_TILE_INLINE float threshold(float x, float limit, float value) {
  return x > limit ? x : value;
}

/// (x + 3) / 6 limited to [0, 1].
TTJIT_TILE_INLINE float hardsigmoid(float x) {
  return float(detail::clamp((double(x) + 3.0) / 6.0, 0.0, 1.0));
}

/// x / (1 + |x|).
TTJIT_TILE_INLINE float softsign(float x) {
  double a = detail::clamp(abs(x), 0.0f, 0x1.fffffep+127f);
  return detail::withSignOf(float(a / (1.0 + a)), x);
}

//===--------------------------------------------------------------------------===//
// Rounding to integers. The result has the sign of x, also if it is zero.
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float trunc(float x) {
  bool hasFraction = abs(x) < 0x1p+23f;
  float whole = float(int32_t(hasFraction ? x : 0.0f));
  return hasFraction ? detail::withSignOf(whole, x) : x;
}

TTJIT_TILE_INLINE float floor(float x) {
  float whole = trunc(x);
  return whole > x ? whole - 1.0f : whole;
}

TTJIT_TILE_INLINE float ceil(float x) {
  float whole = trunc(x);
  return whole < x ? detail::withSignOf(whole + 1.0f, x) : whole;
}

/// x - trunc(x): NaN for infinity.
TTJIT_TILE_INLINE float frac(float x) { return x - trunc(x); }

/// Rounds to `decimals` decimal digits after the point, ties to even.
TTJIT_TILE_INLINE float round(float x, int32_t decimals) {
  uint32_t digits = decimals < 0 ? 0 - uint32_t(decimals) : uint32_t(decimals);
  digits = digits > 60 ? 60 : digits;
  double scale = ((digits & 1) ? 1e1 : 1.0) * ((digits & 2) ? 1e2 : 1.0) *
                 ((digits & 4) ? 1e4 : 1.0) * ((digits & 8) ? 1e8 : 1.0) *
                 ((digits & 16) ? 1e16 : 1.0) * ((digits & 32) ? 1e32 : 1.0);
  double scaled = decimals < 0 ? x / scale : x * scale;
  bool hasFraction = (scaled < 0x1p+51) & (scaled > -0x1p+51);
  double whole = (scaled + 0x1.8p+52) - 0x1.8p+52;
  float result = float(decimals < 0 ? whole * scale : whole / scale);
  return hasFraction ? detail::withSignOf(result, x) : x;
}

//===--------------------------------------------------------------------------===//
// Tests: 1 or 0
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float isnan(float x) { return x != x ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float isinf(float x) { return abs(x) == __builtin_inff() ? 1.0f : 0.0f; }

TTJIT_TILE_INLINE float eq(float a, float b) { return a == b ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float ne(float a, float b) { return a != b ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float lt(float a, float b) { return a < b ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float le(float a, float b) { return a <= b ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float gt(float a, float b) { return a > b ? 1.0f : 0.0f; }
TTJIT_TILE_INLINE float ge(float a, float b) { return a >= b ? 1.0f : 0.0f; }

TTJIT_TILE_INLINE float eqz(float x) { return eq(x, 0.0f); }
TTJIT_TILE_INLINE float nez(float x) { return ne(x, 0.0f); }
TTJIT_TILE_INLINE float ltz(float x) { return lt(x, 0.0f); }
TTJIT_TILE_INLINE float lez(float x) { return le(x, 0.0f); }
TTJIT_TILE_INLINE float gtz(float x) { return gt(x, 0.0f); }
TTJIT_TILE_INLINE float gez(float x) { return ge(x, 0.0f); }

TTJIT_TILE_INLINE float eq_unary(float x, float b) { return eq(x, b); }
TTJIT_TILE_INLINE float ne_unary(float x, float b) { return ne(x, b); }
TTJIT_TILE_INLINE float lt_unary(float x, float b) { return lt(x, b); }
TTJIT_TILE_INLINE float le_unary(float x, float b) { return le(x, b); }
TTJIT_TILE_INLINE float gt_unary(float x, float b) { return gt(x, b); }
TTJIT_TILE_INLINE float ge_unary(float x, float b) { return ge(x, b); }

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float add(float a, float b) { return a + b; }
TTJIT_TILE_INLINE float sub(float a, float b) { return a - b; }
TTJIT_TILE_INLINE float mul(float a, float b) { return a * b; }
TTJIT_TILE_INLINE float div(float a, float b) { return a / b; }

/// max is NaN if either operand is NaN; +0 is greater than -0.
TTJIT_TILE_INLINE float max(float a, float b) {
  float ordered = a > b ? a : b; // this is b if either operand is NaN
  float zero = floatOf(bitsOf(a) & bitsOf(b));
  float result = a == b ? zero : ordered;
  return a != a ? a : result;
}

/// min is NaN if either operand is NaN; -0 is less than +0.
TTJIT_TILE_INLINE float min(float a, float b) {
  float ordered = a < b ? a : b;
  float zero = floatOf(bitsOf(a) | bitsOf(b));
  float result = a == b ? zero : ordered;
  return a != a ? a : result;
}

TTJIT_TILE_INLINE float add_unary(float x, float b) { return x + b; }
TTJIT_TILE_INLINE float sub_unary(float x, float b) { return x - b; }
TTJIT_TILE_INLINE float mul_unary(float x, float b) { return x * b; }
/// Multiplies by the reciprocal of the divisor, as the device does.
TTJIT_TILE_INLINE float div_unary(float x, float recip) { return x * recip; }
TTJIT_TILE_INLINE float rsub_unary(float x, float b) { return b - x; }
TTJIT_TILE_INLINE float max_unary(float x, float b) { return max(x, b); }
TTJIT_TILE_INLINE float min_unary(float x, float b) { return min(x, b); }

//===--------------------------------------------------------------------------===//
// Selection
//===--------------------------------------------------------------------------===//

/// a if the condition is not zero (NaN counts as not zero), else b.
TTJIT_TILE_INLINE float where(float condition, float a, float b) {
  return condition != 0.0f ? a : b;
}

/// 0 where the mask is 1, else x.
TTJIT_TILE_INLINE float mask(float x, float m) { return m == 1.0f ? 0.0f : x; }

/// Infinity where the mask is 1, else x.
TTJIT_TILE_INLINE float mask_posinf(float x, float m) { return m == 1.0f ? __builtin_inff() : x; }

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANES_H
