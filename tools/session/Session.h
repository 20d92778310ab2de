//===- Session.h - compile, choose engines, launch ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The frontend and .mlir programs use a session to compile a `ttl` module and to run
// it. A session prints nothing: it passes dumps to the sink, and diagnostics, faults
// and reports to its caller.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_SESSION_H
#define TTJIT_TOOLS_SESSION_SESSION_H

#include "diagnostics/TextSink.h"
#include "frontend/launcher/Launcher.h"
#include "tools/options/Options.h"
#include "tools/session/DecisionStore.h"
#include "tools/session/ExplainedLaunch.h"
#include "tools/session/KernelObserver.h"
#include "tools/session/Report.h"
#include "tools/session/TimeStore.h"
#include "tools/session/TraceStore.h"

#include <functional>
#include <set>
#include <utility>

namespace ttjit::session {

class CppCompiler;

class EngineSet;
class Emitter;
class SessionSettings;

/// A launch that a debugger runs instead of Device::run.
struct DebuggedLaunch {
  hw::Device &device;
  const plan::LaunchPlan &plan;
  const std::vector<hw::TensorAllocation> &tensors;
  hw::RunOptions options;
  bool estimatesTime; ///< whether threads tell their operations to the time model
};
using DebugRunner = std::function<hw::RunResult(const DebuggedLaunch &launch)>;

/// A session is not thread-safe, but a process may have several.
class Session : public Launcher {
public:
  /// `dumps` gets the texts of --dump. `observe`, if given, creates an observer for
  /// each kernel.
  explicit Session(options::Options options, diagnostics::TextSink dumps,
                   ObserverFactory observe = nullptr);
  ~Session() override;

  SettingsResult settings(const KernelOptions &options = {}) override;
  CompileResult compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                        const KernelSettings *settings = nullptr,
                        const hw::HostFunctions &functions = {}) override;
  std::vector<diagnostics::CompileDiagnostic>
  restrictForeign(mlir::ModuleOp module, const std::string &advice,
                  hw::HostFunctions &functions) override;
  std::shared_ptr<hw::HostFunction> openFunction(const std::string &library,
                                                 const std::string &symbol,
                                                 std::string &mistake) override;
  CompileResult compileCpp(const CppProgram &program, const KernelSettings &settings) override;
  TextResult text(mlir::OwningOpRef<mlir::ModuleOp> module, const KernelSettings &settings,
                  const hw::HostFunctions &functions = {}) override;
  void setOutput(std::function<void(const std::string &)> sink) override {
    output = std::move(sink);
  }
  hw::RunResult launch(CompiledProgram &program, hw::Device &device,
                       const std::vector<hw::TensorAllocation> &tensors,
                       const LaunchNumbers &numbers = {}, const KernelSettings *settings = nullptr,
                       const RuntimeResources &resources = {}) override;
  void close() override;
  bool takesNumbers() const override;
  bool sharesNumbers() const override;
  bool sharesHostArrays(const KernelSettings &settings) const override;

  const options::Options &options() const;

  /// Sets the function that runs kernels which are compiled with Options::debug.
  void setDebugRunner(DebugRunner runner) { debugRun = std::move(runner); }

  /// Returns the kernels that were compiled or launched since the last call, in order
  /// of compilation.
  std::vector<KernelReport> takeReports();
  /// Returns the same reports as takeReports(), and keeps them for later calls.
  std::vector<KernelReport> seeReports() const;

  /// Returns the costs of the emitted kernels in the form that --emit-report names; empty without
  /// that option.
  std::string emitReport() const;
  /// Returns the explanations of launches from number `first` on, and forgets them.
  std::vector<explain::NumericsReport> takeExplanations(size_t first = 0);
  size_t numExplanations() const { return explanations.size(); }
  /// Returns the estimates of --time of the launches since the last call, one for each kernel.
  std::vector<timing::Estimate> takeEstimates() { return times.take(); }
  /// Returns the estimate of the last launch. If the process has --time, takeEstimates() also
  /// returns it later.
  std::optional<timing::Estimate> takeLastEstimate() {
    return times.takeLast(!options().passes.time.empty());
  }

  /// Returns the store of the estimates.
  TimeStore &estimates() { return times; }

  /// If launches were checked or were dry runs, and no mistake was found, returns lines that tell
  /// this; otherwise an empty string.
  std::string checkSummary() const;

  /// Returns why the results of the launches since the last call may depend on the order of threads
  /// and transfers; empty if all orders have the same results, unless there is a race.
  std::vector<std::string> takeOrderReasons();

  /// If the process has --time or --explain-numerics, but launched no kernel, returns a line that
  /// tells this; otherwise an empty string.
  std::string noLaunchNote() const;

private:
  std::string checkedText() const;
  /// The data that the steps of a launch share.
  struct OneLaunch {
    hw::Device &device;
    const plan::LaunchPlan &plan;
    const std::vector<hw::TensorAllocation> &tensors;
    const options::Options &options;
  };
  hw::RunResult runOnce(const OneLaunch &launch, const hw::RunOptions &options);
  hw::RunResult runDecided(const OneLaunch &launch, const hw::RunOptions &options);
  hw::RunResult runWatched(const OneLaunch &launch, const hw::RunOptions &options);
  hw::RunResult runExplained(const OneLaunch &launch, const hw::RunOptions &options);
  hw::RunResult runTraced(const OneLaunch &launch, const hw::RunOptions &options);
  hw::RunResult runTimed(const OneLaunch &launch, const hw::RunOptions &options);
  void noteLaunch(const options::Options &options, const hw::RunResult &result);
  void noteOrder(const KernelReport &report);
  void warnOfCache(const options::Options &options, CompileResult &result);
  const SessionSettings &orDefault(const KernelSettings *settings) const;
  std::shared_ptr<const SessionSettings> makeSettings(options::Options options);

  std::vector<std::shared_ptr<EngineSet>> engineSets; ///< those of all settings made so far
  std::shared_ptr<const SessionSettings> defaults;
  DebugRunner debugRun;
  diagnostics::TextSink dumps;
  ObserverFactory observe;
  std::unique_ptr<Emitter> emitter;
  std::unique_ptr<CppCompiler> cppCompiler; ///< created for the first program in C++
  DecisionStore decisions;
  TraceStore traces;
  TimeStore times;
  options::CheckChoices checked; ///< what some launch was checked for
  uint64_t numDryRuns = 0;
  std::set<std::string> orderReasons; ///< those of takeOrderReasons()
  bool hasLaunched = false;
  bool hasFault = false;
  std::function<void(const std::string &)> output;
  std::vector<std::shared_ptr<KernelReport>> reports;
  std::vector<explain::NumericsReport> explanations;
  std::set<std::string> checkedCaches; ///< folders that warnOfCache() looked at
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_SESSION_H
