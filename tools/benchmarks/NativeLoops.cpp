//===- NativeLoops.cpp - loops over arrays, to compare kernels with -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function computes what a kernel of tools/bench computes, in one loop over arrays,
// with the same lane functions and the same rounding. Their results have the bits of the
// kernel. The file is compiled once per instruction set level; TTJIT_TILE_ISA is the
// level's name.
//===--------------------------------------------------------------------------===//

#include "tools/benchmarks/NativeLoops.h"

#include "hw/tile/FormatLoops.h"
#include "hw/tile/LaneErf.h"
#include "hw/tile/LaneExp.h"
#include "hw/tile/Lanes.h"

#define TTJIT_TABLE_OF(isa) nativeLoops_##isa
#define TTJIT_TABLE(isa) TTJIT_TABLE_OF(isa)

namespace ttjit::benchmarks {

namespace {

using Bfloat16 = hw::loops::StoredFloat16b;

void multiplyAdd(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y,
                 int64_t count) {
  TTJIT_TILE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i)
    y[i] = Bfloat16::store(Bfloat16::load(a[i]) * Bfloat16::load(b[i]) + Bfloat16::load(c[i]));
}

void chain(const uint16_t *a, const uint16_t *b, const uint16_t *c, uint16_t *y, int64_t count) {
  TTJIT_TILE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    float p = Bfloat16::load(a[i]), q = Bfloat16::load(b[i]), r = Bfloat16::load(c[i]);
    float t = hw::lane::abs(p * q + r);
    t = hw::lane::relu(t * p - q) + r;
    t = hw::lane::neg(t) * q - p;
    y[i] = Bfloat16::store(hw::lane::abs(t) + r);
  }
}

void exponentials(const float *x, float *y, int64_t count) {
  TTJIT_TILE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i)
    y[i] = hw::lane::exp(hw::lane::neg(hw::lane::exp(x[i])));
}

void gelus(const float *x, float *y, int64_t count) {
  TTJIT_TILE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i)
    y[i] = hw::lane::gelu(hw::lane::gelu(x[i]));
}

float peak(int64_t rounds) {
  float sums[kPeakLanes] = {};
  for (int64_t round = 0; round < rounds; ++round) {
    TTJIT_TILE_INDEPENDENT
    for (float &sum : sums)
      sum = hw::lane::fma(sum, 0.5f, 1.0f);
  }
  float total = 0;
  for (float sum : sums)
    total += sum;
  return total;
}

} // namespace

const NativeLoops TTJIT_TABLE(TTJIT_TILE_ISA) = {multiplyAdd, chain, exponentials, gelus, peak};

} // namespace ttjit::benchmarks
