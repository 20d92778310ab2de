//===- DecisionStore.cpp - decisions of launches in files -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/DecisionStore.h"

#include "hw/device/DecisionFile.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

using namespace ttjit;
using namespace ttjit::session;

static hw::RunResult failed(std::string message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = std::move(message);
  return result;
}

hw::RunResult DecisionStore::record(hw::Device &device, const hw::Program &program,
                                    hw::RunOptions options) {
  std::unique_ptr<hw::DecisionSource> inner = hw::makeDecisions(options);
  hw::RecordingDecisions recording(*inner, recorded.emplace_back());
  options.decisions = &recording;
  hw::RunResult result = device.run(program, options);
  std::ofstream out(recordFile, std::ios::binary);
  out << hw::printDecisions(recorded);
  if (!out.flush() && !result.fault)
    return failed(fmt::format("cannot write decisions to '{}'", recordFile));
  return result;
}

hw::RunResult DecisionStore::replay(hw::Device &device, const hw::Program &program,
                                    hw::RunOptions options) {
  if (!known) {
    std::ifstream in(replayFile, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}}, mistake = "cannot read it";
    if (in)
      known = hw::parseDecisions(text, mistake);
    if (!known)
      return failed(fmt::format("decisions of '{}': {}", replayFile, mistake));
  }
  if (launches >= known->size())
    return failed(fmt::format("'{}' holds the decisions of {} launches only", replayFile,
                              known->size()));
  hw::ReplayDecisions decisions((*known)[launches++]);
  options.decisions = &decisions;
  hw::RunResult result = device.run(program, options);
  if (decisions.diverged() && !result.fault)
    return failed(fmt::format("'{}' holds decisions of another program, or of other inputs",
                              replayFile));
  return result;
}

hw::RunResult DecisionStore::run(hw::Device &device, const hw::Program &program,
                                 hw::RunOptions options) {
  if (!replayFile.empty())
    return replay(device, program, std::move(options));
  if (!recordFile.empty())
    return record(device, program, std::move(options));
  return device.run(program, options);
}
