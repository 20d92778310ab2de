//===- FmaTest.cpp - our fma against libm's -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/tile/Fma.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ttjit::hw;

namespace {

struct Triple {
  float a, b, c;
};

// Compares both forms of fma with std::fma, which is exact.
void expectExact(Triple t) {
  uint32_t expected = observed(std::fma(t.a, t.b, t.c));
  if (observed(lane::fmaByOddSum(t.a, t.b, t.c)) == expected &&
      observed(lane::fma(t.a, t.b, t.c)) == expected)
    return;
  ADD_FAILURE() << std::hexfloat << "fma(" << t.a << ", " << t.b << ", " << t.c
                << ") = " << lane::fma(t.a, t.b, t.c) << " or " << lane::fmaByOddSum(t.a, t.b, t.c)
                << ", expected " << std::fma(t.a, t.b, t.c);
}

float randomBits(Random &random) {
  return std::bit_cast<float>(static_cast<uint32_t>(random.next()));
}

// Returns a float with an exponent from `low` to `high` and few bits set, so that exact ties and
// near ties are common.
float sparse(Random &random, int low, int high) {
  uint32_t mantissa = 0x800000;
  for (int i = random.below(4); i > 0; --i)
    mantissa ^= (1u << random.below(23));
  if (random.below(2))
    mantissa += static_cast<uint32_t>(random.below(3)) - 1;
  float value = std::ldexp(static_cast<float>(mantissa), low + random.below(high - low + 1) - 23);
  return random.below(2) ? value : -value;
}

template <typename Make> void sweep(int count, uint64_t seed, Make make) {
  Random random(seed);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i)
    expectExact(make(random));
}

} // namespace

TEST(Fma, SpecialValues) {
  for (uint32_t a : kSpecialBits)
    for (uint32_t b : kSpecialBits)
      for (uint32_t c : kSpecialBits)
        expectExact({std::bit_cast<float>(a), std::bit_cast<float>(b), std::bit_cast<float>(c)});
}

TEST(Fma, AnyBits) {
  sweep(2000000, 1, [](Random &r) { return Triple{randomBits(r), randomBits(r), randomBits(r)}; });
}

TEST(Fma, OrdinaryValues) {
  sweep(2000000, 2, [](Random &r) { return Triple{r.unit(), r.unit(), r.unit()}; });
}

TEST(Fma, TiesAndNearTies) {
  sweep(2000000, 3, [](Random &r) {
    return Triple{sparse(r, -14, 14), sparse(r, -14, 14), sparse(r, -30, 30)};
  });
}

TEST(Fma, DenormalResults) {
  sweep(2000000, 4, [](Random &r) {
    return Triple{sparse(r, -80, -60), sparse(r, -90, -60), sparse(r, -149, -120)};
  });
}

TEST(Fma, Overflow) {
  sweep(1000000, 5, [](Random &r) {
    return Triple{sparse(r, 60, 66), sparse(r, 60, 66), sparse(r, 100, 127)};
  });
}

TEST(Fma, Cancellation) {
  sweep(2000000, 6, [](Random &r) {
    float a = r.unit(), b = sparse(r, -60, 20);
    uint32_t c = std::bit_cast<uint32_t>(-a * b) + static_cast<uint32_t>(r.below(5)) - 2;
    return Triple{a, b, std::bit_cast<float>(c)};
  });
}
