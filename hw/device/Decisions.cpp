//===- Decisions.cpp - scheduling and delivery policies -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Decisions.h"

#include <algorithm>

namespace ttjit::hw {

namespace {

// SplitMix64 generator: gives the same numbers on every host and standard library.
class RandomBits {
public:
  explicit RandomBits(uint64_t seed) : state(seed) {}

  // Returns a number below `bound`, which is positive. The remainder's bias does not
  // matter for schedules.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }

private:
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state;
};

// Base of the policies: lands transfers as `delivery` says, independent of the scheduling.
// Random delivery has its own generator, so that --dma=random does not
// change the thread order of fair and greedy.
class Policy : public DecisionSource {
public:
  Policy(DeliveryPolicy policy, uint64_t seed) : policy(policy), landings(~seed) {}
  DeliveryPolicy delivery() const override { return policy; }

  // Lands a transfer with probability 1/4: transfers stay in flight over several
  // events, but not for long.
  std::optional<size_t> pickLanding(size_t inFlight) override {
    if (landings.below(4) != 0)
      return std::nullopt;
    return landings.below(inFlight);
  }

private:
  DeliveryPolicy policy;
  RandomBits landings;
};

class FairDecisions : public Policy {
public:
  using Policy::Policy;
  size_t pickThread(std::span<const ReadyThread>) override { return 0; }
};

class GreedyDecisions : public Policy {
public:
  using Policy::Policy;
  size_t pickThread(std::span<const ReadyThread> ready) override {
    auto is = [](ReadyReason reason) {
      return [reason](const ReadyThread &thread) { return thread.reason == reason; };
    };
    auto woken = std::find_if(ready.rbegin(), ready.rend(), is(ReadyReason::Woken));
    if (woken != ready.rend())
      return static_cast<size_t>(ready.rend() - woken) - 1;
    auto starting = std::find_if(ready.begin(), ready.end(), is(ReadyReason::Starting));
    return starting == ready.end() ? 0 : static_cast<size_t>(starting - ready.begin());
  }
};

class RandomDecisions : public Policy {
public:
  RandomDecisions(DeliveryPolicy delivery, uint64_t seed) : Policy(delivery, seed), threads(seed) {}
  bool switchesAtEvents() const override { return true; }
  size_t pickThread(std::span<const ReadyThread> ready) override {
    return threads.below(ready.size());
  }

private:
  RandomBits threads;
};

} // namespace

std::unique_ptr<DecisionSource> makeFairDecisions(DeliveryPolicy delivery, uint64_t seed) {
  return std::make_unique<FairDecisions>(delivery, seed);
}

std::unique_ptr<DecisionSource> makeGreedyDecisions(DeliveryPolicy delivery, uint64_t seed) {
  return std::make_unique<GreedyDecisions>(delivery, seed);
}

std::unique_ptr<DecisionSource> makeRandomDecisions(DeliveryPolicy delivery, uint64_t seed) {
  return std::make_unique<RandomDecisions>(delivery, seed);
}

std::unique_ptr<DecisionSource> makeDecisions(const RunOptions &options) {
  DeliveryPolicy late = options.delivery.value_or(DeliveryPolicy::Late);
  switch (options.schedule) {
  case SchedulePolicy::Fair:
  case SchedulePolicy::Parallel:
    return makeFairDecisions(late, options.seed);
  case SchedulePolicy::Greedy:
    return makeGreedyDecisions(late, options.seed);
  case SchedulePolicy::Random:
    return makeRandomDecisions(options.delivery.value_or(DeliveryPolicy::Random), options.seed);
  case SchedulePolicy::Replay:
    return nullptr;
  }
  return nullptr;
}

RecordingDecisions::RecordingDecisions(DecisionSource &inner, DecisionLog &log)
    : inner(inner), log(log) {
  log.delivery = inner.delivery();
  log.switchesAtEvents = inner.switchesAtEvents();
}

size_t RecordingDecisions::pickThread(std::span<const ReadyThread> ready) {
  size_t choice = inner.pickThread(ready);
  log.decisions.push_back(
      {Decision::Kind::Thread, static_cast<uint32_t>(ready.size()), static_cast<uint32_t>(choice)});
  return choice;
}

std::optional<size_t> RecordingDecisions::pickLanding(size_t inFlight) {
  std::optional<size_t> choice = inner.pickLanding(inFlight);
  log.decisions.push_back({Decision::Kind::Landing, static_cast<uint32_t>(inFlight),
                           static_cast<uint32_t>(choice.value_or(inFlight))});
  return choice;
}

std::optional<uint32_t> ReplayDecisions::next(Decision::Kind kind, size_t count) {
  if (!hasDiverged && position < log.decisions.size()) {
    const Decision &decision = log.decisions[position];
    if (decision.kind == kind && decision.count == count) {
      ++position;
      return decision.choice;
    }
  }
  hasDiverged = true;
  return std::nullopt;
}

size_t ReplayDecisions::pickThread(std::span<const ReadyThread> ready) {
  uint32_t choice = next(Decision::Kind::Thread, ready.size()).value_or(0);
  return choice < ready.size() ? choice : 0;
}

std::optional<size_t> ReplayDecisions::pickLanding(size_t inFlight) {
  std::optional<uint32_t> choice = next(Decision::Kind::Landing, inFlight);
  if (!choice || *choice >= inFlight)
    return std::nullopt;
  return *choice;
}

} // namespace ttjit::hw
