//===- LaneInt.h - lane functions of integers -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A DST element that holds an integer has its 32 bits, whatever float they are. Arithmetic
// wraps, so it is the same for signed and unsigned numbers; comparisons come in both kinds
// and give 1 or 0.
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
// typecast. Floats are truncated; what does not fit becomes the nearest integer, NaN 0.
// Integers are rounded to nearest even; narrower integers keep the low bits.
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float float_to_int32(float x) {
  float inRange = x < -0x1p31f ? -0x1p31f : x > 0x1.fffffep30f ? 0x1.fffffep30f : x;
  auto number = static_cast<int32_t>(x != x ? 0.0f : inRange);
  return detail::laneOf(x >= 0x1p31f ? 0x7fffffff : static_cast<uint32_t>(number));
}
/// Halves of the range convert as signed numbers.
TTJIT_TILE_INLINE float float_to_uint32(float x) {
  float lower = x >= 0 && x < 0x1p31f ? x : 0.0f;
  float upper = x >= 0x1p31f && x < 0x1p32f ? x - 0x1p31f : 0.0f;
  uint32_t low = static_cast<uint32_t>(static_cast<int32_t>(lower));
  uint32_t high = static_cast<uint32_t>(static_cast<int32_t>(upper)) + 0x80000000u;
  return detail::laneOf(x >= 0x1p32f ? 0xffffffffu : x >= 0x1p31f ? high : low);
}
TTJIT_TILE_INLINE float int32_to_float(float x) { return static_cast<float>(detail::signedOf(x)); }
TTJIT_TILE_INLINE float uint32_to_float(float x) {
  // A double holds the number, so that it is rounded once.
  uint32_t bits = bitsOf(x);
  double upper = static_cast<double>(static_cast<int32_t>(bits >> 16));
  double lower = static_cast<double>(static_cast<int32_t>(bits & 0xffff));
  return static_cast<float>(upper * 65536.0 + lower);
}
TTJIT_TILE_INLINE float to_uint16(float x) { return detail::laneOf(bitsOf(x) & 0xffff); }
TTJIT_TILE_INLINE float to_uint8(float x) { return detail::laneOf(bitsOf(x) & 0xff); }

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEINT_H
