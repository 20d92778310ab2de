// SPDX-License-Identifier: Apache-2.0
// Comparisons of float32 numbers, which are passed as their bits.
#pragma once

#include <cstdint>

inline constexpr uint32_t NEG_INF_FLOAT32 = 0xff800000, POS_INF_FLOAT32 = 0x7f800000;
inline constexpr uint32_t NAN_FLOAT32 = 0x7fffffff, FLOAT32_SIGN_MASK = 0x80000000;

/// Compares by sign, then by magnitude: -0 is less than +0, and NaN compares by its bits.
inline bool float32_greater(uint32_t a, uint32_t b) {
  if ((a ^ b) & FLOAT32_SIGN_MASK)
    return !(a & FLOAT32_SIGN_MASK);
  return a & FLOAT32_SIGN_MASK ? a < b : a > b;
}
