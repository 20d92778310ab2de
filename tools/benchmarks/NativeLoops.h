//===- NativeLoops.h - loops that tools/bench compares with ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The loops of one instruction set level. Arrays have `count` elements; the result may be
// one of the operands.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_BENCHMARKS_NATIVELOOPS_H
#define TTJIT_TOOLS_BENCHMARKS_NATIVELOOPS_H

#include <cstdint>

namespace ttjit::benchmarks {

/// Sums that `peak` computes side by side: enough to keep the units for products busy, and few
/// enough to stay in vector registers.
inline constexpr int kPeakLanes = 128;

struct NativeLoops {
  /// y = a * b + c in bfloat16, rounded once at the end.
  void (*multiplyAdd)(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y,
                      int64_t count);
  /// Twelve operations on bfloat16 arrays, rounded once at the end.
  void (*chain)(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y,
                int64_t count);
  /// y = exp(-exp(x)) in float32.
  void (*exponentials)(const float *x, float *y, int64_t count);
  /// y = gelu(gelu(x)) in float32.
  void (*gelus)(const float *x, float *y, int64_t count);
  /// Does 2 * kPeakLanes * `rounds` operations that need no memory, and returns their result.
  float (*peak)(int64_t rounds);
};

extern const NativeLoops nativeLoops_v2, nativeLoops_v3, nativeLoops_v4;

} // namespace ttjit::benchmarks

#endif // TTJIT_TOOLS_BENCHMARKS_NATIVELOOPS_H
