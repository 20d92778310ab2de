//===- Session.cpp - compile, choose engines, launch --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Session.h"
#include "tools/session/BoundResources.h"

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "jit/PrivateFolder.h"
#include "passes/RunningPass.h"
#include "tools/options/OptionTable.h"
#include "tools/plan/ForeignModule.h"
#include "tools/plan/HostFunctions.h"
#include "tools/plan/PipePlan.h"
#include "tools/session/Checks.h"
#include "tools/session/Compilation.h"
#include "tools/session/ComputeChoice.h"
#include "tools/session/CppPlan.h"
#include "tools/session/CppWarnings.h"
#include "tools/session/DeviceNumerics.h"
#include "tools/session/Engines.h"
#include "tools/session/InterruptGuard.h"
#include "tools/session/ThreadCompilerOptions.h"
#include "tools/session/UnmodelledUses.h"

#include "hw/device/FloatEnvironment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

// What Session::settings() returns: a set of options, and the engines for these options.
class session::SessionSettings : public KernelSettings {
public:
  SessionSettings(Options options, std::shared_ptr<EngineSet> engines)
      : options(std::move(options)), engines(std::move(engines)) {}

  const hw::ArchDesc &arch() const override { return options.arch; }
  std::string archName() const override { return options.archName; }
  std::pair<int, int> autoGrid() const override { return options.autoGrid(); }
  std::vector<int> mesh() const override { return options.mesh; }
  int links() const override { return options.links; }
  std::string fabric() const override { return options.fabric; }
  bool hostCollectives() const override { return options.hostCollectives; }
  std::string key() const override { return compileKey(options); }
  bool strict() const override { return options.isStrict(); }
  bool compileOnly() const override { return options.passes.compileOnly; }
  bool estimatesTime() const override { return !options.passes.time.empty(); }
  std::vector<std::string> whatIf() const override {
    std::vector<std::string> found;
    if (options.launch.whatIf.grids)
      found.emplace_back("grid");
    if (options.launch.whatIf.blocks)
      found.emplace_back("blocks");
    return found;
  }
  std::string numerics() const override {
    return options.numerics == hw::NumericMode::Device ? "device" : "host";
  }
  std::string emitFolder() const override { return options.emit.folder; }
  bool debugged() const override { return options.debug; }

  const Options options;
  const std::shared_ptr<EngineSet> engines;
};

Session::Session(Options options, TextSink dumps, ObserverFactory observe)
    : defaults(makeSettings(std::move(options))), dumps(std::move(dumps)),
      observe(std::move(observe)),
      decisions(defaults->options.records.decisions, defaults->options.records.replayed),
      traces(defaults->options.records.trace, defaults->options.records.traceTime) {
  if (defaults->options.emit.emits())
    emitter = createEmitter(defaults->options.emit.folder, defaults->options.emit.metalium);
}

Session::~Session() = default;

void Session::close() { jit::ThreadCompiler::close(); }

const Options &Session::options() const { return defaults->options; }

//===--------------------------------------------------------------------------===//
// Settings
//===--------------------------------------------------------------------------===//

std::shared_ptr<const SessionSettings> Session::makeSettings(Options options) {
  auto found = std::ranges::find_if(engineSets, [&](auto &set) { return set->fits(options); });
  std::shared_ptr<EngineSet> engines =
      found != engineSets.end() ? *found : engineSets.emplace_back(new EngineSet(options));
  return std::make_shared<SessionSettings>(std::move(options), std::move(engines));
}

SettingsResult Session::settings(const KernelOptions &options) {
  if (options.empty())
    return {defaults, {}};
  Options changed = defaults->options;
  if (std::optional<std::string> mistake = setKernelOptions(changed, options))
    return {nullptr, *mistake};
  return {makeSettings(std::move(changed)), {}};
}

const SessionSettings &Session::orDefault(const KernelSettings *settings) const {
  return settings ? static_cast<const SessionSettings &>(*settings) : *defaults;
}

//===--------------------------------------------------------------------------===//
// Compiling and launching
//===--------------------------------------------------------------------------===//

// Returns the error of a pass that crashed, at the op that it worked on. Also replaces the engines.
static CompileDiagnostic afterCrash(const Crash &crash, mlir::ModuleOp module,
                                    const SessionSettings &chosen) {
  std::string where = std::exchange(runningPass(), {}).where();
  chosen.engines->replaceEngines();
  return makeDiagnostic(CompileDiagnostic::Severity::Error, crashMessage(crash, where),
                        toSourceLocation(locationOf(crash, module)));
}

// Appends the errors of a compilation that ended without a kernel, or was interrupted.
static void explainFailure(bool hasKernel, const hw::SourceLocation &location,
                           std::vector<CompileDiagnostic> &diagnostics) {
  auto add = [&](const char *message) {
    diagnostics.push_back(makeDiagnostic(CompileDiagnostic::Severity::Error, message, location));
  };
  if (CompileGuard::wasInterrupted())
    add("interrupted while compiling");
  else if (!hasKernel && !hasError(diagnostics))
    add("internal error: the compiler failed without an error message; please report it");
}

// Warns once of a folder that holds compiled code and that other users may write to.
void Session::warnOfCache(const Options &options, CompileResult &result) {
  const std::string &folder = options.jit.cacheFolder;
  bool usesCode = options.engine != EngineChoice::Interp && !options.debug;
  if (!usesCode || folder.empty() || !checkedCaches.insert(folder).second)
    return;
  std::string why = jit::whyNotPrivate(folder);
  if (why.empty())
    return;
  result.diagnostics.push_back(makeDiagnostic(
      CompileDiagnostic::Severity::Warning,
      fmt::format("the folder of compiled code {} is not used: {}, or name another with --cache",
                  folder, why),
      {}));
  result.diagnostics.back().kind = WarningKind::Engine;
}

CompileResult Session::compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                               const KernelSettings *settings, const hw::HostFunctions &functions) {
  hw::DefaultFloatEnvironment environment;
  CompileResult result;
  hw::SourceLocation location = toSourceLocation(module->getLoc());
  const SessionSettings &chosen = orDefault(settings);
  CompileGuard guard;
  mlir::ModuleOp compiled = module.release();
  std::shared_ptr<CompiledKernel> kernel;
  std::optional<Crash> crash = runGuarded([&] {
    DiagnosticCollector collector(compiled->getContext(), result.diagnostics);
    Compilation compilation(chosen.options, dumps, observe, mlir::OwningOpRef(compiled));
    kernel = compilation.run(*chosen.engines, emitter.get(), functions);
  });
  if (crash) {
    result.diagnostics.push_back(afterCrash(*crash, compiled, chosen));
    result.crashed = true;
    return result;
  }
  explainFailure(bool(kernel), location, result.diagnostics);
  // A kernel is compiled only if no pass reported an error, even if every pass succeeded.
  if (kernel && !hasError(result.diagnostics)) {
    reports.push_back(kernel->numbers);
    warnOfCache(chosen.options, result);
    result.program = std::move(kernel);
  }
  return result;
}

std::vector<CompileDiagnostic> Session::restrictForeign(mlir::ModuleOp module,
                                                        const std::string &advice,
                                                        hw::HostFunctions &functions) {
  std::vector<CompileDiagnostic> diagnostics;
  DiagnosticCollector collector(module->getContext(), diagnostics);
  (void)restrictForeignModule(module, advice, functions);
  return diagnostics;
}

std::shared_ptr<hw::HostFunction>
Session::openFunction(const std::string &library, const std::string &symbol, std::string &mistake) {
  return plan::openFunction(library, symbol, mistake);
}

// Returns a line for each configuration of the compute kernels.
static std::vector<std::string> describeConfigs(const CppProgram &program,
                                                const hw::ArchDesc &arch) {
  std::vector<std::string> lines;
  for (const CppKernel &kernel : program.kernels)
    if (kernel.processor == hw::Processor::Compute) {
      std::string line = describeNumerics(kernel.compute, arch);
      if (std::ranges::find(lines, line) == lines.end())
        lines.push_back(std::move(line));
    }
  return lines;
}

CompileResult Session::compileCpp(const CppProgram &program, const KernelSettings &settings) {
  hw::DefaultFloatEnvironment environment;
  const Options &options = static_cast<const SessionSettings &>(settings).options;
  if (!cppCompiler)
    cppCompiler = std::make_unique<CppCompiler>(threadCompilerOptions(options.jit));
  CompileGuard guard;
  CompileResult result;
  result.diagnostics = warningsOf(program, options);
  if (llvm::any_of(result.diagnostics, [](const CompileDiagnostic &each) {
        return each.severity == CompileDiagnostic::Severity::Error;
      }))
    return result;
  // A program that only moves data stores tiles as the card does, too.
  std::string mistake = options.numerics == hw::NumericMode::Device ? loadDeviceKernels() : "";
  if (!mistake.empty()) {
    std::string file = program.kernels.empty() ? "" : program.kernels.front().file;
    result.diagnostics.push_back(
        makeDiagnostic(CompileDiagnostic::Severity::Error, mistake, {file, 1, 1, 1, 1}));
    return result;
  }
  CppProgram chosen = program;
  for (CppKernel &cpp : chosen.kernels) {
    if (cpp.processor != hw::Processor::Compute)
      continue;
    cpp.compute = withChoices(cpp.compute, options.compute);
    cpp.compute.numerics = options.numerics;
    cpp.compute.halves = llvm::any_of(chosen.buffers, [](const CppBuffer &buffer) {
      return buffer.format == hw::DataFormat::Float16;
    });
    if (options.numerics == hw::NumericMode::Device)
      cpp.defines.push_back("TTJIT_DEVICE_NUMERICS=1");
    if (options.numerics == hw::NumericMode::Device && cpp.compute.fp32DestAccEn)
      cpp.defines.push_back("TTJIT_NARROW_SOURCES=1");
  }
  auto built = cppCompiler->build(chosen, options.arch);
  if (auto *mistake = std::get_if<CompileDiagnostic>(&built)) {
    result.diagnostics.push_back(std::move(*mistake));
    return result;
  }
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->plan = std::move(std::get<LaunchPlan>(built));
  kernel->plan.program.compute.numerics = options.numerics;
  kernel->numbers = std::make_shared<KernelReport>();
  kernel->numbers->name = program.name;
  kernel->numbers->gridX = kernel->plan.program.gridX;
  kernel->numbers->gridY = kernel->plan.program.gridY;
  kernel->numbers->numNodes = kernel->plan.program.numNodes;
  for (const hw::ThreadConfig &thread : kernel->plan.program.threads)
    kernel->numbers->threads.push_back({thread.name, "c++", thread.processor});
  if (options.numerics == hw::NumericMode::Device)
    kernel->addNotes(describeConfigs(chosen, options.arch));
  reports.push_back(kernel->numbers);
  warnOfCache(options, result);
  result.program = std::move(kernel);
  return result;
}

// Returns whether a later call may take the numbers of a kernel. Emitted programs, and the versions
// that observers keep, have those of the call that compiled them.
bool Session::takesNumbers() const { return !emitter && !observe; }

bool Session::sharesNumbers() const { return !observe; }

// Observers, debuggers, --check=init, --check=outputs and explanations need tensors as pages.
bool Session::sharesHostArrays(const KernelSettings &settings) const {
  const Options &options = orDefault(&settings).options;
  return options.launch.shareArrays && !options.launch.check.init &&
         !options.launch.check.outputs && !options.launch.explainNumerics && !options.debug &&
         !observe;
}

TextResult Session::text(mlir::OwningOpRef<mlir::ModuleOp> module, const KernelSettings &settings,
                         const hw::HostFunctions &functions) {
  hw::DefaultFloatEnvironment environment;
  TextResult result;
  TextSink sink = [&](std::string_view text) { result.text += text; };
  const SessionSettings &chosen = orDefault(&settings);
  CompileGuard guard;
  mlir::ModuleOp compiled = module.release();
  std::optional<Crash> crash = runGuarded([&] {
    DiagnosticCollector collector(compiled->getContext(), result.diagnostics);
    Compilation compilation(chosen.options, sink, nullptr, mlir::OwningOpRef(compiled));
    compilation.runForTexts(*chosen.engines, functions);
  });
  if (crash)
    result.diagnostics.push_back(afterCrash(*crash, compiled, chosen));
  result.crashed = crash.has_value();
  return result;
}

// Returns a fault if a launch has another number of tensors than the kernel.
static std::optional<hw::RunResult>
refuseTensors(const LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors) {
  if (tensors.size() == plan.numTensors)
    return std::nullopt;
  hw::RunResult result;
  result.fault.emplace();
  result.fault->message = fmt::format("kernel {} takes {} tensors, found {}", plan.program.name,
                                      plan.numTensors, tensors.size());
  return result;
}

// Runs the program on the device, or in the debugger.
hw::RunResult Session::runOnce(const OneLaunch &launch, const hw::RunOptions &options) {
  if (debugRun && launch.options.debug)
    return debugRun(
        {launch.device, launch.plan, launch.tensors, options, launch.options.estimatesTime()});
  return launch.device.run(launch.plan.program, options);
}

// Runs the launch. With --schedule=replay:FILE the scheduling decisions (hw/device/Decisions.h)
// come from the file; with --record=FILE they are written to it.
hw::RunResult Session::runDecided(const OneLaunch &launch, const hw::RunOptions &options) {
  return decisions.run([&](const hw::RunOptions &decided) { return runOnce(launch, decided); },
                       options);
}

// Runs it with the listeners of --check.
hw::RunResult Session::runWatched(const OneLaunch &launch, const hw::RunOptions &options) {
  auto run = [&](const hw::RunOptions &each) { return runDecided(launch, each); };
  CheckedLaunch watched{
      launch.device, launch.plan.program, launch.tensors, launch.plan.constantArguments, run, {}};
  if (launch.plan.program.hostFunctions.empty())
    watched.runAgain = [&](const hw::RunOptions &each) {
      return launch.device.run(launch.plan.program, each);
    };
  return runChecked(launch.options.launch.check, watched, options);
}

// Runs it and explains its errors.
hw::RunResult Session::runExplained(const OneLaunch &launch, const hw::RunOptions &options) {
  auto run = [&](const hw::RunOptions &each) { return runWatched(launch, each); };
  if (!launch.options.launch.explainNumerics)
    return run(options);
  bool mayRunAgain = launch.plan.program.hostFunctions.empty() && !launch.options.debug;
  ExplainedLaunch explained{launch.device, launch.plan, launch.tensors,
                            run,           mayRunAgain, launch.plan.constantArguments};
  return session::runExplained(explained, options, explanations);
}

// Runs it and writes its trace.
hw::RunResult Session::runTraced(const OneLaunch &launch, const hw::RunOptions &options) {
  return traces.run(launch.device, launch.plan.mesh, options,
                    [&](const hw::RunOptions &each) { return runExplained(launch, each); });
}

// Runs it and estimates its time on a card, if the options ask for that.
hw::RunResult Session::runTimed(const OneLaunch &launch, const hw::RunOptions &options) {
  auto run = [&](const hw::RunOptions &each) { return runTraced(launch, each); };
  const std::string &form = launch.options.passes.time;
  if (form.empty())
    return run(options);
  return times.run(launch.device, launch.plan.program, options, form, run);
}

// Notes a launch for the texts of checkSummary() and noLaunchNote().
void Session::noteLaunch(const Options &options, const hw::RunResult &result) {
  for (const CheckSpec &check : kChecks)
    checked.*check.choice |= options.launch.check.*check.choice;
  numDryRuns += options.passes.dryRun;
  hasLaunched = true;
  hasFault |= result.fault.has_value();
}

void Session::noteOrder(const KernelReport &report) {
  if (report.orderReasons)
    orderReasons.insert(report.orderReasons->begin(), report.orderReasons->end());
  else
    orderReasons.insert(fmt::format("kernel '{}' has no IR of stage ttl", report.name));
}

std::vector<std::string> Session::takeOrderReasons() {
  std::set<std::string> taken = std::exchange(orderReasons, {});
  return {taken.begin(), taken.end()};
}

hw::RunResult Session::launch(CompiledProgram &program, hw::Device &device,
                              const std::vector<hw::TensorAllocation> &tensors,
                              const LaunchNumbers &numbers, const KernelSettings *settings,
                              const RuntimeResources &resources) {
  hw::DefaultFloatEnvironment environment;
  auto &kernel = static_cast<CompiledKernel &>(program);
  kernel.usePending(/*waits=*/false);
  LaunchPlan &plan = kernel.plan;
  const Options &options = orDefault(settings).options;
  if (std::optional<hw::RunResult> refused = refuseTensors(plan, tensors))
    return *refused;
  InterruptGuard guard(device);
  LaunchContext context{device, tensors, options.launch.run, plan.program.hostFunctions};
  if (kernel.observer)
    if (std::optional<hw::RunResult> interrupted = kernel.observer->beforeRun(context))
      return *interrupted;
  bindTensors(plan, tensors);
  bindNumbers(plan, numbers);
  BoundResources bound(plan.program, resources);
  context.options.print = output;
  std::optional<UnmodelledUses> unmodelled;
  if (plan.program.language == hw::KernelLanguage::Metalium &&
      plan.program.compute.numerics == hw::NumericMode::Device)
    context.options.listeners.push_back(&unmodelled.emplace(plan));
  Stopwatch watch;
  hw::RunResult result = runTimed({device, plan, tensors, options}, context.options);
  if (unmodelled && options.passes.strict)
    unmodelled->refuse(result);
  else if (unmodelled)
    kernel.addWarnings(unmodelled->warnings());
  noteLaunch(options, result);
  noteOrder(*kernel.numbers);
  if (kernel.observer && !InterruptGuard::wasInterrupted())
    kernel.observer->afterRun(context, plan, result);
  addLaunch(*kernel.numbers, watch.lap(), result.stats);
  return result;
}

std::vector<explain::NumericsReport> Session::takeExplanations(size_t first) {
  auto begin =
      explanations.begin() + static_cast<std::ptrdiff_t>(std::min(first, explanations.size()));
  std::vector<explain::NumericsReport> taken(std::move_iterator(begin),
                                             std::move_iterator(explanations.end()));
  explanations.erase(begin, explanations.end());
  return taken;
}

std::vector<KernelReport> Session::seeReports() const {
  std::vector<KernelReport> result;
  for (const std::shared_ptr<KernelReport> &report : reports)
    if (report->launches || !report->compile.empty())
      result.push_back(*report);
  return result;
}

std::string Session::emitReport() const {
  switch (defaults->options.emit.report) {
  case EmitReport::None:
    return {};
  case EmitReport::Text:
    return emitter->report();
  case EmitReport::Json:
    return emitter->jsonReport();
  }
  return {};
}

std::string Session::noLaunchNote() const {
  bool isTimed = !options().passes.time.empty();
  if (hasLaunched || (!isTimed && !options().launch.explainNumerics))
    return {};
  return fmt::format("{}: no kernel was launched\n", isTimed ? "time" : "numerics");
}

std::string Session::checkSummary() const {
  if (hasFault)
    return {};
  if (numDryRuns == 0)
    return checkedText();
  std::string launches = numDryRuns == 1 ? "1 launch" : fmt::format("{} launches", numDryRuns);
  return fmt::format("dry run: no findings in {}; blocks that kernels compute are zeros\n",
                     launches) +
         checkedText();
}

std::string Session::checkedText() const {
  std::vector<std::string_view> names;
  for (const CheckSpec &check : kChecks)
    if (checked.*check.choice)
      names.push_back(check.name);
  if (names.empty())
    return {};
  return fmt::format("checks: no findings ({})\n", fmt::join(names, ", "));
}

std::vector<KernelReport> Session::takeReports() {
  std::vector<KernelReport> result;
  for (const std::shared_ptr<KernelReport> &report : reports)
    if (report->launches || !report->compile.empty())
      result.push_back(take(*report));
  return result;
}
