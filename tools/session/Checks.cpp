//===- Checks.cpp - launches that are watched for mistakes --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Checks.h"

#include "hw/check/BroadcastCheck.h"
#include "hw/check/MemoryCheck.h"
#include "hw/check/NumericsCheck.h"
#include "hw/check/OutputCheck.h"
#include "hw/check/ProtocolCheck.h"
#include "hw/check/RaceCheck.h"
#include "tools/session/Influence.h"
#include "tools/session/PartialOutputs.h"
#include "tools/session/TensorPages.h"

using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::session;

static void addFindings(hw::RunResult &result, const std::vector<hw::Fault> &findings) {
  for (const hw::Fault &finding : findings) {
    if (!result.fault) {
      result.fault = finding;
      continue;
    }
    result.fault->notes.push_back({"--check also found: " + finding.message, finding.location});
    llvm::append_range(result.fault->notes, finding.notes);
  }
}

// Returns a message about each use of unwritten bytes that changes a result. If the program cannot
// run again, each use may.
static std::vector<hw::Fault> findingsOf(const hw::check::InitCheck &init, Influence &influence,
                                         const CheckedLaunch &launch, const hw::RunOptions &options,
                                         uint64_t steps) {
  std::vector<hw::Fault> found;
  for (const hw::check::UnwrittenUse &use : init.uses()) {
    hw::Fault fault = use.fault;
    if (launch.runAgain) {
      std::optional<std::string> changed =
          influence.of(use, init.unwritten(), options, steps, launch.runAgain);
      if (!changed)
        continue;
      fault.notes.push_back({"with other bytes there the run has other results: " + *changed, {}});
    }
    fault.notes.push_back({use.buffer < 0 ? "write the tensor before a kernel reads it, or make it "
                                            "with ttnn.zeros"
                                          : "write the whole block before its push",
                           {}});
    found.push_back(std::move(fault));
  }
  return found;
}

// Runs a launch and looks for uses of unwritten bytes.
static hw::RunResult runForInit(const CheckedLaunch &launch, const hw::RunOptions &options) {
  hw::check::InitCheck init([&](const hw::MemoryPlace &place) {
    return nameOfPage(launch.device, launch.tensors, place);
  });
  Influence influence(launch.device, launch.tensors, launch.constantTensors);
  influence.begin(init);
  hw::RunOptions listening = influence.listening(options);
  listening.listeners.push_back(&init);
  hw::RunResult result = launch.run(listening);
  if (!result.fault)
    addFindings(result, findingsOf(init, influence, launch, options, result.stats.steps));
  influence.end(init.unwritten());
  return result;
}

static hw::RunResult runWithListeners(const CheckChoices &choices, const CheckedLaunch &launch,
                                      hw::RunOptions options) {
  hw::check::RaceCheck race([&](const hw::MemoryPlace &place) {
    return nameOfPage(launch.device, launch.tensors, place);
  });
  hw::check::ProtocolCheck protocol(launch.device.arch());
  hw::check::MemoryCheck memory;
  hw::check::NumericsCheck numerics;
  TensorPages pages(launch.device, launch.tensors);
  hw::check::BroadcastCheck broadcast(
      [&](const hw::MemoryPlace &place) { return pages.nameAt(place); },
      [&](const hw::MemoryPlace &place) { return pages.extentAt(place); });
  hw::check::OutputCheck outputs;
  if (choices.race)
    options.listeners.push_back(&race);
  if (choices.protocol)
    options.listeners.push_back(&protocol);
  if (choices.memory)
    options.listeners.push_back(&memory);
  if (choices.numerics)
    options.listeners.push_back(&numerics);
  if (choices.broadcast)
    options.listeners.push_back(&broadcast);
  if (choices.outputs) {
    addPages(outputs, launch.device, launch.tensors);
    options.listeners.push_back(&outputs);
  }
  hw::RunResult result = choices.init ? runForInit(launch, options) : launch.run(options);
  bool isComplete = !result.fault;
  addFindings(result, race.findings());
  addFindings(result, memory.findings());
  addFindings(result, numerics.findings());
  addFindings(result, broadcast.findings());
  if (choices.protocol && isComplete)
    addFindings(result, protocol.findings());
  if (choices.outputs && isComplete)
    addFindings(result, partialOutputs(outputs, launch.device, launch.tensors));
  return result;
}

// Without the check, nobody knows afterwards what a launch has written.
static void forgetUnwritten(const CheckedLaunch &launch) {
  for (const hw::TensorAllocation &tensor : launch.tensors)
    launch.device.setUnwritten(tensor, {});
}

hw::RunResult session::runChecked(const CheckChoices &choices, const CheckedLaunch &launch,
                                  const hw::RunOptions &options) {
  if (!choices.init && launch.device.hasUnwritten())
    forgetUnwritten(launch);
  return choices == CheckChoices{} ? launch.run(options)
                                   : runWithListeners(choices, launch, options);
}
