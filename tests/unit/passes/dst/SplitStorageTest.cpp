//===- SplitStorageTest.cpp - values between the pieces of a split ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/SplitStorage.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace ttjit;

namespace {

using Values = std::vector<PassedValue>;

// Returns the number of blocks of each ring.
std::vector<int64_t> blocks(const Values &values, unsigned limit) {
  std::vector<int64_t> sizes;
  for (const ValueRing &ring : distributeValues(values, limit))
    sizes.push_back(ring.blocks);
  return sizes;
}

// Runs the rings piece by piece. Returns whether every value is in one ring, no ring overflows, and
// each ring ends in the slot in which it began.
bool works(const Values &values, const std::vector<ValueRing> &rings) {
  std::vector<int> placed(values.size());
  for (const ValueRing &ring : rings) {
    size_t popped = 0, pushed = 0;
    for (unsigned piece = 0; popped < ring.values.size(); ++piece) {
      while (pushed < ring.values.size() && values[ring.values[pushed]].maker == piece)
        ++placed[ring.values[pushed++]];
      if (static_cast<int64_t>(pushed - popped) > ring.blocks)
        return false;
      while (popped < pushed && values[ring.values[popped]].lastReader <= piece)
        ++popped;
    }
    if (ring.values.size() % ring.blocks)
      return false;
  }
  return llvm::all_of(placed, [](int times) { return times == 1; });
}

TEST(SplitStorage, ValuesThatWaitForEachOtherStandInOneBuffer) {
  // The value that was made last is read first.
  Values stack;
  for (unsigned i = 0; i < 32; ++i)
    stack.push_back({i, 66 - i});
  EXPECT_EQ(blocks(stack, 29), std::vector<int64_t>{32});
  EXPECT_EQ(blocks(stack, 1), std::vector<int64_t>{32});
}

TEST(SplitStorage, ABufferHasAtMost32Blocks) {
  Values stack;
  for (unsigned i = 0; i < 100; ++i)
    stack.push_back({i, 200 - i});
  for (unsigned limit : {1u, 4u, 29u}) {
    std::vector<int64_t> sizes = blocks(stack, limit);
    EXPECT_EQ(sizes.size(), 4u);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), int64_t(0)), 100);
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 32);
  }
}

TEST(SplitStorage, OneAfterTheOtherTakesOneBlock) {
  EXPECT_EQ(blocks({{0, 1}, {2, 3}, {4, 5}}, 29), std::vector<int64_t>{1});
  // A piece stores its value while it still holds the one it reads: two blocks, each used twice.
  EXPECT_EQ(blocks({{0, 1}, {1, 2}, {2, 3}, {3, 4}}, 29), std::vector<int64_t>{2});
  // Three values do not end in the slot in which they began if there are two blocks.
  EXPECT_EQ(blocks({{0, 1}, {1, 2}, {2, 3}}, 1), std::vector<int64_t>{3});
}

TEST(SplitStorage, ALongLifeDoesNotHoldUpShortOnes) {
  Values values = {{0, 40}};
  for (unsigned i = 1; i < 20; ++i)
    values.push_back({2 * i, 2 * i + 1});
  EXPECT_EQ(blocks(values, 29), (std::vector<int64_t>{1, 1}));
  // With only one buffer, all values wait for the first one.
  EXPECT_EQ(blocks(values, 1), std::vector<int64_t>{20});
}

TEST(SplitStorage, ManyValuesNeedNotBeAMultiple) {
  // 2503 is prime, so no number of blocks divides it.
  Values values;
  for (unsigned i = 0; i < 2503; ++i)
    values.push_back({i, i + 1 + i % 5});
  for (unsigned limit : {1u, 4u, 29u}) {
    std::vector<ValueRing> rings = distributeValues(values, limit);
    EXPECT_LE(rings.size(), std::max(limit, 2u));
    EXPECT_TRUE(works(values, rings));
  }
}

TEST(SplitStorage, NothingPasses) { EXPECT_TRUE(distributeValues({}, 29).empty()); }

TEST(SplitStorage, RandomValuesFit) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    unsigned pieces = 2 + random() % 30, limit = 1 + random() % 6;
    Values values;
    for (unsigned maker = 0; maker + 1 < pieces; ++maker)
      for (unsigned count = random() % 4; count--;)
        values.push_back(
            {maker, maker + 1 + static_cast<unsigned>(random() % (pieces - maker - 1))});
    std::vector<ValueRing> rings = distributeValues(values, limit);
    ASSERT_LE(rings.size(), std::max<size_t>(limit, values.size() / 8));
    ASSERT_TRUE(works(values, rings)) << "round " << round;
  }
}

} // namespace
