//===- ClockTest.cpp - what agents know of others -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Agents hand over releases at random. Their clocks must find what vectors of times have.
//===--------------------------------------------------------------------------===//

#include "hw/check/Clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace ttjit::hw::check;

namespace {

// Half of the indices are agents, the others the signals of each.
using Vector = std::vector<Time>;

class Agents {
public:
  Agents(uint32_t count, uint32_t seed) : count(count), choice(seed) {
    clocks.resize(count);
    places.resize(count);
    vectors.assign(count, Vector(2 * count));
    waiting = handedOver = std::vector<Vector>(count, Vector(2 * count));
  }

  // An agent releases, to a place at which others acquire.
  void release(uint32_t agent, uint32_t place) {
    bool isSignal = choice() % 4 == 0;
    Epoch epoch{clocks[agent].shared(), {++now, agent}, isSignal ? count + agent : kNoIndex};
    places[place].add(0, epoch);
    Vector known = vectors[agent];
    known[agent] = now;
    if (isSignal)
      known[count + agent] = now;
    join(waiting[place], known);
  }

  void acquire(uint32_t agent, uint32_t place) {
    places[place].acquireAll(clocks[agent], search);
    join(handedOver[place], waiting[place]);
    join(vectors[agent], handedOver[place]);
  }

  // Compares what an agent knows of one other.
  void compare(uint32_t agent, uint32_t index) {
    Time time = vectors[agent][index];
    if (!clocks[agent].shared()) {
      EXPECT_EQ(time, 0u);
      return;
    }
    Knowledge &known = *clocks[agent].shared();
    if (time)
      EXPECT_TRUE(search.finds(known, index, time));
    EXPECT_FALSE(search.finds(known, index, time + 1)) << agent << " " << index;
  }

  uint32_t any() { return choice() % count; }
  uint32_t anyIndex() { return choice() % (2 * count); }
  // What is near: as in rings.
  uint32_t next(uint32_t agent) const { return (agent + 1) % count; }

private:
  static void join(Vector &to, const Vector &from) {
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = std::max(to[i], from[i]);
  }

  const uint32_t count;
  std::mt19937 choice;
  Time now = 0;
  KnowledgeSearch search;
  std::vector<Clock> clocks;
  std::vector<Releases> places;
  std::vector<Vector> vectors, waiting, handedOver;
};

} // namespace

TEST(ClockTest, FindsWhatVectorsHave) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    Agents agents(5 + 15 * seed, seed);
    for (int step = 0; step < 4000; ++step) {
      agents.release(agents.any(), agents.any());
      agents.acquire(agents.any(), agents.any());
      agents.compare(agents.any(), agents.anyIndex());
    }
  }
}

TEST(ClockTest, FindsWhatWentRoundARing) {
  for (uint32_t count : {3u, 40u, 160u}) {
    Agents agents(count, count);
    for (uint32_t round = 0; round < 400; ++round) {
      for (uint32_t agent = 0; agent < count; ++agent)
        agents.release(agent, agents.next(agent));
      for (uint32_t agent = 0; agent < count; ++agent)
        agents.acquire(agent, agent);
      for (int i = 0; i < 20; ++i)
        agents.compare(agents.any(), agents.anyIndex());
    }
  }
}
