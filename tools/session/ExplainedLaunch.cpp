//===- ExplainedLaunch.cpp - launches whose errors are explained --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/ExplainedLaunch.h"

#include "hw/abi/KernelThread.h"
#include "hw/explain/IdealTiles.h"
#include "tools/explain/CollectErrors.h"
#include "tools/session/DeviceNumerics.h"
#include "tools/session/TensorContents.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>

using namespace ttjit;
using namespace ttjit::session;

static hw::RunResult refuse(const hw::Program &program, const std::string &message) {
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = fmt::format("--explain-numerics: {} {}", program.name, message);
  return result;
}

//===--------------------------------------------------------------------------===//
// Further runs
//===--------------------------------------------------------------------------===//

namespace {

// While a run has this listener, compiled code calls a function of the device for each tile,
// instead of computing blocks in loops of its own.
struct TileListener : hw::EventListener {
  void onEvent(const hw::Event &event) override {}
  bool wantsTiles() const override { return true; }
};

// Repeats a launch from the same tensors with other arithmetic. Create it before the launch.
class FurtherRuns {
public:
  FurtherRuns(const ExplainedLaunch &launch, const hw::RunOptions &options)
      : launch(launch), options(options), contents(launch.device, launch.tensors, launch.constant),
        before(contents.save()) {}

  // Call it after the launch. Afterwards, the tensors again have the results of the launch.
  std::vector<explain::OtherRun> run(const hw::explain::Lanes &lanes);

private:
  void runWithoutCauses(const hw::explain::Lanes &lanes);
  void runWithSettings();
  void runWith(explain::OtherRun run, const std::function<void(hw::NumericConfig &)> &change);
  void add(explain::OtherRun run, const std::vector<hw::TileKernels> &tiles);

  const ExplainedLaunch &launch;
  const hw::RunOptions &options;
  TensorContents contents;
  TensorContents::Copies before;
  std::vector<TensorContents::Copies> results; // what `runs` point to
  std::vector<explain::OtherRun> runs;
};

} // namespace

// Returns the configuration of each node, or one for all.
static std::vector<hw::NumericConfig> configsOf(const ExplainedLaunch &launch) {
  std::vector<hw::NumericConfig> configs;
  for (const hw::ComputeConfig &config : launch.plan.nodeConfigs)
    configs.push_back(config.numericsOn(launch.device.arch()));
  if (configs.empty())
    configs.push_back(launch.plan.program.compute.numericsOn(launch.device.arch()));
  return configs;
}

// Returns the program with other arithmetic in its compute threads. `tiles` has the kernels of each
// node, or one table for all.
static hw::Program withTiles(const hw::Program &program,
                             const std::vector<hw::TileKernels> &tiles) {
  hw::Program result = program;
  for (hw::ThreadConfig &thread : result.threads)
    if (thread.processor == hw::Processor::Compute)
      thread.entry = [entry = thread.entry, &tiles,
                      columns = program.gridX](hw::KernelThread &running) {
        int node = ttl_hw_my_logical_y(&running) * columns + ttl_hw_my_logical_x(&running);
        running.tiles = &tiles[tiles.size() == 1 ? 0 : static_cast<size_t>(node)];
        return entry(running);
      };
  return result;
}

// Adds a run. A run with a fault has no results and is not added.
void FurtherRuns::add(explain::OtherRun run, const std::vector<hw::TileKernels> &tiles) {
  contents.restore(before);
  TileListener listener;
  hw::RunOptions again = options;
  again.listeners = {&listener};
  again.print = nullptr;
  if (again.schedule == hw::SchedulePolicy::Replay)
    again.schedule = hw::SchedulePolicy::Fair;
  if (launch.device.run(withTiles(launch.plan.program, tiles), again).fault)
    return;
  const TensorContents::Copies &result = results.emplace_back(contents.save());
  run.tensors.resize(launch.tensors.size());
  for (size_t i = 0; i < result.size(); ++i)
    run.tensors[contents.parts()[i].tensor] = result[i].get();
  runs.push_back(std::move(run));
}

void FurtherRuns::runWithoutCauses(const hw::explain::Lanes &lanes) {
  for (size_t number = 0; number < lanes.all().size(); ++number) {
    const hw::explain::Lane &lane = lanes.all()[number];
    if (lane.kind != hw::explain::Lane::OfCause)
      continue;
    std::vector<hw::TileKernels> tiles;
    bool isOther = false;
    for (const hw::NumericConfig &config : configsOf(launch)) {
      auto ideal = hw::explain::tilesWithout(config, lane.cause, lane.row);
      isOther |= ideal.has_value();
      tiles.push_back(ideal ? *ideal : hw::tileKernels(config));
    }
    if (isOther)
      add({explain::OtherRun::WithoutCause, static_cast<int>(number), {}, {}}, tiles);
  }
}

// Runs with configurations that `change` modifies, unless it changes nothing.
void FurtherRuns::runWith(explain::OtherRun run,
                          const std::function<void(hw::NumericConfig &)> &change) {
  std::vector<hw::TileKernels> tiles;
  bool isOther = false;
  for (const hw::NumericConfig &config : configsOf(launch)) {
    hw::NumericConfig other = config;
    change(other);
    isOther |= !(other == config);
    tiles.push_back(hw::tileKernels(other));
  }
  if (isOther)
    add(std::move(run), tiles);
}

void FurtherRuns::runWithSettings() {
  auto runWithSetting = [&](std::string setting, auto change) {
    runWith({explain::OtherRun::WithSetting, -1, std::move(setting), {}}, change);
  };
  for (bool dst32 : {true, false})
    runWithSetting(fmt::format("fp32_dest_acc_en={}", dst32 ? "True" : "False"),
                   [&](hw::NumericConfig &config) { config.dst32 = dst32; });
  for (hw::MathFidelity fidelity : {hw::MathFidelity::LoFi, hw::MathFidelity::HiFi2,
                                    hw::MathFidelity::HiFi3, hw::MathFidelity::HiFi4})
    runWithSetting(fmt::format("math_fidelity=\"{}\"", fidelityName(fidelity)),
                   [&](hw::NumericConfig &config) { config.fidelity = fidelity; });
  for (bool approximate : {true, false})
    runWithSetting(fmt::format("math_approx_mode={}", approximate ? "True" : "False"),
                   [&](hw::NumericConfig &config) { config.approximate = approximate; });
  runWith({explain::OtherRun::OnOtherChip, -1, {}, {}},
          [](hw::NumericConfig &config) { config.isWormhole = !config.isWormhole; });
}

std::vector<explain::OtherRun> FurtherRuns::run(const hw::explain::Lanes &lanes) {
  if (!launch.mayRunAgain)
    return {};
  TensorContents::Copies first = contents.save();
  runWithoutCauses(lanes);
  runWithSettings();
  contents.restore(first);
  return std::move(runs);
}

//===--------------------------------------------------------------------------===//
// The launch
//===--------------------------------------------------------------------------===//

// Returns the configuration of the program, or those of its kernels without repetitions.
static std::string describeConfigs(const ExplainedLaunch &launch) {
  std::vector<std::string> texts;
  for (const hw::ComputeConfig &config : launch.plan.nodeConfigs)
    if (std::string text = describeNumerics(config, launch.device.arch());
        std::ranges::find(texts, text) == texts.end())
      texts.push_back(std::move(text));
  if (texts.empty())
    texts.push_back(describeNumerics(launch.plan.program.compute, launch.device.arch()));
  return fmt::format("{}", fmt::join(texts, "; "));
}

hw::RunResult session::runExplained(const ExplainedLaunch &launch, const hw::RunOptions &options,
                                    std::vector<explain::NumericsReport> &explanations) {
  const hw::ComputeConfig &compute = launch.plan.program.compute;
  if (compute.numerics != hw::NumericMode::Device)
    return refuse(launch.plan.program,
                  "computes in host numerics, whose errors are only roundings of "
                  "stores: use --numerics=device");
  if (launch.plan.program.numDevices > 1)
    return refuse(launch.plan.program,
                  "runs on several devices, which the explanation does not know: "
                  "use one device");
  hw::explain::ErrorTracker tracker(configsOf(launch));
  FurtherRuns further(launch, options);
  hw::RunOptions listening = options;
  listening.listeners.push_back(&tracker);
  hw::RunResult result = launch.run(listening);
  if (result.fault)
    return result;
  std::vector<explain::OtherRun> others = further.run(tracker.lanes());
  explanations.push_back(
      explain::collectErrors(tracker, launch.plan.program, launch.device, launch.tensors, others));
  explanations.back().configuration = describeConfigs(launch);
  return result;
}

static std::string textFor(const std::string &file,
                           const std::vector<explain::NumericsReport> &reports) {
  if (file.ends_with(".json"))
    return explain::renderJson(reports);
  if (file.ends_with(".html"))
    return explain::renderPage(reports);
  bool hasTensor = !reports.empty() && !reports.back().tensors.empty();
  return hasTensor ? explain::renderMap(reports.back().tensors.front()) : std::string();
}

bool session::deliver(const std::vector<explain::NumericsReport> &reports,
                      const std::vector<std::string> &files, const diagnostics::TextSink &sink) {
  std::vector<std::string> texts; // without repetitions: launches often give the same text
  for (const explain::NumericsReport &report : reports)
    if (std::string text = explain::renderText(report);
        std::ranges::find(texts, text) == texts.end())
      texts.push_back(std::move(text));
  for (const std::string &text : texts)
    sink(text);
  bool areWritten = true;
  for (const std::string &file : files) {
    std::ofstream stream(file, std::ios::binary);
    stream << textFor(file, reports);
    if (stream.flush())
      continue;
    sink(fmt::format("error: cannot write the explanation '{}': {}\n", file, std::strerror(errno)));
    areWritten = false;
  }
  return areWritten;
}
