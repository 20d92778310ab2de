//===- SemaphoreRaces.h - signals whose order decides ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Increments of a semaphore may come in any order. The order matters if a thread sets the value, or
// waits for exactly one: an increment may come before or after it, unless a wait orders the two.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_SEMAPHORERACES_H
#define TTJIT_HW_CHECK_SEMAPHORERACES_H

#include "hw/device/Events.h"

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace ttjit::hw::check {

/// A word of L1 of one core.
struct WordKey {
  int x, y;
  uint32_t address;
  auto operator<=>(const WordKey &) const = default;
};

enum class WordUse : uint8_t { Set, Increment, ExactWait };

/// What a thread does with a semaphore. `value`: what it sets or waits for.
struct WordStep {
  WordUse use;
  AgentId thread;
  NodeCoord node;
  uint32_t time, loc, value;
};

class SemaphoreRaces {
public:
  /// Returns whether the thread of the new step knows of this time of another thread.
  using Knows = std::function<bool(AgentId thread, uint32_t time)>;

  /// Adds a step. Returns an earlier one if the result depends on which of the two is first, and
  /// nothing orders them.
  std::optional<WordStep> add(const WordKey &word, const WordStep &step, const Knows &knows);

private:
  /// The last step of each thread and kind: who knows of it knows of those before.
  std::map<WordKey, std::map<std::pair<WordUse, AgentId>, WordStep>> words;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_SEMAPHORERACES_H
