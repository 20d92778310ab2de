//===- OrderComparison.cpp - compares engines and schedules -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/OrderComparison.h"

#include "tools/session/InterruptGuard.h"
#include "tools/ttl-diff/EventList.h"
#include "tools/ttl-diff/LaunchRunner.h"

#include <fmt/format.h>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

namespace {
// One order in which threads and transfers run.
struct Order {
  std::string name; // the flags of ttl-jit that give this order
  hw::RunOptions options;

  // Returns whether two runs with these options may run the threads in different orders.
  bool varies() const { return options.schedule == hw::SchedulePolicy::Parallel; }
};
} // namespace

// Returns fair, greedy, `numSeeds` random orders, and 2 and 3 host threads; nothing if `numSeeds`
// is empty.
static std::vector<Order> otherOrders(const hw::RunOptions &launch,
                                      std::optional<uint64_t> numSeeds) {
  std::vector<Order> orders;
  if (!numSeeds)
    return orders;
  auto add = [&](std::string name, hw::SchedulePolicy policy, uint64_t seed) {
    hw::RunOptions options = launch;
    options.schedule = policy;
    options.mayUseHostThreads = false;
    options.seed = seed;
    orders.push_back({std::move(name), std::move(options)});
  };
  add("with --schedule=fair", hw::SchedulePolicy::Fair, 0);
  add("with --schedule=greedy", hw::SchedulePolicy::Greedy, 0);
  for (uint64_t seed = 0; seed < *numSeeds; ++seed)
    add(fmt::format("with --schedule=random --seed={}", seed), hw::SchedulePolicy::Random, seed);
  for (unsigned threads : {2, 3}) {
    add(fmt::format("with --schedule=parallel({})", threads), hw::SchedulePolicy::Parallel, 0);
    orders.back().options.hostThreads = threads;
  }
  return orders;
}

namespace ttjit::ttl_diff {
class OrderObserver : public KernelObserver {
public:
  OrderObserver(const hw::ArchDesc &arch, std::optional<uint64_t> numSeeds,
                OrderComparison &comparison)
      : versions(arch), numSeeds(numSeeds), comparison(comparison) {}

  LogicalResult afterPass(const PipelineStep &step, ModuleOp module, Lowering lowering) override {
    return lowering == Lowering::Complete ? versions.add(step, module, lowering) : success();
  }

  std::optional<hw::RunResult> beforeRun(const LaunchContext &launch) override {
    runner.emplace(launch);
    return std::nullopt;
  }

  void afterRun(const LaunchContext &, const LaunchPlan &plan, hw::RunResult &result) override {
    if (!plan.program.hostFunctions.empty())
      return; // another run could call a host function that changes what it sees
    if (result.fault && result.fault->message == "interrupted")
      return; // the kernel may never end: it was interrupted, or an exception of stdout ended it
    ++comparison.launches;
    RunOutcome own = runner->outcomeOf(result);
    if (std::optional<std::string> text = compareAll(plan, own))
      comparison.differences.push_back(
          fmt::format("kernel {} gives different results\n{}", plan.program.name, *text));
    runner->restore(own);
  }

private:
  // Returns the kernel after the last pass, for the interpreter. Null if the session stops before
  // that pass: then the interpreter runs the launch itself.
  KernelVersion *interpreted() { return versions.all().empty() ? nullptr : &versions.all().back(); }

  std::optional<std::string> compareAll(const LaunchPlan &plan, const RunOutcome &own) {
    if (KernelVersion *version = interpreted())
      version->plan.program.compute = plan.program.compute;
    if (auto text = compareInterpreter({"in the order of the launch", runner->options()}, own))
      return text;
    if (auto text = compareEvents(plan))
      return text;
    for (const Order &order : otherOrders(runner->options(), numSeeds)) {
      if (InterruptGuard::wasInterrupted())
        return std::nullopt;
      RunOutcome outcome = runner->run(plan.program, order.options);
      if (auto text = compare(order, "", own, outcome))
        return text;
      if (auto text = compareInterpreter(order, order.varies() ? own : outcome))
        return text;
    }
    return std::nullopt;
  }

  // Compares the events that the engine of the launch and the interpreter make.
  std::optional<std::string> compareEvents(const LaunchPlan &plan) {
    KernelVersion *version = interpreted();
    if (!version || InterruptGuard::wasInterrupted())
      return std::nullopt;
    EventList ofEngine, ofInterpreter;
    hw::RunOptions options = runner->options();
    options.listeners.push_back(&ofEngine);
    (void)runner->run(plan.program, options);
    options.listeners.back() = &ofInterpreter;
    (void)runner->run(version->plan, options);
    comparison.runs += 2;
    if (InterruptGuard::wasInterrupted())
      return std::nullopt;
    return ofEngine.difference(ofInterpreter, "by the engine", "by the interpreter");
  }

  // Compares with a run of the interpreter in this order.
  std::optional<std::string> compareInterpreter(const Order &order, const RunOutcome &engine) {
    KernelVersion *version = interpreted();
    if (!version)
      return std::nullopt;
    RunOutcome outcome = runner->run(version->plan, order.options);
    return compare(order, ", by the interpreter", engine, outcome);
  }

  std::optional<std::string> compare(const Order &order, const std::string &engine,
                                     const RunOutcome &expected, const RunOutcome &outcome) {
    ++comparison.runs;
    if (InterruptGuard::wasInterrupted())
      return std::nullopt;
    bool isOtherOrder = engine.empty() || order.varies();
    if (isOtherOrder && expected.result.fault && outcome.result.fault)
      return std::nullopt; // the order determines which of several faults comes first
    KernelVersion *version = interpreted();
    std::string before = isOtherOrder ? "at the launch" : "by the engine";
    return runner->difference({before, version, runner->options(), expected},
                              {order.name + engine, version, order.options, outcome});
  }

  KernelVersions versions;
  std::optional<uint64_t> numSeeds;
  OrderComparison &comparison;
  std::optional<LaunchRunner> runner; // runner of the last launch
};
} // namespace ttjit::ttl_diff

ObserverFactory OrderComparison::observer(const Options &options) {
  if (!options.compare.engines)
    return nullptr;
  return [this, numSeeds = options.compare.schedules](const hw::ArchDesc &arch) {
    return std::make_unique<OrderObserver>(arch, numSeeds, *this);
  };
}
