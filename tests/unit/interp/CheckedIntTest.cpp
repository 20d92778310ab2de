//===- CheckedIntTest.cpp - the integers of kernels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CheckedInt.h"

#include <gtest/gtest.h>

#include <random>

using namespace ttjit::hw;

static constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;
static constexpr int32_t kOverflow = static_cast<int32_t>(ProgramFault::IntOverflow);

static void expectValue(CheckedInt result, int64_t expected) {
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value, expected);
}

TEST(CheckedInt, EndsOfTheRange) {
  expectValue(checkedAdd(kMax, 0), kMax);
  EXPECT_EQ(checkedAdd(kMax, 1).fault, kOverflow);
  expectValue(checkedSub(kMin, 0), kMin);
  EXPECT_EQ(checkedSub(kMin, 1).fault, kOverflow);
  EXPECT_EQ(checkedNeg(kMin).fault, kOverflow);
  EXPECT_EQ(checkedAbs(kMin).fault, kOverflow);
  expectValue(checkedAbs(-kMax), kMax);
  EXPECT_EQ(checkedFloorDiv(kMin, -1).fault, kOverflow);
  expectValue(checkedMod(kMin, -1), 0);
}

// a == (a // b) * b + a % b, and the remainder is between 0 and b.
TEST(CheckedInt, DivisionIsPythons) {
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    auto a = static_cast<int32_t>(random()), b = static_cast<int32_t>(random());
    if (i % 2)
      b >>= random() % 32;
    if (b == 0 || (a == kMin && b == -1))
      continue;
    CheckedInt quotient = checkedFloorDiv(a, b), rest = checkedMod(a, b);
    ASSERT_TRUE(quotient.ok() && rest.ok());
    ASSERT_EQ(int64_t(quotient.value) * b + rest.value, a) << a << " " << b;
    ASSERT_TRUE(b > 0 ? rest.value >= 0 && rest.value < b : rest.value <= 0 && rest.value > b);
  }
}

TEST(CheckedInt, PowerAgreesWithRepeatedMultiplication) {
  for (int32_t base = -12; base <= 12; ++base) {
    CheckedInt product{1};
    for (int32_t exponent = 0; exponent < 70; ++exponent) {
      CheckedInt power = checkedPow(base, exponent);
      ASSERT_EQ(power.ok(), product.ok()) << base << " ** " << exponent;
      if (power.ok()) {
        ASSERT_EQ(power.value, product.value) << base << " ** " << exponent;
      }
      if (product.ok())
        product = checkedMul(product.value, base);
    }
  }
  EXPECT_EQ(checkedPow(2, -1).fault, static_cast<int32_t>(ProgramFault::NegativeExponent));
}
