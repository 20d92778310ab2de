//===- FloatEnvironmentTest.cpp - rounding and denormals of a host thread -----===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FloatEnvironment.h"

#include <gtest/gtest.h>

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace ttjit::hw;

namespace {

// The tests change the environment of the thread.
class FloatEnvironmentTest : public ::testing::Test {
protected:
  FloatEnvironmentTest() { std::fegetenv(&before); }
  ~FloatEnvironmentTest() override { std::fesetenv(&before); }

  std::fenv_t before;
};

template <typename T> T third() {
  volatile T one = 1, three = 3;
  volatile T result = one / three;
  return result;
}

TEST_F(FloatEnvironmentTest, RoundingIsThatOfTheCallerAgain) {
  float nearest = third<float>();
  long double nearestLong = third<long double>();
  std::fesetround(FE_DOWNWARD);
  float downward = third<float>();
  long double downwardLong = third<long double>();
  EXPECT_LT(downward, nearest);
  EXPECT_LT(downwardLong, nearestLong);
  {
    DefaultFloatEnvironment environment;
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(third<float>(), nearest);
    EXPECT_EQ(third<long double>(), nearestLong);
    {
      CallersFloatEnvironment caller;
      EXPECT_EQ(third<float>(), downward);
      EXPECT_EQ(third<long double>(), downwardLong);
      std::fesetround(FE_TOWARDZERO); // the caller keeps what it changes
    }
    EXPECT_EQ(third<long double>(), nearestLong);
  }
  EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
}

TEST_F(FloatEnvironmentTest, ExceptionsThatWereRaised) {
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    DefaultFloatEnvironment environment;
    (void)third<long double>();
    (void)third<float>();
    EXPECT_TRUE(std::fetestexcept(FE_INEXACT));
  }
  EXPECT_FALSE(std::fetestexcept(FE_ALL_EXCEPT));
  std::feraiseexcept(FE_DIVBYZERO);
  {
    DefaultFloatEnvironment environment;
    EXPECT_FALSE(std::fetestexcept(FE_ALL_EXCEPT));
  }
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
}

#if defined(__x86_64__)

TEST_F(FloatEnvironmentTest, TrapsAreThoseOfTheCallerAgain) {
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO);
  {
    DefaultFloatEnvironment environment;
    EXPECT_EQ(fegetexcept(), 0);
    volatile long double zero = 0;
    volatile long double quotient = 1 / zero;
    EXPECT_GT(quotient, 1);
  }
  EXPECT_EQ(fegetexcept(), FE_DIVBYZERO);
  EXPECT_FALSE(std::fetestexcept(FE_DIVBYZERO));
  EXPECT_GT(third<long double>(), 0); // would trap if the division by zero still stood as raised
}

TEST_F(FloatEnvironmentTest, DenormalsAreKept) {
  constexpr unsigned kFlush = 0x8040; // flush results to zero, take denormal operands for zero
  _mm_setcsr(_mm_getcsr() | kFlush);
  volatile float least = 1e-40f;
  {
    DefaultFloatEnvironment environment;
    EXPECT_NE(least * 2, 0);
  }
  EXPECT_EQ(_mm_getcsr() & kFlush, kFlush);
  EXPECT_EQ(least * 2, 0);
}

#endif

} // namespace
