//===- PriorityTest.cpp - orders in which few threads run ahead ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/DecisionFile.h"
#include "hw/device/PriorityDecisions.h"

#include <gtest/gtest.h>

#include <set>

using namespace ttjit::hw;

static std::vector<ReadyThread> threads(ReadyReason last = ReadyReason::Woken) {
  return {{0, ReadyReason::Woken}, {1, ReadyReason::Woken}, {2, last}};
}

TEST(Priority, OneThreadRunsUntilAMomentChangesIt) {
  PriorityDecisions decisions(DeliveryPolicy::Late, /*seed=*/3, /*changes=*/1,
                              /*numDecisions=*/50, {});
  std::vector<size_t> picked;
  for (int i = 0; i < 60; ++i)
    picked.push_back(decisions.pickThread(threads()));
  int changes = 0;
  for (size_t i = 1; i < picked.size(); ++i)
    changes += picked[i] != picked[i - 1];
  EXPECT_LE(changes, 1);
}

TEST(Priority, SeedsGiveEachThreadTheFirstTurn) {
  std::set<size_t> first;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    PriorityDecisions decisions(DeliveryPolicy::Late, seed, 0, 10, {});
    first.insert(decisions.pickThread(threads()));
  }
  EXPECT_EQ(first.size(), 3u);
}

TEST(Priority, AThreadThatPollsComesLast) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    PriorityDecisions decisions(DeliveryPolicy::Late, seed, 0, 10, {});
    EXPECT_NE(decisions.pickThread(threads(ReadyReason::Polled)), 2u);
  }
}

TEST(Priority, KnownAnswersComeFirst) {
  using enum Decision::Kind;
  std::vector<Decision> known{{Thread, 3, 2}, {Landing, 4, 1}, {Landing, 4, 4}, {Thread, 2, 1}};
  PriorityDecisions decisions(DeliveryPolicy::Random, 1, 0, 10, known);
  EXPECT_EQ(decisions.pickThread(threads()), 2u);
  EXPECT_EQ(decisions.pickLanding(4), 1u);
  EXPECT_EQ(decisions.pickLanding(4), std::nullopt);
  size_t other = decisions.pickThread(threads()); // the known answer is one among two threads
  EXPECT_LT(other, 3u);
}

TEST(DecisionFile, AFairRun) {
  DecisionLog fair;
  fair.isFair = true;
  std::string mistake;
  auto runs = parseDecisions(decisionFileHeader() + printDecisions(fair), mistake);
  ASSERT_TRUE(runs) << mistake;
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_TRUE(runs->front().isFair);
}
