//===- Exploration.cpp - looks for orders with other results ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/Exploration.h"

#include "hw/device/DecisionFile.h"
#include "hw/device/PriorityDecisions.h"
#include "tools/session/InterruptGuard.h"
#include "tools/ttl-diff/LaunchRunner.h"
#include "tools/ttl-diff/OrderCoverage.h"

#include <fmt/format.h>

#include <fstream>
#include <random>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

namespace {

// Chooses the orders in which a launch runs, one after the other.
class Orders {
public:
  explicit Orders(uint64_t seed) : random(seed) {}

  // Returns the next order. Half of the orders begin like one that has shown a new pair of events.
  std::unique_ptr<hw::DecisionSource> next() {
    static constexpr hw::DeliveryPolicy deliveries[] = {
        hw::DeliveryPolicy::Random, hw::DeliveryPolicy::Late, hw::DeliveryPolicy::Eager};
    hw::DeliveryPolicy delivery = deliveries[random() % 3];
    if (random() % 4 == 0)
      return hw::makeRandomDecisions(delivery, random());
    std::vector<hw::Decision> prefix;
    if (!interesting.empty() && random() % 2) {
      const hw::DecisionLog &log = interesting[random() % interesting.size()];
      delivery = log.delivery;
      size_t length = log.decisions.empty() ? 0 : random() % log.decisions.size();
      prefix.assign(log.decisions.begin(), log.decisions.begin() + static_cast<ptrdiff_t>(length));
    }
    auto changes = static_cast<unsigned>(random() % 4);
    return std::make_unique<hw::PriorityDecisions>(delivery, random(), changes, longest,
                                                   std::move(prefix));
  }

  void note(const hw::DecisionLog &log, bool showedNewPairs) {
    longest = std::max(longest, log.decisions.size());
    if (showedNewPairs && log.switchesAtEvents)
      interesting.push_back(log);
  }

private:
  std::mt19937_64 random;
  std::vector<hw::DecisionLog> interesting;
  size_t longest = 1; // the largest number of decisions of a run
};

// A run whose result differs.
struct Finding {
  hw::Fault fault;
  hw::DecisionLog log;
};

} // namespace

namespace ttjit::ttl_diff {
class ExploreObserver : public KernelObserver {
public:
  ExploreObserver(const hw::ArchDesc &arch, const Options &options, Exploration &exploration)
      : versions(arch), choice(options.compare.explore), seed(options.launch.run.seed),
        exploration(exploration) {}

  LogicalResult afterPass(const PipelineStep &step, ModuleOp module, Lowering lowering) override {
    return lowering == Lowering::Complete ? versions.add(step, module, lowering) : success();
  }

  std::optional<hw::RunResult> beforeRun(const LaunchContext &launch) override {
    runner.emplace(launch);
    return std::nullopt;
  }

  void afterRun(const LaunchContext &, const LaunchPlan &plan, hw::RunResult &result) override {
    size_t launch = exploration.launches++;
    if (result.fault)
      return; // the launch itself failed in its own order
    if (!plan.program.hostFunctions.empty()) {
      exploration.reports.push_back(fmt::format(
          "kernel {}: calls functions of the host, so it runs once\n", plan.program.name));
      return;
    }
    RunOutcome own = runner->outcomeOf(result);
    if (std::optional<Finding> finding = explore(plan.program, own)) {
      result.fault = std::move(finding->fault);
      if (std::string mistake = write(finding->log, launch); !mistake.empty())
        result.fault->notes.push_back({std::move(mistake), {}});
    }
    runner->restore(own);
  }

private:
  std::optional<Finding> explore(const hw::Program &program, const RunOutcome &own) {
    Orders orders(seed);
    OrderCoverage coverage;
    uint64_t lastNew = 0;
    for (uint64_t number = 1; number <= choice.runs; ++number) {
      size_t pairs = coverage.numPairs();
      hw::DecisionLog log;
      RunOutcome outcome = runIn(program, *orders.next(), log, coverage);
      if (InterruptGuard::wasInterrupted())
        return std::nullopt;
      bool isNew = coverage.numPairs() != pairs;
      lastNew = isNew ? number : lastNew;
      orders.note(log, isNew);
      if (std::optional<hw::Fault> fault = difference(program, own, outcome, log, number))
        return Finding{std::move(*fault), std::move(log)};
    }
    exploration.reports.push_back(fmt::format(
        "kernel {}: {} orders give the same results; they show {} pairs of events, the last new "
        "one in order {}\n",
        program.name, choice.runs, coverage.numPairs(), lastNew));
    return std::nullopt;
  }

  RunOutcome runIn(const hw::Program &program, hw::DecisionSource &order, hw::DecisionLog &log,
                   OrderCoverage &coverage) {
    hw::RecordingDecisions recording(order, log);
    hw::RunOptions options = runner->options();
    options.mayUseHostThreads = false;
    options.decisions = &recording;
    options.listeners = {&coverage};
    return runner->run(program, options);
  }

  // Returns the fault of a run, or a fault that tells how its result differs; nothing if equal.
  std::optional<hw::Fault> difference(const hw::Program &program, const RunOutcome &own,
                                      const RunOutcome &outcome, const hw::DecisionLog &log,
                                      uint64_t number) {
    std::string order = fmt::format("in order {} of {} (--seed={})", number, choice.runs, seed);
    std::string repeat = fmt::format("repeat it with --schedule=replay:{}", choice.file);
    if (outcome.result.fault) {
      hw::Fault fault = *outcome.result.fault;
      fault.notes.push_back({"the launch itself gave no fault, --explore found it " + order, {}});
      fault.notes.push_back({repeat, {}});
      return fault;
    }
    hw::ReplayDecisions again(log);
    hw::RunOptions options = runner->options();
    options.mayUseHostThreads = false;
    options.decisions = &again;
    KernelVersion *version = versions.all().empty() ? nullptr : &versions.all().back();
    std::optional<std::string> text = runner->difference(
        {"at the launch", version, runner->options(), own}, {order, version, options, outcome});
    if (!text)
      return std::nullopt;
    hw::Fault fault;
    fault.kind = hw::FaultKind::DataRace;
    fault.message =
        fmt::format("the result of kernel {} depends on the order of its threads", program.name);
    fault.location = program.threads.front().location;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines)
      fault.notes.push_back({line.trim().str(), {}});
    fault.notes.push_back({repeat, {}});
    return fault;
  }

  // Writes the file for --schedule=replay, in which launches before and after this one run under
  // fair. Returns why it cannot be written; empty: it was.
  std::string write(const hw::DecisionLog &log, size_t launch) const {
    hw::DecisionLog fair;
    fair.isFair = true;
    std::ofstream file(choice.file, std::ios::binary);
    file << hw::decisionFileHeader();
    for (size_t i = 0; i < launch; ++i)
      file << hw::printDecisions(fair);
    file << hw::printDecisions(log) << hw::printDecisions(fair);
    return file.flush() ? std::string() : fmt::format("cannot write '{}'", choice.file);
  }

  KernelVersions versions;
  ExploreChoice choice;
  uint64_t seed;
  Exploration &exploration;
  std::optional<LaunchRunner> runner; // runner of the last launch
};
} // namespace ttjit::ttl_diff

ObserverFactory Exploration::observer(const Options &options) {
  return [this, options](const hw::ArchDesc &arch) {
    return std::make_unique<ExploreObserver>(arch, options, *this);
  };
}
