//===- CompilerInt.h - arithmetic of compiler-made integers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Division, shifts and conversions of MLIR's arith dialect where arith and C++ leave
// the result undefined. Both engines compute with these functions, so both get the same results.
// T is an unsigned type of the width of the op. A zero divisor is a fault, which the
// caller reports. Header-only, calls nothing.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_COMPILERINT_H
#define TTJIT_HW_ABI_COMPILERINT_H

#include <cstdint>
#include <limits>
#include <type_traits>

namespace ttjit::hw {

/// Signed division. The smallest number divided by -1 gives the smallest number.
template <typename T> constexpr T wrappingDivS(T a, T b) {
  using Signed = std::make_signed_t<T>;
  return b == T(-1) ? T(0) - a : T(Signed(a) / Signed(b));
}
template <typename T> constexpr T wrappingRemS(T a, T b) {
  using Signed = std::make_signed_t<T>;
  return b == T(-1) ? T(0) : T(Signed(a) % Signed(b));
}

/// A shift by the width of T or more uses only the low bits of its count.
template <typename T> constexpr T shiftCount(T count) { return count & (sizeof(T) * 8 - 1); }

/// Rounds towards zero. A value out of range gives the nearest int32; NaN gives 0.
constexpr int32_t saturateToInt(float value) {
  if (value >= 0x1p31f)
    return std::numeric_limits<int32_t>::max();
  if (value < -0x1p31f)
    return std::numeric_limits<int32_t>::min();
  return value == value ? static_cast<int32_t>(value) : 0;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_COMPILERINT_H
