//===- PriorityDecisions.h - orders in which few threads run ahead --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Many mistakes need one thread to run far ahead of the others, which random choices at every event
// seldom give. Here each thread has a random priority, the runnable thread with the highest one
// runs, and at a few random moments the running thread gets the lowest one. An order-dependent
// mistake that needs d such moments is found with a probability of at least 1 / (n * k^(d-1)) for n
// threads and k decisions (S. Burckhardt et al., "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs", ASPLOS 2010).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PRIORITYDECISIONS_H
#define TTJIT_HW_DEVICE_PRIORITYDECISIONS_H

#include "hw/device/Decisions.h"

#include <random>
#include <unordered_map>

namespace ttjit::hw {

class PriorityDecisions : public DecisionSource {
public:
  /// The moments of `changes` changes are random among the first `numDecisions` choices of a
  /// thread. `known`: answers that are given before all others; may be empty.
  PriorityDecisions(DeliveryPolicy delivery, uint64_t seed, unsigned changes, size_t numDecisions,
                    std::vector<Decision> known);

  DeliveryPolicy delivery() const override { return policy; }
  bool switchesAtEvents() const override { return true; }
  size_t pickThread(std::span<const ReadyThread> ready) override;
  std::optional<size_t> pickLanding(size_t inFlight) override;

private:
  /// Returns the next known answer if it fits the question; otherwise forgets all known answers.
  std::optional<uint32_t> next(Decision::Kind kind, size_t count);
  int64_t priorityOf(const ReadyThread &thread);

  DeliveryPolicy policy;
  std::mt19937_64 random;
  std::vector<size_t> moments; ///< numbers of decisions, descending
  std::vector<Decision> known;
  size_t position = 0;  ///< of the next known answer
  size_t decisions = 0; ///< choices of a thread so far
  std::unordered_map<AgentId, int64_t> priorities;
  int64_t lowest = 0; ///< negative: what a thread gets at the next moment
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PRIORITYDECISIONS_H
