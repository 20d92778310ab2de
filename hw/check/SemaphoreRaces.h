//===- SemaphoreRaces.h - changes of semaphores whose order matters -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Increments of a semaphore may come in any order. The order matters if a thread sets the value or
// waits for exactly one value, unless a wait orders that step and the increment.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_SEMAPHORERACES_H
#define TTJIT_HW_CHECK_SEMAPHORERACES_H

#include "hw/check/Clock.h"
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

struct HashOfWord {
  size_t operator()(const WordKey &key) const {
    auto core = uint64_t(uint32_t(key.x)) << 12 ^ uint64_t(uint32_t(key.y));
    return std::hash<uint64_t>()((core << 32 ^ key.address) * 0x9e3779b97f4a7c15);
  }
};

enum class WordUse : uint8_t { Set, Increment, ExactWait };

/// What a thread does with a semaphore. `value`: the number that it sets or waits for.
struct WordStep {
  WordUse use;
  AgentId thread;
  NodeCoord node;
  uint32_t loc, value;
  Time time;
};

class SemaphoreRaces {
public:
  /// Returns whether the thread of the new step knows of this time of another thread.
  using Knows = std::function<bool(AgentId thread, Time time)>;

  /// Adds a step. Returns an earlier step if nothing orders the two and the result depends on their
  /// order.
  std::optional<WordStep> add(const WordKey &word, const WordStep &step, const Knows &knows);

private:
  /// The last step of each thread and kind. A thread that knows of it knows of the earlier ones.
  std::map<WordKey, std::map<std::pair<WordUse, AgentId>, WordStep>> words;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_SEMAPHORERACES_H
