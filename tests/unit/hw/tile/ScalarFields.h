//===- ScalarFields.h - fields and roundings of the second model ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_HW_TILE_SCALARFIELDS_H
#define TTJIT_TESTS_UNIT_HW_TILE_SCALARFIELDS_H

#include <cstdint>

namespace ttjit::scalar {

inline constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;

inline bool isNegative(uint32_t x) { return x >= kSign; }
inline int exponentOf(uint32_t x) { return static_cast<int>(x / 0x800000 % 256); }
inline int64_t fractionOf(uint32_t x) { return x % 0x800000; }
inline uint32_t signOf(uint32_t x) { return isNegative(x) ? kSign : 0; }
inline uint32_t magnitudeOf(uint32_t x) { return x - signOf(x); }

// Returns the significand of 24 bits, or 0 if the exponent is 0.
inline int64_t significandOf(uint32_t x) { return exponentOf(x) ? fractionOf(x) + 0x800000 : 0; }

inline int64_t powerOf2(int n) { return int64_t{1} << n; }

inline int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

enum class Halves { Up, Away, Even };

// Returns value / 2^places, rounded as `halves` says.
inline int64_t divided(int64_t value, int places, Halves halves) {
  if (places <= 0)
    return value;
  if (places >= 40)
    return 0;
  int64_t unit = powerOf2(places);
  if (halves == Halves::Away)
    return value < 0 ? -divided(-value, places, Halves::Up) : divided(value, places, Halves::Up);
  int64_t quotient = floorDivide(value, unit), twice = 2 * (value - quotient * unit);
  bool up = halves == Halves::Up ? twice >= unit : twice > unit || (twice == unit && quotient % 2);
  return quotient + up;
}

} // namespace ttjit::scalar

#endif // TTJIT_TESTS_UNIT_HW_TILE_SCALARFIELDS_H
