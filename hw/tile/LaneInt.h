//===- LaneInt.h - lane functions of integers -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A DST element that holds an integer has the integer's 32 bits, which need not be those of a
// sensible float. Arithmetic wraps, so it is the same for signed and unsigned numbers. Comparisons
// come in both kinds and give 1 or 0.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANEINT_H
#define TTJIT_HW_TILE_LANEINT_H

#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

namespace detail {
TTJIT_TILE_INLINE int32_t signedOf(float x) { return __builtin_bit_cast(int32_t, x); }
TTJIT_TILE_INLINE float laneOf(uint32_t value) { return floatOf(value); }
} // namespace detail

//===--------------------------------------------------------------------------===//
// Arithmetic, comparisons
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float add_int(float a, float b) { return detail::laneOf(bitsOf(a) + bitsOf(b)); }
TTJIT_TILE_INLINE float sub_int(float a, float b) { return detail::laneOf(bitsOf(a) - bitsOf(b)); }
TTJIT_TILE_INLINE float mul_int(float a, float b) { return detail::laneOf(bitsOf(a) * bitsOf(b)); }
TTJIT_TILE_INLINE float max_int32(float a, float b) {
  return detail::signedOf(a) < detail::signedOf(b) ? b : a;
}
TTJIT_TILE_INLINE float min_int32(float a, float b) {
  return detail::signedOf(b) < detail::signedOf(a) ? b : a;
}
TTJIT_TILE_INLINE float max_uint32(float a, float b) { return bitsOf(a) < bitsOf(b) ? b : a; }
TTJIT_TILE_INLINE float min_uint32(float a, float b) { return bitsOf(b) < bitsOf(a) ? b : a; }

TTJIT_TILE_INLINE float eq_int(float a, float b) { return detail::laneOf(bitsOf(a) == bitsOf(b)); }
TTJIT_TILE_INLINE float ne_int(float a, float b) { return detail::laneOf(bitsOf(a) != bitsOf(b)); }
TTJIT_TILE_INLINE float lt_int32(float a, float b) {
  return detail::laneOf(detail::signedOf(a) < detail::signedOf(b));
}
TTJIT_TILE_INLINE float le_int32(float a, float b) {
  return detail::laneOf(detail::signedOf(a) <= detail::signedOf(b));
}
TTJIT_TILE_INLINE float lt_uint32(float a, float b) {
  return detail::laneOf(bitsOf(a) < bitsOf(b));
}
TTJIT_TILE_INLINE float le_uint32(float a, float b) {
  return detail::laneOf(bitsOf(a) <= bitsOf(b));
}
TTJIT_TILE_INLINE float where_int(float condition, float a, float b) {
  return bitsOf(condition) != 0 ? a : b;
}

//===--------------------------------------------------------------------------===//
// Division. By zero, the quotient has all bits set and the remainder is the dividend. The quotient
// of the smallest int32 and -1 wraps. Quotients are computed in double and truncated, which is
// exact: rounded to double, a quotient of two 32-bit integers never reaches the next integer.
//===--------------------------------------------------------------------------===//

namespace detail {
/// Converts to double in halves of 16 bits: instructions convert only signed numbers.
TTJIT_TILE_INLINE double numberOf(uint32_t value) {
  double upper = static_cast<double>(static_cast<int32_t>(value >> 16));
  double lower = static_cast<double>(static_cast<int32_t>(value & 0xffff));
  return upper * 65536.0 + lower;
}
/// Truncates a value from 0 to below 2^32.
TTJIT_TILE_INLINE uint32_t truncated(double value) {
  bool isLarge = value >= 0x1p31;
  auto rest = static_cast<int32_t>(isLarge ? value - 0x1p31 : value);
  return static_cast<uint32_t>(rest) + (isLarge ? 0x80000000u : 0);
}
/// Returns a / b rounded towards zero; a if b is 0.
TTJIT_TILE_INLINE uint32_t quotient(int32_t a, int32_t b) {
  double exact = static_cast<double>(a) / static_cast<double>(b == 0 ? 1 : b);
  return static_cast<uint32_t>(static_cast<int32_t>(exact >= 0x1p31 ? -0x1p31 : exact));
}
TTJIT_TILE_INLINE uint32_t quotient(uint32_t a, uint32_t b) {
  return truncated(numberOf(a) / numberOf(b == 0 ? 1 : b));
}
/// Returns whether a quotient that was rounded towards zero is one more than the floor. That is so
/// if the rest is not zero and its sign is not the divisor's.
TTJIT_TILE_INLINE bool exceedsFloor(uint32_t rest, uint32_t divisor) {
  return (rest != 0) & (((rest ^ divisor) >> 31) != 0);
}
} // namespace detail

TTJIT_TILE_INLINE float div_int32(float a, float b) {
  uint32_t result = detail::quotient(detail::signedOf(a), detail::signedOf(b));
  return detail::laneOf(bitsOf(b) == 0 ? 0xffffffff : result);
}
TTJIT_TILE_INLINE float div_uint32(float a, float b) {
  uint32_t result = detail::quotient(bitsOf(a), bitsOf(b));
  return detail::laneOf(bitsOf(b) == 0 ? 0xffffffff : result);
}
TTJIT_TILE_INLINE float floordiv_int32(float a, float b) {
  uint32_t result = detail::quotient(detail::signedOf(a), detail::signedOf(b));
  uint32_t rest = bitsOf(a) - result * bitsOf(b);
  uint32_t floor = result - (detail::exceedsFloor(rest, bitsOf(b)) ? 1 : 0);
  return detail::laneOf(bitsOf(b) == 0 ? 0xffffffff : floor);
}
/// a - floor(a / b) * b, which has the sign of b.
TTJIT_TILE_INLINE float mod_int32(float a, float b) {
  uint32_t rest =
      bitsOf(a) - detail::quotient(detail::signedOf(a), detail::signedOf(b)) * bitsOf(b);
  return detail::laneOf(rest + (detail::exceedsFloor(rest, bitsOf(b)) ? bitsOf(b) : 0));
}
TTJIT_TILE_INLINE float mod_uint32(float a, float b) {
  return detail::laneOf(bitsOf(a) - detail::quotient(bitsOf(a), bitsOf(b)) * bitsOf(b));
}

//===--------------------------------------------------------------------------===//
// typecast. Floats are truncated; a float out of range becomes the nearest integer, NaN becomes 0.
// Integers are rounded to nearest even floats; narrower integers keep the low bits.
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float float_to_int32(float x) {
  float inRange = x < -0x1p31f ? -0x1p31f : x > 0x1.fffffep30f ? 0x1.fffffep30f : x;
  auto number = static_cast<int32_t>(x != x ? 0.0f : inRange);
  return detail::laneOf(x >= 0x1p31f ? 0x7fffffff : static_cast<uint32_t>(number));
}
/// Converts the lower and the upper half of the range as signed numbers.
TTJIT_TILE_INLINE float float_to_uint32(float x) {
  float lower = x >= 0 && x < 0x1p31f ? x : 0.0f;
  float upper = x >= 0x1p31f && x < 0x1p32f ? x - 0x1p31f : 0.0f;
  uint32_t low = static_cast<uint32_t>(static_cast<int32_t>(lower));
  uint32_t high = static_cast<uint32_t>(static_cast<int32_t>(upper)) + 0x80000000u;
  return detail::laneOf(x >= 0x1p32f ? 0xffffffffu : x >= 0x1p31f ? high : low);
}
TTJIT_TILE_INLINE float int32_to_float(float x) { return static_cast<float>(detail::signedOf(x)); }
TTJIT_TILE_INLINE float uint32_to_float(float x) {
  // double holds every such number, so only the conversion to float rounds.
  uint32_t bits = bitsOf(x);
  return static_cast<float>(detail::numberOf(bits));
}
TTJIT_TILE_INLINE float to_uint16(float x) { return detail::laneOf(bitsOf(x) & 0xffff); }
TTJIT_TILE_INLINE float to_uint8(float x) { return detail::laneOf(bitsOf(x) & 0xff); }

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEINT_H
