//===- Session.cpp - compile, choose engines, launch ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Session.h"

#include "tools/diagnostics/Diagnostics.h"
#include "tools/plan/PipePlan.h"
#include "tools/session/Compilation.h"
#include "tools/session/InterruptGuard.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::session;

Session::Session(Options options, TextSink dumps, ObserverFactory observe)
    : settings(std::move(options)), dumps(std::move(dumps)), observe(std::move(observe)),
      engines(std::make_unique<EngineSet>(settings)),
      decisions(settings.recordFile, settings.replayFile) {
  if (!settings.emitDir.empty())
    emitter = std::make_unique<Emitter>(settings.emitDir, settings.metalium);
}

Session::~Session() = default;

std::pair<int, int> Session::autoGrid() const {
  return settings.grid.value_or(std::pair(settings.arch.gridX, settings.arch.gridY));
}

/// Which passes run, and how they assign DST registers.
static std::string passesKey(const Options &settings) {
  const DSTChoices &dst = settings.dst;
  std::string key = fmt::format(" dst={}{}{}{}{} from={} to={}", int(dst.schedule),
                                int(dst.lazyLoads), int(dst.expireAtUse), int(dst.fpu),
                                int(dst.packBlocks), settings.startFrom, settings.stage);
  for (const InsertedPass &inserted : settings.inserted)
    key += fmt::format(" {}:{}", inserted.after, inserted.passes);
  return key;
}

std::string Session::optionsKey() const {
  auto [columns, rows] = autoGrid();
  return fmt::format("engine={} arch={} grid={}x{} strict={} tile-loops={} block-transfers={} "
                     "emit={} limits={},{} "
                     "schedule={}:{}{}",
                     int(settings.engine), settings.archName, columns, rows, settings.strict,
                     settings.tileLoops, settings.blockTransfers, settings.emitDir,
                     settings.maxBuffers, settings.maxL1, settings.schedulePath,
                     settings.scheduleText, passesKey(settings));
}

std::optional<std::string> Session::applyTo(Options &options,
                                            const KernelOptions &kernelOptions) const {
  for (const auto &[name, value] : kernelOptions)
    if (std::optional<std::string> mistake = setKernelOption(options, name, value))
      return mistake;
  return std::nullopt;
}

CompileResult Session::compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                               const KernelOptions &kernelOptions,
                               const hw::HostFunctions &functions) {
  CompileResult result;
  DiagnosticCollector collector(module->getContext(), result.diagnostics);
  hw::SourceLocation location = toSourceLocation(module->getLoc());
  Options options = settings;
  if (std::optional<std::string> mistake = applyTo(options, kernelOptions)) {
    result.diagnostics.push_back(
        makeDiagnostic(CompileDiagnostic::Severity::Error, *mistake, location));
    return result;
  }
  CompileGuard guard;
  Compilation compilation(options, dumps, observe, std::move(module));
  std::shared_ptr<CompiledKernel> kernel = compilation.run(*engines, emitter.get(), functions);
  // A kernel is compiled only if no pass reported an error, even if every pass
  // succeeded.
  if (CompileGuard::wasInterrupted()) {
    result.diagnostics.push_back(makeDiagnostic(CompileDiagnostic::Severity::Error,
                                                "interrupted while compiling", location));
  } else if (kernel && !hasError(result.diagnostics)) {
    reports.push_back(kernel->report);
    result.program = std::move(kernel);
  } else if (!hasError(result.diagnostics)) {
    result.diagnostics.push_back(makeDiagnostic(
        CompileDiagnostic::Severity::Error,
        "internal error: the compiler failed without an error message; please report it",
        location));
  }
  return result;
}

static hw::RunOptions runOptions(const Options &options) {
  hw::RunOptions result;
  result.schedule = options.schedule;
  result.hostThreads = options.hostThreads;
  result.delivery = options.dma;
  result.seed = options.seed;
  result.stepLimit = options.limit;
  result.aliases = options.aliases;
  return result;
}

// Emitted programs, and those that observers made of other stages, have the numbers of the
// call that compiled them.
bool Session::takesNumbers() const { return !emitter && !observe; }

// Observers read and restore the pages of tensors.
bool Session::sharesHostArrays() const { return settings.shareArrays && !observe; }

hw::RunResult Session::launch(CompiledProgram &program, hw::Device &device,
                              const std::vector<hw::TensorAllocation> &tensors,
                              const LaunchNumbers &numbers) {
  auto &kernel = static_cast<CompiledKernel &>(program);
  LaunchPlan &plan = kernel.plan;
  hw::RunResult result;
  if (tensors.size() != plan.numTensors) {
    result.fault.emplace();
    result.fault->message = fmt::format("kernel {} takes {} tensors, found {}", plan.program.name,
                                        plan.numTensors, tensors.size());
    return result;
  }
  InterruptGuard guard(device);
  LaunchContext context{device, tensors, runOptions(settings), plan.program.hostFunctions};
  if (kernel.observer)
    if (std::optional<hw::RunResult> interrupted = kernel.observer->beforeRun(context))
      return *interrupted;
  bindTensors(plan, tensors);
  bindNumbers(plan, numbers);
  context.options.print = output;
  Stopwatch watch;
  result = decisions.run(device, plan.program, context.options);
  if (kernel.observer && !InterruptGuard::wasInterrupted())
    kernel.observer->afterRun(context, plan, result);
  kernel.report->addLaunch(watch.lap(), result.stats);
  return result;
}

std::vector<KernelReport> Session::takeReports() {
  std::vector<KernelReport> result;
  for (const std::shared_ptr<KernelReport> &report : reports)
    if (report->launches || !report->compile.empty())
      result.push_back(report->take());
  return result;
}
