//===- Checks.cpp - checks launches for mistakes ------------------------------===//
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

static void addFindings(hw::RunResult &result, const std::vector<hw::Fault> &findings,
                        const char *prefix = "--check also found: ") {
  for (const hw::Fault &finding : findings) {
    if (!result.fault) {
      result.fault = finding;
      continue;
    }
    result.fault->notes.push_back({prefix + finding.message, finding.location});
    llvm::append_range(result.fault->notes, finding.notes);
  }
}

// Returns a message about each use of unwritten bytes that changes a result. If the program cannot
// run again, reports every use.
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
static hw::RunResult runForInit(const CheckedLaunch &launch, const hw::RunOptions &options,
                                TensorPages &pages) {
  hw::check::InitCheck init([&](const hw::MemoryPlace &place) { return pages.nameAt(place); });
  Influence influence(launch.device, launch.tensors, pages, launch.constantTensors);
  influence.begin(init);
  hw::RunOptions listening = influence.listening(options);
  listening.listeners.push_back(&init);
  hw::RunResult result = launch.run(listening);
  if (!result.fault)
    addFindings(result, findingsOf(init, influence, launch, options, result.stats.steps));
  influence.end(init.unwritten());
  return result;
}

// Returns whether a launch is checked without --check, because it may behave otherwise on a card:
// it has a pipe that ends in a tensor, or a semaphore of several devices.
static bool checksFabric(const CheckChoices &choices, const hw::Program &program) {
  bool hasSemaphores = program.numDevices > 1 && !llvm::all_of(program.semaphores, [&](auto &each) {
                         return program.isOfPipe(each);
                       });
  // The interpreter's own pipes make no events, so nothing would tell what they order.
  return !choices.off && !program.sharesEngineState && (program.hasQueues() || hasSemaphores);
}

static hw::RunResult runWithListeners(const CheckChoices &choices, const CheckedLaunch &launch,
                                      hw::RunOptions options) {
  TensorPages pages(launch.device, launch.tensors, launch.program.columnsOfDevice());
  auto nameAt = [&](const hw::MemoryPlace &place) { return pages.nameAt(place); };
  hw::check::RaceCheck race(launch.device.arch(), nameAt,
                            choices.race ? hw::check::RaceScope::All
                                         : hw::check::RaceScope::Fabric);
  hw::check::ProtocolCheck protocol(launch.device.arch());
  hw::check::MemoryCheck memory;
  hw::check::NumericsCheck numerics;
  hw::check::BroadcastCheck broadcast(
      nameAt, [&](const hw::MemoryPlace &place) { return pages.extentAt(place); });
  hw::check::OutputCheck outputs;
  if (choices.race || checksFabric(choices, launch.program))
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
    addPages(outputs, launch.device, launch.tensors, pages);
    options.listeners.push_back(&outputs);
  }
  hw::RunResult result = choices.init ? runForInit(launch, options, pages) : launch.run(options);
  bool isComplete = !result.fault;
  if (choices.race)
    addFindings(result, race.findings());
  else
    addFindings(result, race.findings(), "also found: ");
  addFindings(result, memory.findings());
  addFindings(result, numerics.findings());
  addFindings(result, broadcast.findings());
  if (choices.protocol && isComplete)
    addFindings(result, protocol.findings());
  if (choices.outputs && isComplete)
    addFindings(result, partialOutputs(outputs, launch.device, launch.tensors, pages));
  return result;
}

// Forgets which bytes are unwritten: without the check, it is not known what a launch has written.
static void forgetUnwritten(const CheckedLaunch &launch) {
  for (int device = 0; device < launch.device.numDevices(); ++device)
    for (const hw::TensorAllocation &tensor : launch.tensors)
      launch.device.setUnwritten(tensor, {}, device);
}

hw::RunResult session::runChecked(const CheckChoices &choices, const CheckedLaunch &launch,
                                  const hw::RunOptions &options) {
  if (!choices.init && launch.device.hasUnwritten())
    forgetUnwritten(launch);
  bool checks = choices.any() || checksFabric(choices, launch.program);
  return checks ? runWithListeners(choices, launch, options) : launch.run(options);
}
