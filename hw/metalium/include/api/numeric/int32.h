// SPDX-License-Identifier: Apache-2.0
// The least and the largest int32.
#pragma once

#include <cstdint>

inline constexpr int32_t NEG_INF_INT32 = -0x7fffffff - 1, POS_INF_INT32 = 0x7fffffff;
inline constexpr uint32_t INT32_SIGN_MASK = 0x80000000;

inline bool int32_greater(int32_t a, int32_t b) { return a > b; }
