//===- SemaphoreRaces.cpp - signals whose order decides -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/SemaphoreRaces.h"

namespace ttjit::hw::check {

// Returns whether the result depends on which of two steps of different threads is first.
static bool isOrderSeen(const WordStep &a, const WordStep &b) {
  if (a.use == b.use)
    return a.use == WordUse::Set && a.value != b.value;
  bool waitsForIt = (a.use == WordUse::Set || b.use == WordUse::Set) &&
                    (a.use == WordUse::ExactWait || b.use == WordUse::ExactWait);
  return !waitsForIt || a.value != b.value;
}

std::optional<WordStep> SemaphoreRaces::add(const WordKey &word, const WordStep &step,
                                            const Knows &knows) {
  auto &steps = words[word];
  std::optional<WordStep> found;
  for (const auto &[key, earlier] : steps)
    if (!found && earlier.thread != step.thread && isOrderSeen(earlier, step) &&
        !knows(earlier.thread, earlier.time))
      found = earlier;
  steps.insert_or_assign({step.use, step.thread}, step);
  return found;
}

} // namespace ttjit::hw::check
