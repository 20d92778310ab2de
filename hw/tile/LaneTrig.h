//===- LaneTrig.h - trigonometric functions -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Trigonometric functions and their inverses, as lane functions. hw/tile/Lanes.h explains lane
// functions and "ulp".
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANETRIG_H
#define TTJIT_HW_TILE_LANETRIG_H

#include "hw/tile/LanePieces.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

namespace detail {

/// Binary digits of 2/pi: 26 bits before the point, then the fraction.
constexpr uint32_t kTwoOverPi[] = {0x00000028, 0xbe60db93, 0x91054a7f, 0x09d5f47d,
                                   0x4d377036, 0xd8a5664f, 0x10e4107f, 0x9458eaf7};

/// Returns 32 bits of 2/pi, which begin `rest` bits after the beginning of `word`.
TTJIT_TILE_INLINE uint64_t bitsOfTwoOverPi(uint32_t word, uint32_t rest) {
  uint64_t pair = uint64_t(kTwoOverPi[word & 7]) << 32 | kTwoOverPi[(word + 1) & 7];
  return (pair << rest) >> 32;
}

/// Represents x as r + quadrant * pi/2 with |r| <= pi/4, for finite x >= 0.
struct Reduced {
  double r;
  uint32_t quadrant; ///< only the last two bits are valid
};

/// Reduces any float with 96 bits of 2/pi. They begin where a bit of 2/pi times `a` counts fewer
/// than 4 quadrants: higher bits only add whole turns.
TTJIT_TILE_INLINE Reduced reduceAngle(float a) {
  uint32_t bits = bitsOf(a);
  uint32_t exponent = bits >> 23;
  // a = m * 2^(exponent - 150). An angle a < 1/2 needs no reduction.
  uint64_t m = (bits & 0x7fffff) | 0x800000;
  uint32_t shift = exponent < 126 ? 0 : exponent - 126;
  uint32_t word = shift >> 5, rest = shift & 31;
  // Number of quadrants, in units of 2^-62.
  uint64_t turns = (bitsOfTwoOverPi(word, rest) * m << 32) + bitsOfTwoOverPi(word + 1, rest) * m +
                   ((bitsOfTwoOverPi(word + 2, rest) * m) >> 32);
  uint64_t nearest = turns + (uint64_t(1) << 61);
  uint64_t offset = turns - (nearest & (uint64_t(3) << 62));
  // Convert the signed 64-bit number to double in two halves.
  double high = double(int32_t(uint32_t(offset >> 32)));
  double low = doubleOf(0x4330000000000000 | (offset & 0xffffffff)) - 0x1p+52;
  constexpr double kScale = 0x1.921fb54442d18p-62; // pi/2 * 2^-62
  double r = (high * 0x1p+32 + low) * kScale;
  bool small = exponent < 126;
  return {small ? double(a) : r, small ? 0 : uint32_t(nearest >> 62)};
}

/// sin(r) for |r| <= pi/4; the relative error is at most 2^-37.
TTJIT_TILE_INLINE double sinCore(double r) {
  double z = r * r;
  double q = horner(z, 0x1.6cd83f9082421p-19, -0x1.a00f9d688f143p-13, 0x1.1111089652540p-7,
                    -0x1.5555554cba9e8p-3);
  return r + r * z * q;
}

/// cos(r) for |r| <= pi/4; the error is at most 2^-43.
TTJIT_TILE_INLINE double cosCore(double r) {
  double z = r * r;
  double q = horner(z, -0x1.242abed56ba61p-22, 0x1.a0111fb9171e2p-16, -0x1.6c16b89827c62p-10,
                    0x1.5555554f4db13p-5);
  return 1.0 - 0.5 * z + z * z * q;
}

/// atan(t) for |t| <= tan(pi/8); the relative error is at most 2^-35.
TTJIT_TILE_INLINE double atanCore(double t) {
  double z = t * t;
  double q = horner(z, 0x1.84a0110240a50p-5, -0x1.5b319916dde94p-4, 0x1.c464a0d741974p-4,
                    -0x1.247ee55b6ef36p-3, 0x1.999919303c4fap-3, -0x1.555554c71ea5ap-2);
  return t + t * z * q;
}

/// asin(t) for |t| <= 1/2; the relative error is at most 2^-35.
TTJIT_TILE_INLINE double asinCore(double t) {
  double z = t * t;
  double q = horner(z, 0x1.1c51c1737ca95p-5, 0x1.e8c1fd5dafee3p-8, 0x1.9367baf57446dp-6,
                    0x1.ed51471ee5c4dp-6, 0x1.6ddb3d2c5d091p-5, 0x1.3332a7a3770c1p-4,
                    0x1.55555609acfabp-3);
  return t + t * z * q;
}

constexpr double kPi = 0x1.921fb54442d18p+1;

} // namespace detail

/// sin is odd: sin(-0) = -0. It is NaN for infinity.
TTJIT_TILE_INLINE float sin(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  detail::Reduced angle = detail::reduceAngle(a);
  double value = (angle.quadrant & 1) ? detail::cosCore(angle.r) : detail::sinCore(angle.r);
  float magnitude = float((angle.quadrant & 2) ? -value : value);
  float result = (bitsOf(x) >> 31) != 0 ? -magnitude : magnitude;
  return a < __builtin_inff() ? result : __builtin_nanf("");
}

/// cos is NaN for infinity.
TTJIT_TILE_INLINE float cos(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  detail::Reduced angle = detail::reduceAngle(a);
  double value = (angle.quadrant & 1) ? detail::sinCore(angle.r) : detail::cosCore(angle.r);
  float result = float(((angle.quadrant + 1) & 2) ? -value : value);
  return a < __builtin_inff() ? result : __builtin_nanf("");
}

/// tan is odd: tan(-0) = -0. It is NaN for infinity.
TTJIT_TILE_INLINE float tan(float x) {
  float a = floatOf(bitsOf(x) & 0x7fffffff);
  detail::Reduced angle = detail::reduceAngle(a);
  double s = detail::sinCore(angle.r), c = detail::cosCore(angle.r);
  bool odd = (angle.quadrant & 1) != 0;
  float magnitude = float((odd ? -c : s) / (odd ? s : c));
  float result = (bitsOf(x) >> 31) != 0 ? -magnitude : magnitude;
  return a < __builtin_inff() ? result : __builtin_nanf("");
}

/// atan is odd: atan(-0) = -0.
TTJIT_TILE_INLINE float atan(float x) {
  float magnitude = floatOf(bitsOf(x) & 0x7fffffff);
  // Uses atan(a) = offset + atan((a - p) / (1 + a p)) with p = 1 or p = infinity.
  bool middle = magnitude > 0.41421356f, large = magnitude > 2.4142136f;
  bool infinite = !(magnitude < __builtin_inff()) & (magnitude == magnitude);
  double a = infinite ? 0x1p+200 : magnitude;
  double numerator = large ? -1.0 : middle ? a - 1.0 : a;
  double denominator = large ? a : middle ? a + 1.0 : 1.0;
  double offset = large ? 0.5 * detail::kPi : middle ? 0.25 * detail::kPi : 0.0;
  double result = offset + detail::atanCore(numerator / denominator);
  return detail::withSignOf(float(result), x);
}

/// The angle of the point (x, y), with the signs of IEEE 754 on axes and at infinity:
/// atan2(±0, x) is ±0 for x > 0 and x = +0, else ±pi; atan2(±inf, inf) = ±pi/4.
TTJIT_TILE_INLINE float atan2(float y, float x) {
  float a = floatOf(bitsOf(y) & 0x7fffffff), b = floatOf(bitsOf(x) & 0x7fffffff);
  bool steep = a > b;
  double low = steep ? b : a, high = steep ? a : b;
  // The angle in the first octant, computed as in atan. 0 / 0 and inf / inf have no quotient.
  bool diagonal = low == high;
  double t = high == 0.0 ? 0.0 : diagonal ? 1.0 : low / high;
  bool middle = t > 0.41421356;
  double octant =
      (middle ? 0.25 * detail::kPi : 0.0) + detail::atanCore(middle ? (t - 1.0) / (t + 1.0) : t);
  double quadrant = steep ? 0.5 * detail::kPi - octant : octant;
  bool left = (bitsOf(x) >> 31) != 0, isNaN = (x != x) | (y != y);
  float magnitude = float(left ? detail::kPi - quadrant : quadrant);
  return isNaN ? __builtin_nanf("") : detail::withSignOf(magnitude, y);
}

namespace detail {

/// Computes asin(a) for 0 <= a <= 1/2 if `low`, else acos(a) for 0 <= a <= 1, NaN
/// beyond.
TTJIT_TILE_INLINE double arcCore(double a, bool low) {
  double t = low ? a : __builtin_sqrt(0.5 * (1.0 - a));
  double value = asinCore(t);
  return low ? value : 2.0 * value;
}

} // namespace detail

/// asin is odd: asin(-0) = -0. It is NaN outside of [-1, 1].
TTJIT_TILE_INLINE float asin(float x) {
  double a = floatOf(bitsOf(x) & 0x7fffffff);
  bool low = a <= 0.5;
  double value = detail::arcCore(a, low);
  return detail::withSignOf(float(low ? value : 0.5 * detail::kPi - value), x);
}

/// acos is NaN outside of [-1, 1].
TTJIT_TILE_INLINE float acos(float x) {
  double a = floatOf(bitsOf(x) & 0x7fffffff);
  bool low = a <= 0.5, negative = x < 0.0f;
  double value = detail::arcCore(a, low);
  double fromMiddle = 0.5 * detail::kPi + (negative ? value : -value);
  double fromEnd = negative ? detail::kPi - value : value;
  return float(low ? fromMiddle : fromEnd);
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANETRIG_H
