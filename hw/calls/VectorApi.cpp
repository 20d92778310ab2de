//===- VectorApi.cpp - operations of hw/facts/VectorOp.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "hw/facts/VectorOp.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace ttjit::hw;

namespace {

uint32_t shiftRightSigned(uint32_t a, uint32_t distance) {
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(distance, 31u));
}
uint32_t absInt(uint32_t a, uint32_t) { return a >> 31 ? -a : a; }

float heaviside(float x, float atZero) { return x < 0 ? 0.0f : x > 0 ? 1.0f : atZero; }
float softShrink(float x, float size) { return x > size ? x - size : x < -size ? x + size : 0.0f; }
float hardShrink(float x, float size) { return std::fabs(x) > size ? x : 0.0f; }
float divNoNan(float a, float b) { return b == 0 ? 0.0f : a / b; }
float truncatedRemainder(float a, float b) { return std::fmod(a, b); }
float flooredRemainder(float a, float b) {
  float rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}

// A function of floats, on their bits.
template <float (*function)(float, float)> uint32_t onFloats(uint32_t a, uint32_t b) {
  return std::bit_cast<uint32_t>(function(std::bit_cast<float>(a), std::bit_cast<float>(b)));
}

// By VectorOp.
constexpr uint32_t (*kFunctions[])(uint32_t, uint32_t) = {
    [](uint32_t a, uint32_t b) { return a & b; },
    [](uint32_t a, uint32_t b) { return a | b; },
    [](uint32_t a, uint32_t b) { return a ^ b; },
    [](uint32_t a, uint32_t b) { return b < 32 ? a << b : 0; },
    [](uint32_t a, uint32_t b) { return b < 32 ? a >> b : 0; },
    shiftRightSigned,
    absInt,
    onFloats<heaviside>,
    onFloats<softShrink>,
    onFloats<hardShrink>,
    onFloats<divNoNan>,
    onFloats<truncatedRemainder>,
    onFloats<flooredRemainder>,
};

} // namespace

Status ttl_hw_vector_constant(KernelThread *t, int32_t op, int32_t dst, uint32_t word) {
  return fast::computeUnary(t, dst, [&](float *data) {
    for (int i = 0; i < kDstTileElements; ++i)
      data[i] = std::bit_cast<float>(kFunctions[op](std::bit_cast<uint32_t>(data[i]), word));
  });
}

Status ttl_hw_vector_binary(KernelThread *t, int32_t op, int32_t dst0, int32_t dst1, int32_t odst) {
  return fast::computeBinary(t, dst0, dst1, odst, [&](const float *a, const float *b, float *out) {
    for (int i = 0; i < kDstTileElements; ++i)
      out[i] = std::bit_cast<float>(
          kFunctions[op](std::bit_cast<uint32_t>(a[i]), std::bit_cast<uint32_t>(b[i])));
  });
}
