//===- Bisect.cpp - finds the pass that changes a result ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/Bisect.h"

#include "hw/device/Describe.h"

#include <fmt/format.h>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

//===--------------------------------------------------------------------------===//
// Observing a session
//===--------------------------------------------------------------------------===//

namespace {
class BisectObserver : public KernelObserver {
public:
  BisectObserver(const hw::ArchDesc &arch, PassComparison &comparison)
      : versions(arch), comparison(comparison) {}

  LogicalResult afterPass(const PipelineStep &step, ModuleOp module, Lowering lowering) override {
    return versions.add(step, module, lowering);
  }

  std::optional<hw::RunResult> beforeRun(const LaunchContext &launch) override {
    return runner.emplace(launch).compare(versions.all(), comparison);
  }

  void afterRun(const LaunchContext &, const LaunchPlan &plan, hw::RunResult &result) override {
    runner->compareWithEngine(versions.all(), plan, result, comparison);
  }

private:
  KernelVersions versions;
  PassComparison &comparison;
  std::optional<VersionRunner> runner; // runner of the last launch
};
} // namespace

ObserverFactory Bisect::observer(const Options &options) {
  if (!options.compare.passes)
    return nullptr;
  return
      [this](const hw::ArchDesc &arch) { return std::make_unique<BisectObserver>(arch, compared); };
}

//===--------------------------------------------------------------------------===//
// The report
//===--------------------------------------------------------------------------===//

static bool isOfPipeline(const PipelineStep &step) { return findStep(step.pass).has_value(); }

static std::string howToDump(const PassDifference &difference, const std::string &file) {
  if (!isOfPipeline(difference.before))
    return "";
  if (!isOfPipeline(difference.after))
    return fmt::format("  the IR before: ttl-jit run {0} --stage={1} --dump={1}\n", file,
                       difference.before.pass);
  return fmt::format("  the IR before and after: ttl-jit run {0} --stage={2} --dump={1},{2}\n",
                     file, difference.before.pass, difference.after.pass);
}

std::string Bisect::report(std::string file, const Options &options) const {
  for (const std::string &flag : options.given)
    file += " " + flag;
  if (compared.versions == 0)
    return fmt::format("bisect: nothing to compare: {}\n",
                       compared.launches ? "no pass ran on a kernel" : "no kernel was launched");
  if (!compared.difference)
    return fmt::format("bisect: every pass keeps the bits ({} launch{}, {} run)\n",
                       compared.launches, compared.launches == 1 ? "" : "es",
                       hw::plural(compared.versions, "version"));
  const PassDifference &found = *compared.difference;
  if (found.after.stage == "engine")
    return fmt::format("bisect: {}: the engine and the interpreter give different results at stage "
                       "ttkernel\n{}",
                       found.kernel, found.text);
  return fmt::format("bisect: {}: {} (stage {}) is the first pass that changes a result\n{}{}",
                     found.kernel, found.after.pass, found.after.stage, found.text,
                     howToDump(found, file));
}
