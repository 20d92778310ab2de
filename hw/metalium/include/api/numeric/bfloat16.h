// SPDX-License-Identifier: Apache-2.0
// Comparisons of bfloat16 numbers, which are passed as their bits.
#pragma once

#include <cstdint>

inline constexpr uint16_t NEG_INF_BFLOAT16 = 0xff80, POS_INF_BFLOAT16 = 0x7f80;
inline constexpr uint16_t NAN_BFLOAT16 = 0x7fff, BFLOAT16_SIGN_MASK = 0x8000;

/// Compares by sign, then by magnitude: -0 is less than +0, and NaN compares by its bits.
inline bool bfloat16_greater(uint16_t a, uint16_t b) {
  if ((a ^ b) & BFLOAT16_SIGN_MASK)
    return !(a & BFLOAT16_SIGN_MASK);
  return a & BFLOAT16_SIGN_MASK ? a < b : a > b;
}
