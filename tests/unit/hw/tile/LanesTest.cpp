//===- LanesTest.cpp - lane functions against their exact values --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Oracles.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>

using namespace ttjit::hw;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void apply(const Oracle &oracle, Tile &tile) {
  if (factsOf(oracle.op).kind == TileOpKind::UnaryParam)
    tileKernels().unaryParam(oracle.op, tile.data(), oracle.numbers.data());
  else
    tileKernels().unary(oracle.op, tile.data());
}

void expectWithin(const Oracle &oracle, const std::vector<float> &inputs) {
  Tile tile{};
  for (size_t begin = 0; begin < inputs.size(); begin += kTileElements) {
    size_t count = std::min<size_t>(kTileElements, inputs.size() - begin);
    std::copy_n(inputs.begin() + begin, count, tile.begin());
    apply(oracle, tile);
    for (size_t i = 0; i < count; ++i) {
      float x = inputs[begin + i];
      if (hasOnlyLimit(oracle.op, x))
        continue;
      long double exact = oracle.exact(x, oracle.numbers.data());
      ASSERT_LE(ulpDistance(tile[i], exact), oracle.maxUlp)
          << std::hexfloat << factsOf(oracle.op).name << "(" << x << ") = " << tile[i]
          << ", exactly " << exact;
    }
  }
}

// Returns `count` floats: every `step`-th bit pattern from `begin` on.
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

float paramOf(TileOp op, float x, std::array<float, 3> numbers) {
  Tile tile{};
  tile[0] = x;
  tileKernels().unaryParam(op, tile.data(), numbers.data());
  return tile[0];
}

float intOf(TileOp op, float x, int32_t number) {
  Tile tile{};
  tile[0] = x;
  tileKernels().unaryInt(op, tile.data(), number);
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

TEST(Lanes, EveryFloatRowHasAnOracle) {
  std::multiset<TileOp> known;
  for (const Oracle &oracle : oracles())
    known.insert(oracle.op);
  for (const BinaryOracle &oracle : binaryOracles())
    known.insert(oracle.op);
  for (const TileOpFacts &facts : kTileOps) {
    bool isFunction = facts.kind == TileOpKind::Unary || facts.kind == TileOpKind::UnaryParam ||
                      facts.kind == TileOpKind::Binary;
    EXPECT_EQ(known.count(facts.op), isFunction && !movesIntegers(facts.op)) << facts.name;
  }
}

TEST(Lanes, WithinStatedUlpEverywhere) {
  // An odd step goes through all bit patterns; this one takes about half a million.
  for (const Oracle &oracle : oracles())
    expectWithin(oracle, floatsFrom(0, 8209, 1 << 19));
}

TEST(Lanes, WithinStatedUlpWhereItIsHard) {
  const float centers[] = {0.0f,      1.0f,      -1.0f,     0x1p-8f,    -0x1p-8f,  0.70710678f,
                           1.414214f, 88.72284f, 89.0f,     -87.336f,   -103.97f,  0.3465736f,
                           9.0109f,   20.0f,     0x1p-126f, 2.0f,       16.6355f,  0.5f,
                           -0.5f,     0.4142f,   2.41421f,  1.570796f,  3.141593f, 10.6f,
                           -13.5f,    10.05f,    -9.19f,    8388608.0f, 1e20f};
  for (const Oracle &oracle : oracles())
    for (float center : centers)
      expectWithin(oracle, floatsFrom(std::bit_cast<uint32_t>(center) - 8192, 1, 16384));
}

// A bfloat16 result is rounded twice. The second rounding adds at most half an ulp to the error of
// the first rounding, which is about 2^-16 of an ulp of bfloat16.
TEST(Lanes, WithinBoundOnAllBFloat16Numbers) {
  for (const Oracle &oracle : oracles())
    for (uint32_t begin = 0; begin < 1 << 16; begin += kTileElements) {
      Tile inputs;
      for (uint32_t i = 0; i < kTileElements; ++i)
        inputs[i] = std::bit_cast<float>((begin + i) << 16);
      Tile results = inputs;
      apply(oracle, results);
      tileKernels().unary(TileOp::ToBFloat16, results.data());
      for (int i = 0; i < kTileElements; ++i)
        if (!hasOnlyLimit(oracle.op, inputs[i]))
          ASSERT_LE(ulpDistance(results[i], oracle.exact(inputs[i], oracle.numbers.data()), 8),
                    0.501)
              << std::hexfloat << factsOf(oracle.op).name << "(" << inputs[i]
              << ") = " << results[i];
    }
}

TEST(Lanes, WithinStatedUlpOnPairs) {
  Random random(15);
  for (const BinaryOracle &oracle : binaryOracles())
    for (int done = 0; done < 1000000; done += kTileElements) {
      Tile a = makeTile([&] { return anyFloat(random); });
      Tile b = makeTile([&] { return anyFloat(random); }), out;
      tileKernels().binary(oracle.op, a.data(), b.data(), out.data());
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_LE(ulpDistance(out[i], oracle.exact(a[i], b[i])), oracle.maxUlp)
            << std::hexfloat << factsOf(oracle.op).name << " " << a[i] << " " << b[i];
    }
}

TEST(Lanes, SpecialValues) {
  struct {
    TileOp op;
    float x, result;
  } const cases[] = {
      {TileOp::Abs, -0.0f, 0.0f},         {TileOp::Abs, -kInf, kInf},
      {TileOp::Neg, 0.0f, -0.0f},         {TileOp::Neg, -1.0f, 1.0f},
      {TileOp::Exp, -kInf, 0.0f},         {TileOp::Exp, kInf, kInf},
      {TileOp::Exp, -0.0f, 1.0f},         {TileOp::Log, 0.0f, -kInf},
      {TileOp::Log, -0.0f, -kInf},        {TileOp::Log, -1.0f, kNaN},
      {TileOp::Log, kInf, kInf},          {TileOp::Log, -kInf, kNaN},
      {TileOp::Log, 1.0f, 0.0f},          {TileOp::Recip, -0.0f, -kInf},
      {TileOp::Recip, -kInf, -0.0f},      {TileOp::Relu, -0.0f, 0.0f},
      {TileOp::Relu, -kInf, 0.0f},        {TileOp::Relu, 0x1p-149f, 0x1p-149f},
      {TileOp::Rsqrt, 0.0f, kInf},        {TileOp::Rsqrt, -0.0f, -kInf},
      {TileOp::Rsqrt, -1.0f, kNaN},       {TileOp::Rsqrt, kInf, 0.0f},
      {TileOp::Sigmoid, 0.0f, 0.5f},      {TileOp::Sigmoid, -kInf, 0.0f},
      {TileOp::Sigmoid, kInf, 1.0f},      {TileOp::Sqrt, -0.0f, -0.0f},
      {TileOp::Sqrt, -1.0f, kNaN},        {TileOp::Square, -kInf, kInf},
      {TileOp::Tanh, -0.0f, -0.0f},       {TileOp::Tanh, -kInf, -1.0f},
      {TileOp::Tanh, kInf, 1.0f},         {TileOp::Tanh, -0x1p-149f, -0x1p-149f},
      {TileOp::Gelu, -kInf, -0.0f},       {TileOp::Gelu, kInf, kInf},
      {TileOp::Silu, -kInf, -0.0f},       {TileOp::Silu, kInf, kInf},
      {TileOp::SoftSign, -kInf, -1.0f},   {TileOp::SoftSign, kInf, 1.0f},
      {TileOp::Sin, kInf, kNaN},          {TileOp::Cos, -kInf, kNaN},
      {TileOp::Sin, -0.0f, -0.0f},        {TileOp::Cos, -0.0f, 1.0f},
      {TileOp::Tan, -0.0f, -0.0f},        {TileOp::Atan, -kInf, -1.5707964f},
      {TileOp::Asin, 1.0001f, kNaN},      {TileOp::Acos, 1.0f, 0.0f},
      {TileOp::Log1p, -1.0f, -kInf},      {TileOp::Log1p, -0.0f, -0.0f},
      {TileOp::Expm1, -0.0f, -0.0f},      {TileOp::Expm1, -kInf, -1.0f},
      {TileOp::Atanh, -1.0f, -kInf},      {TileOp::Acosh, 0.5f, kNaN},
      {TileOp::Sign, -0.0f, -0.0f},       {TileOp::Sign, -kInf, -1.0f},
      {TileOp::SignBit, -0.0f, 1.0f},     {TileOp::SignBit, 0.0f, 0.0f},
      {TileOp::Frac, -1.75f, -0.75f},     {TileOp::Frac, kInf, kNaN},
      {TileOp::Ceil, -0.5f, -0.0f},       {TileOp::Floor, -0.0f, -0.0f},
      {TileOp::HardSigmoid, -3.0f, 0.0f}, {TileOp::HardSigmoid, kInf, 1.0f},
      {TileOp::IsInf, -kInf, 1.0f},       {TileOp::Eqz, -0.0f, 1.0f},
  };
  for (const auto &c : cases)
    EXPECT_EQ(observed(unaryOf(c.op, c.x)), observed(c.result)) << factsOf(c.op).name << " " << c.x;
}

// Returns whether a row answers a question about its operands or selects one of them.
bool isTest(const TileOpFacts &facts) {
  static const std::set<std::string> tests = {
      "eqz",       "nez",      "ltz",         "lez",      "gtz",      "gez",      "isnan",
      "isinf",     "signbit",  "eq",          "ne",       "lt",       "le",       "gt",
      "ge",        "eq_unary", "ne_unary",    "lt_unary", "le_unary", "gt_unary", "ge_unary",
      "threshold", "mask",     "mask_posinf", "where"};
  return tests.count(facts.name) != 0;
}

TEST(Lanes, NaNGoesThroughEverythingElse) {
  for (uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu})
    for (const TileOpFacts &facts : kTileOps) {
      float nan = std::bit_cast<float>(bits);
      if (isTest(facts) || movesIntegers(facts.op))
        continue;
      if (facts.kind == TileOpKind::Unary) {
        EXPECT_TRUE(std::isnan(unaryOf(facts.op, nan))) << facts.name;
      } else if (facts.kind == TileOpKind::UnaryParam) {
        EXPECT_TRUE(std::isnan(paramOf(facts.op, nan, {1.5f, 2.5f, 20.0f}))) << facts.name;
      } else if (facts.kind == TileOpKind::UnaryInt) {
        EXPECT_TRUE(std::isnan(intOf(facts.op, nan, 3))) << facts.name;
      } else {
        for (float other : {0.5f, 2.0f, -kInf, nan}) {
          EXPECT_TRUE(std::isnan(binaryOf(facts.op, nan, other))) << facts.name;
          EXPECT_TRUE(std::isnan(binaryOf(facts.op, other, nan))) << facts.name;
        }
      }
    }
}

// Returns the quotient of 64-bit integers, rounded down.
int64_t floorOf(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

void expectDivision(uint32_t a, uint32_t b) {
  auto bitsOf = [&](TileOp op) {
    return std::bit_cast<uint32_t>(binaryOf(op, std::bit_cast<float>(a), std::bit_cast<float>(b)));
  };
  int64_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  ASSERT_EQ(bitsOf(TileOp::DivInt32), b ? static_cast<uint32_t>(x / y) : ~0u) << x << " / " << y;
  ASSERT_EQ(bitsOf(TileOp::FloorDivInt32), b ? static_cast<uint32_t>(floorOf(x, y)) : ~0u)
      << x << " // " << y;
  ASSERT_EQ(bitsOf(TileOp::ModInt32), b ? static_cast<uint32_t>(x - floorOf(x, y) * y) : a)
      << x << " % " << y;
  ASSERT_EQ(bitsOf(TileOp::DivUInt32), b ? a / b : ~0u) << a << " / " << b;
  ASSERT_EQ(bitsOf(TileOp::ModUInt32), b ? a % b : a) << a << " % " << b;
}

TEST(Lanes, DivisionsOfIntegersAreExact) {
  const uint32_t special[] = {0,          1,          2,          3,         0x7fffffff,
                              0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  Random random(61);
  for (uint32_t a : special)
    for (uint32_t b : special)
      expectDivision(a, b);
  for (int i = 0; i < 2000; ++i) {
    auto a = static_cast<uint32_t>(random.next()), b = static_cast<uint32_t>(random.next());
    expectDivision(a, b >> random.below(32));
  }
}

TEST(Lanes, TestsAndSelectionsOnNaN) {
  for (TileOp op : {TileOp::Eqz, TileOp::Ltz, TileOp::Lez, TileOp::Gtz, TileOp::Gez, TileOp::IsInf,
                    TileOp::SignBit})
    EXPECT_EQ(unaryOf(op, std::copysign(kNaN, -1.0f)), 0.0f) << factsOf(op).name;
  EXPECT_EQ(unaryOf(TileOp::Nez, kNaN), 1.0f);
  EXPECT_EQ(unaryOf(TileOp::IsNan, kNaN), 1.0f);
  for (TileOp op : {TileOp::Eq, TileOp::Lt, TileOp::Le, TileOp::Gt, TileOp::Ge})
    EXPECT_EQ(binaryOf(op, kNaN, kNaN), 0.0f) << factsOf(op).name;
  EXPECT_EQ(binaryOf(TileOp::Ne, kNaN, kNaN), 1.0f);
  EXPECT_EQ(paramOf(TileOp::Threshold, kNaN, {1.0f, 7.0f, 0.0f}), 7.0f);
  EXPECT_EQ(binaryOf(TileOp::Mask, 3.0f, kNaN), 3.0f);
  EXPECT_EQ(binaryOf(TileOp::Mask, kNaN, 1.0f), 0.0f);
  Tile c{}, a{}, b{}, out;
  c[0] = kNaN, c[1] = -0.0f, a[0] = a[1] = 1.0f, b[0] = b[1] = 2.0f;
  tileKernels().ternary(TileOp::Where, c.data(), a.data(), b.data(), out.data());
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], 2.0f);
}

TEST(Lanes, PowersAsC99Says) {
  const float values[] = {0.0f,   -0.0f,  1.0f, -1.0f, 2.0f,  -2.0f,       3.0f,       -3.0f,
                          0.5f,   -0.5f,  2.5f, kInf,  -kInf, kNaN,        0x1p-149f,  1e38f,
                          -1e38f, 1e-40f, 5.0f, 33.0f, -7.0f, 16777216.0f, 16777215.0f};
  for (float x : values)
    for (float y : values) {
      long double exact = std::pow(static_cast<long double>(x), y);
      EXPECT_LE(ulpDistance(binaryOf(TileOp::Pow, x, y), exact), 0.52) << x << " ** " << y;
      EXPECT_EQ(observed(paramOf(TileOp::PowUnary, x, {y, 0.0f, 0.0f})),
                observed(binaryOf(TileOp::Pow, x, y)));
    }
}

TEST(Lanes, PowersWithinStatedUlp) {
  Random random(13);
  for (int i = 0; i < 200000; ++i) {
    float x = std::fabs(anyFloat(random)), y = 40 * random.unit();
    if (i % 2)
      x = 1 + random.unit() / 2;
    long double exact = std::pow(static_cast<long double>(x), y);
    if (std::isnan(x) || std::isnan(exact))
      continue;
    ASSERT_LE(ulpDistance(binaryOf(TileOp::Pow, x, y), exact), 0.52)
        << std::hexfloat << x << " ** " << y;
  }
}

TEST(Lanes, IntegerPowers) {
  Random random(14);
  for (int i = 0; i < 20000; ++i) {
    float x = anyFloat(random);
    int n = static_cast<int>(random.below(20)) - 3;
    long double exact = std::pow(static_cast<long double>(x), n);
    if (!std::isnan(x)) {
      ASSERT_LE(ulpDistance(intOf(TileOp::PowInt, x, n), exact), 0.5001) << x << " ** " << n;
    }
  }
  EXPECT_EQ(intOf(TileOp::PowInt, kNaN, 0), 1.0f);
}

TEST(Lanes, RoundsToDecimals) {
  struct {
    float x;
    int decimals;
    float result;
  } const cases[] = {{2.5f, 0, 2.0f},     {3.5f, 0, 4.0f},        {-0.4f, 0, -0.0f},
                     {1.2345f, 2, 1.23f}, {1250.0f, -2, 1200.0f}, {1350.0f, -2, 1400.0f},
                     {-kInf, 3, -kInf},   {1e30f, 2, 1e30f},      {0x1p-149f, 10, 0.0f}};
  for (const auto &c : cases)
    EXPECT_EQ(observed(intOf(TileOp::Round, c.x, c.decimals)), observed(c.result))
        << c.x << " " << c.decimals;
}

TEST(Lanes, ExponentialActivationsKeepZeros) {
  for (float zero : {0.0f, -0.0f})
    for (float alpha : {1.5f, -1.5f}) {
      EXPECT_EQ(observed(paramOf(TileOp::Elu, zero, {alpha})), observed(zero)) << alpha;
      EXPECT_EQ(observed(paramOf(TileOp::Celu, zero, {alpha, 1 / alpha})), observed(zero)) << alpha;
      EXPECT_EQ(observed(paramOf(TileOp::Selu, zero, {1.05f, alpha})), observed(zero)) << alpha;
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
