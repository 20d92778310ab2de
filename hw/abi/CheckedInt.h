//===- CheckedInt.h - checked arithmetic of user integers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Python's integer operators on signed 32-bit values. If the result does not fit, the
// divisor is zero or the exponent is negative, the function returns a fault instead of
// a value, and the caller passes it to ttl_hw_program_fault. Both engines compute with
// these functions, so both fault in the same cases. Header-only, calls nothing.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_CHECKEDINT_H
#define TTJIT_HW_ABI_CHECKEDINT_H

#include "hw/abi/KernelApi.h"

#include <cstdint>
#include <limits>

namespace ttjit::hw {

/// The result of an operation. `fault` is a ProgramFault or kNoFault; `value` is valid
/// only with kNoFault.
struct CheckedInt {
  static constexpr int32_t kNoFault = -1;

  int32_t value = 0;
  int32_t fault = kNoFault;

  constexpr bool ok() const { return fault == kNoFault; }
  static constexpr CheckedInt of(ProgramFault fault) { return {0, static_cast<int32_t>(fault)}; }
  /// Returns `wide` if it fits into 32 bits, else an overflow.
  static constexpr CheckedInt fit(int64_t wide) {
    if (wide < std::numeric_limits<int32_t>::min() || wide > std::numeric_limits<int32_t>::max())
      return of(ProgramFault::IntOverflow);
    return {static_cast<int32_t>(wide), kNoFault};
  }
};

constexpr CheckedInt checkedAdd(int32_t a, int32_t b) { return CheckedInt::fit(int64_t(a) + b); }
constexpr CheckedInt checkedSub(int32_t a, int32_t b) { return CheckedInt::fit(int64_t(a) - b); }
constexpr CheckedInt checkedMul(int32_t a, int32_t b) { return CheckedInt::fit(int64_t(a) * b); }
constexpr CheckedInt checkedNeg(int32_t a) { return CheckedInt::fit(-int64_t(a)); }
constexpr CheckedInt checkedAbs(int32_t a) { return a < 0 ? checkedNeg(a) : CheckedInt{a}; }

/// Division that rounds towards minus infinity.
constexpr CheckedInt checkedFloorDiv(int32_t a, int32_t b) {
  if (b == 0)
    return CheckedInt::of(ProgramFault::DivisionByZero);
  int64_t quotient = int64_t(a) / b;
  bool inexact = quotient * b != a;
  return CheckedInt::fit(quotient - (inexact && (a < 0) != (b < 0)));
}

/// Remainder with the sign of the divisor.
constexpr CheckedInt checkedMod(int32_t a, int32_t b) {
  if (b == 0)
    return CheckedInt::of(ProgramFault::DivisionByZero);
  int64_t rest = int64_t(a) % b;
  return {static_cast<int32_t>(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest)};
}

/// base ** exponent; 0 ** 0 is 1.
constexpr CheckedInt checkedPow(int32_t base, int32_t exponent) {
  if (exponent < 0)
    return CheckedInt::of(ProgramFault::NegativeExponent);
  CheckedInt result{1}, square{base};
  for (uint32_t rest = static_cast<uint32_t>(exponent); rest != 0; rest >>= 1) {
    if (!square.ok())
      return square;
    if (rest & 1)
      result = checkedMul(result.value, square.value);
    if (!result.ok())
      return result;
    if (rest > 1)
      square = checkedMul(square.value, square.value);
  }
  return result;
}

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_CHECKEDINT_H
