//===- Outcome.h - what a run did, as text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This file is for tests that compare runs of a program that was compiled in several ways.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_UNIT_JIT_OUTCOME_H
#define TTJIT_TESTS_UNIT_JIT_OUTCOME_H

#include "JitHarness.h"

#include "hw/device/Events.h"

#include <fmt/format.h>

namespace ttjit::test {

/// A listener that keeps the events.
struct EventList : hw::EventListener {
  void onEvent(const hw::Event &event) override {
    if (event.kind != hw::EventKind::Fault)
      events.push_back(event);
  }
  /// Returns one line per event, with the event's line in user.py.
  std::string text(const LocationTable &locations) const {
    std::string text;
    for (const hw::Event &event : events)
      text += fmt::format("{} {} {} line {}\n", static_cast<int>(event.kind), event.object,
                          event.count, locations.ranges()[event.loc].line);
    return text;
  }
  std::vector<hw::Event> events;
};

inline std::string describe(const hw::RunResult &result) {
  std::string text = fmt::format("{} steps", result.stats.steps);
  if (result.fault)
    text += fmt::format(", {} at {}:{}", result.fault->message, result.fault->location.file,
                        result.fault->location.line);
  return text;
}

inline jit::ThreadCompilerOptions withLoops(bool tileLoops) {
  jit::ThreadCompilerOptions options;
  options.tileLoops = tileLoops;
  return options;
}

/// Runs a compute thread and returns its steps, its fault and, if `wantsEvents`, its events.
inline std::string outcomeOf(JitHarness &harness, const std::string &body, hw::RunOptions options,
                             bool wantsEvents) {
  EventList events;
  if (wantsEvents)
    options.listeners = {&events};
  std::string text = describe(harness.runBody(body, std::move(options)));
  return wantsEvents ? text + "\n" + events.text(harness.locations()) : text;
}

} // namespace ttjit::test

#endif // TTJIT_TESTS_UNIT_JIT_OUTCOME_H
