//===- Rewind.cpp - decisions that can be repeated ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/debugger/Rewind.h"

using namespace ttjit;
using namespace ttjit::debugger;

using Kind = hw::Decision::Kind;

size_t RewindableDecisions::pickThread(std::span<const hw::ReadyThread> ready) {
  if (position == answers.size())
    answers.push_back({Kind::Thread, uint32_t(ready.size()), uint32_t(inner.pickThread(ready))});
  return answers[position++].choice;
}

std::optional<size_t> RewindableDecisions::pickLanding(size_t inFlight) {
  if (position == answers.size())
    answers.push_back({Kind::Landing, uint32_t(inFlight),
                       uint32_t(inner.pickLanding(inFlight).value_or(inFlight))});
  uint32_t choice = answers[position++].choice;
  return choice == inFlight ? std::nullopt : std::optional<size_t>(choice);
}
