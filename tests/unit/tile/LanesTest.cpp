//===- LanesTest.cpp - lane functions against double libm -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Bounds are the ones that Lanes.h states, rounded up.
//===--------------------------------------------------------------------------===//

#include "tests/unit/tile/TileTesting.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace ttjit::hw;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Oracle {
  TileOp op;
  double (*exact)(double);
  double maxUlp;
};

const Oracle kOracles[] = {
    {TileOp::Exp, [](double x) { return std::exp(x); }, 0.501},
    {TileOp::Log, [](double x) { return std::log(x); }, 0.501},
    {TileOp::Recip, [](double x) { return 1 / x; }, 0.5},
    {TileOp::Rsqrt, [](double x) { return 1 / std::sqrt(x); }, 0.5},
    {TileOp::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 0.501},
    {TileOp::Sqrt, [](double x) { return std::sqrt(x); }, 0.5},
    {TileOp::Square, [](double x) { return x * x; }, 0.5},
    {TileOp::Tanh, [](double x) { return std::tanh(x); }, 0.506},
};

/// The last place of floats around `exact`.
double ulpOf(double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

/// Distance of `got` to `exact` in ulp; results that must be equal (NaN, zero,
/// infinity, overflow) are 0 or infinitely far away.
double distance(float got, double exact) {
  float rounded = static_cast<float>(exact);
  if (exact == 0 || !std::isfinite(rounded) || !std::isfinite(got))
    return observed(got) == observed(rounded) ? 0 : kInf;
  // The oracle itself is off by some 2^-52.
  return std::max(0.0, std::fabs(got - exact) / ulpOf(exact) - 0x1p-27);
}

void expectWithin(const Oracle &oracle, const std::vector<float> &inputs) {
  Tile tile{};
  for (size_t begin = 0; begin < inputs.size(); begin += kTileElements) {
    size_t count = std::min<size_t>(kTileElements, inputs.size() - begin);
    std::copy_n(inputs.begin() + begin, count, tile.begin());
    tileKernels().unary(oracle.op, tile.data());
    for (size_t i = 0; i < count; ++i) {
      double exact = oracle.exact(inputs[begin + i]);
      ASSERT_LE(distance(tile[i], exact), oracle.maxUlp)
          << std::hexfloat << factsOf(oracle.op).name << "(" << inputs[begin + i]
          << ") = " << tile[i] << ", exactly " << exact;
    }
  }
}

/// Every `step`-th float from bit pattern `begin`.
std::vector<float> floatsFrom(uint32_t begin, uint32_t step, int count) {
  std::vector<float> floats;
  for (int i = 0; i < count; ++i)
    floats.push_back(std::bit_cast<float>(begin + step * static_cast<uint32_t>(i)));
  return floats;
}

float unaryOf(TileOp op, float x) {
  Tile tile{};
  tile[0] = x;
  tileKernels().unary(op, tile.data());
  return tile[0];
}

float binaryOf(TileOp op, float x, float y) {
  Tile a{}, b{}, out;
  a[0] = x;
  b[0] = y;
  tileKernels().binary(op, a.data(), b.data(), out.data());
  return out[0];
}

} // namespace

TEST(Lanes, WithinStatedUlpEverywhere) {
  // An odd step through all bit patterns, some two million.
  for (const Oracle &oracle : kOracles)
    expectWithin(oracle, floatsFrom(0, 2053, 1 << 21));
}

TEST(Lanes, WithinStatedUlpWhereItIsHard) {
  const float centers[] = {0.0f,      1.0f,      -1.0f,     0x1p-8f,  -0x1p-8f, 0.70710678f,
                           1.414214f, 88.72284f, 89.0f,     -87.336f, -103.97f, 0.3465736f,
                           9.0109f,   20.0f,     0x1p-126f, 2.0f,     16.6355f};
  for (const Oracle &oracle : kOracles)
    for (float center : centers)
      expectWithin(oracle, floatsFrom(std::bit_cast<uint32_t>(center) - 8192, 1, 16384));
}

TEST(Lanes, SpecialValues) {
  struct {
    TileOp op;
    float x, result;
  } const cases[] = {
      {TileOp::Abs, -0.0f, 0.0f},    {TileOp::Abs, -kInf, kInf},
      {TileOp::Neg, 0.0f, -0.0f},    {TileOp::Neg, -1.0f, 1.0f},
      {TileOp::Exp, -kInf, 0.0f},    {TileOp::Exp, kInf, kInf},
      {TileOp::Exp, -0.0f, 1.0f},    {TileOp::Log, 0.0f, -kInf},
      {TileOp::Log, -0.0f, -kInf},   {TileOp::Log, -1.0f, kNaN},
      {TileOp::Log, kInf, kInf},     {TileOp::Log, -kInf, kNaN},
      {TileOp::Log, 1.0f, 0.0f},     {TileOp::Recip, -0.0f, -kInf},
      {TileOp::Recip, -kInf, -0.0f}, {TileOp::Relu, -0.0f, 0.0f},
      {TileOp::Relu, -kInf, 0.0f},   {TileOp::Relu, 0x1p-149f, 0x1p-149f},
      {TileOp::Rsqrt, 0.0f, kInf},   {TileOp::Rsqrt, -0.0f, -kInf},
      {TileOp::Rsqrt, -1.0f, kNaN},  {TileOp::Rsqrt, kInf, 0.0f},
      {TileOp::Sigmoid, 0.0f, 0.5f}, {TileOp::Sigmoid, -kInf, 0.0f},
      {TileOp::Sigmoid, kInf, 1.0f}, {TileOp::Sqrt, -0.0f, -0.0f},
      {TileOp::Sqrt, -1.0f, kNaN},   {TileOp::Square, -kInf, kInf},
      {TileOp::Tanh, -0.0f, -0.0f},  {TileOp::Tanh, -kInf, -1.0f},
      {TileOp::Tanh, kInf, 1.0f},    {TileOp::Tanh, -0x1p-149f, -0x1p-149f},
  };
  for (const auto &c : cases)
    EXPECT_EQ(observed(unaryOf(c.op, c.x)), observed(c.result)) << factsOf(c.op).name << " " << c.x;
}

TEST(Lanes, NaNGoesThroughEverything) {
  for (uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu})
    for (const TileOpFacts &facts : kTileOps) {
      float nan = std::bit_cast<float>(bits);
      if (facts.operands == 1) {
        EXPECT_TRUE(std::isnan(unaryOf(facts.op, nan))) << facts.name;
        continue;
      }
      for (float other : {0.0f, 1.0f, -kInf, nan}) {
        EXPECT_TRUE(std::isnan(binaryOf(facts.op, nan, other))) << facts.name;
        EXPECT_TRUE(std::isnan(binaryOf(facts.op, other, nan))) << facts.name;
      }
    }
}

TEST(Lanes, BinaryArithmeticIsIEEE) {
  struct {
    TileOp op;
    double (*exact)(double, double);
  } const cases[] = {{TileOp::Add, [](double a, double b) { return a + b; }},
                     {TileOp::Sub, [](double a, double b) { return a - b; }},
                     {TileOp::Mul, [](double a, double b) { return a * b; }},
                     {TileOp::Div, [](double a, double b) { return a / b; }}};
  // Rounding twice is harmless here: double has more than twice the bits.
  Random random(11);
  for (int round = 0; round < 200; ++round)
    for (const auto &c : cases) {
      Tile a = makeTile([&] { return anyFloat(random); });
      Tile b = makeTile([&] { return anyFloat(random); }), out;
      tileKernels().binary(c.op, a.data(), b.data(), out.data());
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_EQ(observed(out[i]), observed(static_cast<float>(c.exact(a[i], b[i]))))
            << std::hexfloat << factsOf(c.op).name << " " << a[i] << " " << b[i];
    }
}

TEST(Lanes, MaxAndMinOrderZeros) {
  auto less = [](float a, float b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  };
  for (uint32_t x : kSpecialBits)
    for (uint32_t y : kSpecialBits) {
      float a = std::bit_cast<float>(x), b = std::bit_cast<float>(y);
      bool nan = std::isnan(a) || std::isnan(b);
      float greater = nan ? kNaN : less(a, b) ? b : a;
      float smaller = nan ? kNaN : less(a, b) ? a : b;
      EXPECT_EQ(observed(binaryOf(TileOp::Max, a, b)), observed(greater)) << a << " " << b;
      EXPECT_EQ(observed(binaryOf(TileOp::Min, a, b)), observed(smaller)) << a << " " << b;
    }
}

TEST(Lanes, OutMayBeAnOperand) {
  Random random(12);
  Tile a = makeTile([&] { return random.unit(); }), b = makeTile([&] { return random.unit(); });
  for (const TileKernels *kernels : allLevels()) {
    Tile apart, first = a, second = b;
    kernels->binary(TileOp::Sub, a.data(), b.data(), apart.data());
    kernels->binary(TileOp::Sub, first.data(), b.data(), first.data());
    kernels->binary(TileOp::Sub, a.data(), second.data(), second.data());
    EXPECT_EQ(apart, first);
    EXPECT_EQ(apart, second);
    kernels->binary(TileOp::Sub, first.data(), first.data(), first.data());
    EXPECT_EQ(first, Tile{});
  }
}
