//===- VectorApi.cpp - operations of hw/facts/VectorOp.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/InlineTiles.h"
#include "hw/device/Worker.h"
#include "hw/facts/VectorOp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

using namespace ttjit::hw;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

uint32_t shiftRightSigned(uint32_t a, uint32_t distance) {
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(distance, 31u));
}
uint32_t absInt(uint32_t a, uint32_t) { return a >> 31 ? -a : a; }
int32_t signedOf(uint32_t a) { return static_cast<int32_t>(a); }

// Rounds a float to uint16, between 0 and 65535. NaN gives what infinity gives.
uint32_t floatToUInt16(uint32_t a, uint32_t) {
  float x = std::bit_cast<float>(a);
  if (a >> 31)
    return 0;
  return x < 65535 ? static_cast<uint32_t>(static_cast<double>(x) + 0.5) : 65535;
}
// Converts in the card's steps: a shift moves the significand by the exponent in 32 bits, and uses
// the low 5 bits of the distance.
uint32_t floatToUInt8(uint32_t a, uint32_t) {
  auto exponent = static_cast<int32_t>(a >> 23 & 255) - 127;
  if (exponent < 0)
    return 0;
  uint32_t significand = (a & 0x7fffff) | 0x800000;
  uint32_t whole =
      exponent < 23 ? significand >> (23 - exponent) : significand << ((exponent - 23) & 31);
  return (a >> 31 ? -whole : whole) & 255;
}
uint32_t int32ToUInt16(uint32_t a, uint32_t) {
  return static_cast<uint32_t>(std::clamp(signedOf(a), 0, 65535));
}

float heaviside(float x, float atZero) { return x < 0 ? 0.0f : x > 0 ? 1.0f : atZero; }
float softShrink(float x, float size) { return x > size ? x - size : x < -size ? x + size : 0.0f; }
float hardShrink(float x, float size) { return std::fabs(x) > size ? x : 0.0f; }
float divNoNan(float a, float b) { return b == 0 ? 0.0f : a / b; }
float truncatedRemainder(float a, float b) { return std::fmod(a, b); }
float flooredRemainder(float a, float b) {
  float rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}
float reversedQuotient(float a, float b) { return b / a; }
float truncatedQuotient(float a, float b) { return std::trunc(b / a); }
float flooredQuotient(float a, float b) { return std::floor(b / a); }
float logicalNot(float a, float) { return a == 0; }
float isPositiveInfinity(float a, float) { return a == kInfinity; }
float isNegativeInfinity(float a, float) { return a == -kInfinity; }
float isFinite(float a, float) { return std::isfinite(a); }
float same(float a, float) { return a; }

// Applies a function of floats to the bits of floats.
template <float (*function)(float, float)> uint32_t onFloats(uint32_t a, uint32_t b) {
  return std::bit_cast<uint32_t>(function(std::bit_cast<float>(a), std::bit_cast<float>(b)));
}

// The functions by number of the VectorOp; null for those that the tables of tile kernels have.
constexpr uint32_t (*kFunctions[])(uint32_t, uint32_t) = {
    [](uint32_t a, uint32_t b) { return a & b; },
    [](uint32_t a, uint32_t b) { return a | b; },
    [](uint32_t a, uint32_t b) { return a ^ b; },
    [](uint32_t a, uint32_t b) { return b < 32 ? a << b : 0; },
    [](uint32_t a, uint32_t b) { return b < 32 ? a >> b : 0; },
    shiftRightSigned,
    shiftRightSigned,
    absInt,
    [](uint32_t a, uint32_t b) -> uint32_t { return a == b; },
    [](uint32_t a, uint32_t b) -> uint32_t { return a != b; },
    [](uint32_t a, uint32_t) -> uint32_t { return signedOf(a) < 0; },
    [](uint32_t a, uint32_t) -> uint32_t { return signedOf(a) <= 0; },
    [](uint32_t a, uint32_t) -> uint32_t { return signedOf(a) > 0; },
    [](uint32_t a, uint32_t) -> uint32_t { return signedOf(a) >= 0; },
    floatToUInt16,
    floatToUInt8,
    int32ToUInt16,
    onFloats<hardShrink>,
    onFloats<softShrink>,
    onFloats<heaviside>,
    onFloats<divNoNan>,
    onFloats<truncatedRemainder>,
    onFloats<flooredRemainder>,
    onFloats<reversedQuotient>,
    onFloats<truncatedQuotient>,
    onFloats<flooredQuotient>,
    nullptr,
    nullptr,
    onFloats<logicalNot>,
    onFloats<isPositiveInfinity>,
    onFloats<isNegativeInfinity>,
    onFloats<isFinite>,
    onFloats<same>,
    nullptr,
    nullptr,
    nullptr,
};
static_assert(std::size(kFunctions) == kNumVectorOps);

void unaryOnHost(const TileKernels &tiles, TileOp row, const float *a, float *out) {
  tiles.copy(a, out);
  tiles.unary(row, out);
}

// Computes the operations that consist of tile operations (rows of TileOps.def). `tiles` is a table
// of mode Host; the table of mode Device has kernels for these operations.
void computeOnHost(const TileKernels &tiles, VectorOp op, const float *a, const float *b,
                   float *out) {
  switch (op) {
  case VectorOp::LogWithBase:
    unaryOnHost(tiles, TileOp::Log, a, out);
    return tiles.binary(TileOp::Mul, out, b, out);
  case VectorOp::ExpScaled:
    tiles.binary(TileOp::Mul, a, b, out);
    return tiles.unary(TileOp::Exp, out);
  case VectorOp::AccurateErf:
    return unaryOnHost(tiles, TileOp::Erf, a, out);
  case VectorOp::AccurateGelu:
    return unaryOnHost(tiles, TileOp::Gelu, a, out);
  case VectorOp::AccurateRecip:
    return unaryOnHost(tiles, TileOp::Recip, a, out);
  default:
    auto *function = kFunctions[static_cast<int>(op)];
    for (uint32_t i = 0; i < kDstTileElements; ++i)
      out[i] = std::bit_cast<float>(
          function(std::bit_cast<uint32_t>(a[i]), std::bit_cast<uint32_t>(b[i])));
  }
}

void compute(const TileKernels &tiles, VectorOp op, const float *a, const float *b, float *out) {
  bool isDevice = tiles.mode == NumericMode::Device;
  auto *kernel = isDevice ? tiles.vectorOps[static_cast<int>(op)] : nullptr;
  if (kernel)
    return kernel(a, b, out);
  computeOnHost(tiles, op, a, b, out);
  if (isDevice && !keepsBits(op))
    tiles.storeHostResults(out);
}

} // namespace

Status ttl_hw_vector_constant(KernelThread *t, int32_t op, int32_t dst, uint32_t word) {
  alignas(64) float constant[kDstTileElements];
  std::fill(std::begin(constant), std::end(constant), std::bit_cast<float>(word));
  return fast::computeUnary(
      t, dst,
      [&](float *data) { compute(*t->tiles, static_cast<VectorOp>(op), data, constant, data); },
      {.function = contextOf(t).units.sfpuCall});
}

Status ttl_hw_vector_binary(KernelThread *t, int32_t op, int32_t dst0, int32_t dst1, int32_t odst) {
  return fast::computeBinary(t, dst0, dst1, odst,
                             [&](const float *a, const float *b, float *out) {
                               compute(*t->tiles, static_cast<VectorOp>(op), a, b, out);
                             },
                             {.function = contextOf(t).units.sfpuCall});
}
