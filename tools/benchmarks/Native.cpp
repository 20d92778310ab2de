//===- Native.cpp - the native loops as functions of a library ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// tools/benchmarks/references.py calls these functions. They run the loops of the highest
// instruction set level that the CPU has, as the tile kernels do.
//===--------------------------------------------------------------------------===//

#include "tools/benchmarks/NativeLoops.h"

using namespace ttjit::benchmarks;

static const NativeLoops &loops() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("x86-64-v4"))
    return nativeLoops_v4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return nativeLoops_v3;
#endif
  return nativeLoops_v2;
}

extern "C" {

void ttjit_bench_multiply_add(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y,
                              int64_t count) {
  loops().multiplyAdd(a, b, c, y, count);
}

void ttjit_bench_chain(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y,
                       int64_t count) {
  loops().chain(a, b, c, y, count);
}

void ttjit_bench_exponentials(const float *x, float *y, int64_t count) {
  loops().exponentials(x, y, count);
}

void ttjit_bench_gelus(const float *x, float *y, int64_t count) { loops().gelus(x, y, count); }

float ttjit_bench_peak(int64_t rounds) { return loops().peak(rounds); }
int ttjit_bench_peak_lanes() { return kPeakLanes; }

} // extern "C"
