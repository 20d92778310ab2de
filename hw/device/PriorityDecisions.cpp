//===- PriorityDecisions.cpp - orders in which few threads run ahead ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/PriorityDecisions.h"

#include <algorithm>

namespace ttjit::hw {

PriorityDecisions::PriorityDecisions(DeliveryPolicy delivery, uint64_t seed, unsigned changes,
                                     size_t numDecisions, std::vector<Decision> known)
    : policy(delivery), random(seed), known(std::move(known)) {
  for (unsigned i = 0; i < changes && numDecisions; ++i)
    moments.push_back(random() % numDecisions);
  std::ranges::sort(moments, std::greater());
}

std::optional<uint32_t> PriorityDecisions::next(Decision::Kind kind, size_t count) {
  if (position == known.size())
    return std::nullopt;
  const Decision &answer = known[position++];
  if (answer.kind == kind && answer.count == count)
    return answer.choice;
  position = known.size();
  return std::nullopt;
}

// A thread that polls gets the lowest priority, because it waits for the others.
int64_t PriorityDecisions::priorityOf(const ReadyThread &thread) {
  auto [it, isNew] = priorities.try_emplace(thread.agent, 0);
  if (isNew)
    it->second = static_cast<int64_t>(random() >> 2);
  return thread.reason == ReadyReason::Polled ? it->second - INT64_MAX : it->second;
}

size_t PriorityDecisions::pickThread(std::span<const ReadyThread> ready) {
  size_t number = decisions++;
  if (std::optional<uint32_t> answer = next(Decision::Kind::Thread, ready.size()))
    return *answer;
  size_t best = 0;
  for (size_t i = 1; i < ready.size(); ++i)
    if (priorityOf(ready[i]) > priorityOf(ready[best]))
      best = i;
  bool isPolling = ready[best].reason == ReadyReason::Polled;
  for (; !moments.empty() && moments.back() <= number; moments.pop_back())
    priorities[ready[best].agent] = --lowest;
  return isPolling ? random() % ready.size() : best;
}

std::optional<size_t> PriorityDecisions::pickLanding(size_t inFlight) {
  if (std::optional<uint32_t> answer = next(Decision::Kind::Landing, inFlight))
    return *answer < inFlight ? std::optional<size_t>(*answer) : std::nullopt;
  if (random() % 8 != 0)
    return std::nullopt;
  return random() % inFlight;
}

} // namespace ttjit::hw
