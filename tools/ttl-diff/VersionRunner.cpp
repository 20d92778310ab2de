//===- VersionRunner.cpp - runs and compares versions of a kernel -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/VersionRunner.h"

#include "tools/session/InterruptGuard.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

std::optional<hw::RunResult> VersionRunner::compare(std::vector<KernelVersion> &versions,
                                                    PassComparison &comparison) {
  ++comparison.launches;
  const KernelVersion *previous = nullptr;
  for (KernelVersion &version : versions) {
    if (comparison.difference)
      break;
    RunOutcome outcome = runner.run(version.plan, runner.options());
    if (InterruptGuard::wasInterrupted())
      return std::move(outcome.result);
    ++comparison.versions;
    if (previous)
      note(version, outcome, {version.plan.program.name, previous->step, version.step, {}},
           comparison);
    previous = &version;
    last = std::move(outcome);
  }
  return std::nullopt;
}

void VersionRunner::compareWithEngine(std::vector<KernelVersion> &versions, const LaunchPlan &plan,
                                      const hw::RunResult &result, PassComparison &comparison) {
  if (!last || comparison.difference)
    return;
  RunOutcome outcome = runner.outcomeOf(result);
  KernelVersion &version = versions.back();
  note(version, outcome, {plan.program.name, version.step, {"engine", "jit"}, {}}, comparison);
  runner.restore(outcome);
}

void VersionRunner::note(KernelVersion &version, const RunOutcome &outcome,
                         PassDifference difference, PassComparison &comparison) {
  std::optional<std::string> text =
      runner.difference({"before", &version, runner.options(), *last},
                        {"after", &version, runner.options(), outcome});
  if (!text)
    return;
  difference.text = std::move(*text);
  comparison.difference = std::move(difference);
}
