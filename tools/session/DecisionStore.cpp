//===- DecisionStore.cpp - stores the decisions of launches -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/DecisionStore.h"

#include "diagnostics/UserFile.h"
#include "hw/device/DecisionFile.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::session;

static hw::RunResult failed(std::string message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = std::move(message);
  return result;
}

hw::RunResult DecisionStore::record(const Runner &runner, hw::RunOptions options) {
  std::unique_ptr<hw::DecisionSource> inner = hw::makeDecisions(options);
  hw::DecisionLog log;
  hw::RecordingDecisions recording(*inner, log);
  options.decisions = &recording;
  hw::RunResult result = runner(options);
  if (!recorded.is_open()) {
    recorded.open(recordFile, std::ios::binary);
    recorded << hw::decisionFileHeader();
  }
  recorded << hw::printDecisions(log);
  if (!recorded.flush() && !result.fault)
    return failed(fmt::format("cannot write decisions to '{}'", recordFile));
  return result;
}

hw::RunResult DecisionStore::replay(const Runner &runner, hw::RunOptions options) {
  if (!known) {
    std::string mistake;
    if (std::optional<std::string> text = readUserFile(replayFile, mistake))
      known = hw::parseDecisions(*text, mistake);
    if (!known)
      return failed(fmt::format("decisions of '{}': {}", replayFile, mistake));
  }
  bool isKnown = launches < known->size();
  if (!known->empty() && (isKnown ? (*known)[launches] : known->back()).isFair) {
    ++launches;
    options.schedule = hw::SchedulePolicy::Fair;
    return runner(options);
  }
  if (!isKnown)
    return failed(fmt::format("'{}' holds decisions for {} launch{}, and this is launch {}",
                              replayFile, known->size(), known->size() == 1 ? "" : "es",
                              launches + 1));
  hw::ReplayDecisions decisions((*known)[launches++]);
  options.decisions = &decisions;
  hw::RunResult result = runner(options);
  if (decisions.diverged() && !result.fault)
    return failed(
        fmt::format("'{}' holds decisions of another program, or of other inputs", replayFile));
  return result;
}

hw::RunResult DecisionStore::run(const Runner &runner, const hw::RunOptions &options) {
  if (!replayFile.empty())
    return replay(runner, options);
  if (!recordFile.empty())
    return record(runner, options);
  return runner(options);
}
