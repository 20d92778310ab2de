//===- Compilation.cpp - compiles one module ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Compilation.h"

#include "diagnostics/Diagnostics.h"
#include "diagnostics/TextGuard.h"
#include "ir/Messages/Warnings.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/TTCpp/TTCpp.h"
#include "jit/OnDemandLibrary.h"
#include "passes/Pipeline.h"
#include "passes/dst/DSTReport.h"
#include "passes/ttkernel/Passes.h"
#include "passes/ttl/OrderDependence.h"
#include "tools/plan/HostFunctions.h"
#include "tools/plan/L1Map.h"
#include "tools/session/ComputeChoice.h"
#include "tools/session/DeviceNumerics.h"
#include "tools/session/FirstLaunch.h"
#include "tools/session/Interpretable.h"
#include "tools/session/InterruptGuard.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

Compilation::Compilation(const Options &settings, const TextSink &dumps,
                         const ObserverFactory &observe, OwningOpRef<ModuleOp> module)
    : settings(settings), dumps(dumps), observe(observe),
      result(std::make_shared<CompiledKernel>()), archName(settings.archName), arch(settings.arch) {
  result->module = std::move(module);
  result->numbers = std::make_shared<KernelReport>();
  result->metalium = settings.emit.metalium;
}

std::string CompiledKernel::ir() const {
  if (!module)
    return {}; // the kernels are C++
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.get().print(stream);
  return text;
}

CppResult CompiledKernel::cpp() const {
  CppResult result;
  if (!module)
    return result;
  ModuleOp threads = emitted();
  DiagnosticCollector collector(threads.getContext(), result.diagnostics);
  if (const Emission *emission = loadEmission(threads))
    emission->addFiles(threads, metalium, bool(loops), result);
  return result;
}

void CompiledKernel::addWarnings(const std::vector<diagnostics::CompileDiagnostic> &found) {
  for (const diagnostics::CompileDiagnostic &warning : found)
    if (warned.insert(warning.message).second)
      warnings.push_back(warning);
}

void CompiledKernel::usePending(bool waits) {
  if (!pending || (!waits && !pending->isReady()))
    return;
  std::vector<Refusal> refusals = std::exchange(pending, nullptr)->use(plan, *numbers);
  if (refusals.empty() || CompileGuard::wasInterrupted())
    return;
  DiagnosticCollector collector(module.get().getContext(), warnings);
  reportFallBack(plan, refusals, /*isError=*/false);
}

//===--------------------------------------------------------------------------===//
// Dumps
//===--------------------------------------------------------------------------===//

void Compilation::dump(llvm::StringRef stage, llvm::StringRef text) {
  std::string out = ("// ----- " + stage + ": " + result->numbers->name + "\n" + text).str();
  if (!llvm::StringRef(out).ends_with("\n"))
    out += '\n';
  dumps(out);
}

void Compilation::dumpModule(llvm::StringRef stage) {
  if (!settings.dumps(stage))
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  result->module->print(stream);
  dump(stage, text);
}

//===--------------------------------------------------------------------------===//
// Steps
//===--------------------------------------------------------------------------===//

// Returns the only op of type OpT; null if there is none. Fails with a diagnostic if
// there are two.
template <typename OpT> static FailureOr<OpT> onlyOp(ModuleOp module) {
  auto ops = module.getOps<OpT>();
  if (ops.empty())
    return OpT();
  if (++ops.begin() != ops.end())
    return (*++ops.begin())
        .emitError("a module to launch must contain only one kernel; this is the second one");
  return *ops.begin();
}

LogicalResult Compilation::checkGrid(Operation *kernel, llvm::ArrayRef<int64_t> grid) {
  GridLayout layout = layoutGrid(grid, arch, devicesOf(kernel));
  if (!exceedsChip(layout, arch))
    return success();
  bool isError = settings.isStrict();
  InFlightDiagnostic diagnostic =
      isError ? kernel->emitError() : emitWarning(WarningKind::Limit, kernel);
  diagnostic << "grid " << layout.columnsOfDevice() << "x" << layout.rows << " is larger than "
             << std::string(arch.name) << "'s " << arch.gridX << "x" << arch.gridY
             << (isError ? "; choose a larger chip with --arch NAME@COLUMNSxROWS"
                         : "; it runs as if the chip were that large");
  return failure(isError);
}

// Verifies the module, checks that it holds one kernel or program, and looks up its chip.
LogicalResult Compilation::prepare() {
  ModuleOp module = *result->module;
  if (failed(verify(module)))
    return failure();
  FailureOr<ttl::KernelOp> kernel = onlyOp<ttl::KernelOp>(module);
  FailureOr<ttl::ProgramOp> program = onlyOp<ttl::ProgramOp>(module);
  if (failed(kernel) || failed(program))
    return failure();
  if (bool(*kernel) == bool(*program))
    return module.emitError("expected one ttl.kernel or ttl.program to launch");
  auto use = [&](auto op) -> LogicalResult {
    result->numbers->name = op.getSymName().str();
    if (op.getArch())
      archName = op.getArch()->str();
    else
      op.setArch(archName);
    std::optional<hw::ArchDesc> found = hw::lookupArch(archName);
    if (!found)
      return op.emitError("unknown architecture '") << archName << "'";
    arch = *found;
    chooseComputeConfig(op, settings, arch);
    return checkGrid(op, op.getGrid().getShape());
  };
  return *kernel ? use(*kernel) : use(*program);
}

FailureOr<std::unique_ptr<Schedule>> Compilation::parseSchedule() {
  const std::string &path = settings.passes.schedulePath, &text = settings.passes.scheduleText;
  MLIRContext *context = result->module->getContext();
  if (std::optional<TextProblem> problem = findTextProblem(text))
    return emitError(FileLineColLoc::get(context, path, problem->line, problem->column))
           << problem->message;
  llvm::Expected<void *> parse = jit::loadFunction("ttjit-schedule", kParseScheduleSymbol);
  if (!parse)
    return emitError(FileLineColLoc::get(context, path, 1, 1))
           << "cannot load libttjit-schedule.so, which reads schedule files: "
           << llvm::toString(parse.takeError()) << "; install ttl-jit again";
  std::unique_ptr<Schedule> schedule(
      reinterpret_cast<ParseSchedule *>(*parse)(context, path, text));
  if (!schedule)
    return failure();
  return schedule;
}

// Reads the user's schedule. Returns null if there is none, or if the stage after which it applies
// does not run.
FailureOr<std::unique_ptr<Schedule>> Compilation::readSchedule() {
  if (settings.passes.schedulePath.empty())
    return std::unique_ptr<Schedule>();
  ModuleOp module = *result->module;
  FailureOr<std::unique_ptr<Schedule>> parsed = parseSchedule();
  if (failed(parsed))
    return failure();
  Schedule *schedule = parsed->get();
  int stage = *findStep(schedule->stage());
  bool passed = settings.passes.startFrom.empty() ? module.getOps<ttl::KernelOp>().empty()
                                                  : *findStep(settings.passes.startFrom) > stage;
  if (passed)
    emitWarning(WarningKind::Engine, module)
        << "schedule file " << settings.passes.schedulePath
        << " is not applied: it runs after stage " << schedule->stage()
        << ", and this module is already past that stage";
  if (settings.emit.path == EmitPath::Direct && stage > *findStep("loops"))
    return module.emitError("--emit-path=direct makes C++ of stage loops, and the schedule of ")
           << settings.passes.schedulePath << " changes stage " << schedule->stage()
           << ": leave one of them out";
  bool ends = !settings.lastStep().empty() && *findStep(settings.lastStep()) < stage;
  if (passed || ends)
    parsed->reset();
  return parsed;
}

// Runs passes. Records the time of each pass, and prints dumps and calls the observer after it.
LogicalResult Compilation::runStages(const PipelineOptions &options) {
  Stopwatch watch;
  double milliseconds = 0;
  auto afterPass = [&](const PipelineStep &step, bool endsStage, ModuleOp) {
    milliseconds += watch.lap();
    if (settings.dumpsPass(step.pass))
      dumpModule(step.pass);
    if (step.pass == "ttl-assign-dst" && settings.dumps("dst-assignment"))
      dump("dst-assignment", describeDST(*result->module));
    if (endsStage) {
      result->numbers->compile.push_back({step.stage, std::exchange(milliseconds, 0)});
      dumpModule(step.stage);
      keepForEmission(step.stage);
    }
    bool last = step.pass == pipelineSteps().back().pass;
    Lowering state = last ? Lowering::Complete : Lowering::Partial;
    LogicalResult observed = notify(step, state);
    watch.lap();
    return failure(failed(observed) || CompileGuard::wasInterrupted());
  };
  return runPipeline(*result->module, options, afterPass);
}

LogicalResult Compilation::notify(const PipelineStep &step, Lowering state) {
  return result->observer ? result->observer->afterPass(step, *result->module, state) : success();
}

// Runs the passes up to the schedule's stage, then the schedule, then the other passes.
LogicalResult Compilation::runWith(Schedule &schedule, PipelineOptions options) {
  std::string last = std::exchange(options.stopAfter, schedule.stage());
  if (failed(runStages(options)))
    return failure();
  Stopwatch watch;
  if (failed(schedule.apply(*result->module)))
    return failure();
  result->numbers->compile.push_back({"schedule", watch.lap()});
  dumpModule("schedule");
  if (failed(notify({schedule.stage(), "schedule"}, Lowering::Partial)))
    return failure();
  options.startFrom = schedule.stage();
  options.stopAfter = last;
  return runStages(options);
}

PipelineOptions Compilation::pipelineOptions() const {
  PipelineOptions options;
  options.strict = settings.isStrict();
  options.portable = settings.passes.strict;
  options.compileOnly = settings.passes.compileOnly;
  options.maxBuffers = settings.passes.maxBuffers;
  options.maxL1 = settings.passes.maxL1;
  options.arch = archName;
  options.dst = settings.passes.dst;
  options.startFrom = settings.passes.startFrom;
  options.stopAfter = settings.lastStep();
  options.inserted = settings.passes.inserted;
  const bool isDry = settings.passes.dryRun;
  if (settings.estimatesTime()) // before a dry run erases the operations
    options.inserted.push_back({"ttl-note-costs", isDry ? std::string("ttl-lower-synchronization")
                                                        : pipelineSteps().back().pass});
  if (isDry)
    options.inserted.push_back({"ttl-skip-arithmetic", "ttl-lower-synchronization"});
  return options;
}

Lowering Compilation::loweringOf(const PipelineOptions &options) const {
  if (settings.runsDirectPath())
    return Lowering::Direct;
  bool stops = !options.stopAfter.empty() &&
               *findStep(options.stopAfter) + 1 < static_cast<int>(pipelineSteps().size());
  return stops ? Lowering::Partial : Lowering::Complete;
}

// Fails if the module is past stage loops, where the direct path to C++ begins. `isLowered`:
// whether no pass runs on it.
LogicalResult Compilation::checkDirectPath(bool isLowered) {
  if (settings.emit.path != EmitPath::Direct || !isLowered)
    return success();
  return findKernel(*result->module)
      ->emitError("--emit-path=direct makes C++ of stage loops, and this program is of stage "
                  "ttkernel: leave --emit-path out, or name the stage of the program with "
                  "--start-from");
}

// Keeps a copy of the module after stage loops for the direct path to C++.
void Compilation::keepForEmission(llvm::StringRef stage) {
  if (stage == "loops" && settings.emit.path == EmitPath::Direct && !settings.runsDirectPath())
    result->loops = result->module->clone();
}

// Runs the pass that notes costs on a module that is lowered already.
LogicalResult Compilation::noteCosts() {
  PassManager manager(result->module->getContext());
  manager.addNestedPass<func::FuncOp>(createTTLNoteCosts());
  return manager.run(*result->module);
}

LogicalResult Compilation::lower() {
  ModuleOp module = *result->module;
  if (observe)
    result->observer = observe(arch);
  FailureOr<std::unique_ptr<Schedule>> schedule = readSchedule();
  bool isLowered = module.getOps<ttl::KernelOp>().empty() && settings.passes.startFrom.empty();
  if (failed(schedule) || failed(checkDirectPath(isLowered)))
    return failure();
  if (isLowered)
    return settings.estimatesTime() ? noteCosts() : success();
  PipelineOptions options = pipelineOptions();
  if (options.startFrom.empty())
    result->numbers->orderReasons = orderDependences(module);
  lowering = loweringOf(options);
  dumpModule("input");
  if (!options.startFrom.empty() && findStep(options.startFrom) == findStep("loops"))
    keepForEmission("loops");
  if (failed(notify({"input", "input"}, Lowering::Partial)))
    return failure();
  return *schedule ? runWith(**schedule, options) : runStages(options);
}

// Fails at the first call of a C++ function: only threads of the last stage are emitted as C++.
static LogicalResult refuseExternalCalls(ModuleOp module) {
  WalkResult result = module.walk([](ttcpp::CallOp call) -> WalkResult {
    return call.emitError("the C++ function '")
           << call.getCallee() << "' can only run after all stages: leave the option --stage out";
  });
  return failure(result.wasInterrupted());
}

LogicalResult Compilation::makePlan(const hw::HostFunctions &functions) {
  if (lowering == Lowering::Partial && failed(refuseExternalCalls(*result->module)))
    return failure();
  if (lowering == Lowering::Partial &&
      failed(makeInterpretable(*result->module, archName, *findStep(settings.lastStep()))))
    return failure();
  Operation *kernel = findKernel(*result->module);
  if (!kernel)
    return result->module->emitError(
        "the module has no kernel: a schedule or an inserted pass erased it");
  if (lowering == Lowering::Complete && !isa<ttl::ProgramOp>(kernel)) {
    const std::string &from = settings.passes.startFrom;
    InFlightDiagnostic error = kernel->emitError("the pipeline made no ttl.program");
    if (!from.empty())
      error << ": this is not the IR after " << from
            << "; --start-from must name the last stage that was run on it";
    return error;
  }
  FailureOr<LaunchPlan> plan = buildLaunchPlan(kernel, arch, lowering);
  if (failed(plan))
    return failure();
  FailureOr<hw::HostFunctions> called = findHostFunctions(*result->module, functions);
  if (failed(called))
    return failure();
  result->plan = std::move(*plan);
  if (failed(applyNumerics(settings, result->plan)))
    return failure();
  if (settings.numerics == hw::NumericMode::Device)
    result->numbers->notes.push_back(describeNumerics(result->plan.program.compute, arch));
  for (interp::ThreadSource &source : result->plan.sources)
    source.statements = settings.debug;
  result->plan.program.hostFunctions = std::move(*called);
  if (settings.dumps("l1"))
    dump("l1", drawL1Map(result->plan.program, arch));
  if (settings.dumps("config"))
    dump("config", configText(result->plan.program.compute, archName));
  result->numbers->gridX = result->plan.program.gridX;
  result->numbers->gridY = result->plan.program.gridY;
  result->numbers->numNodes = result->plan.program.numNodes;
  result->numbers->mesh = result->plan.mesh;
  return success();
}

LogicalResult Compilation::makeCode(EngineSet &engines) {
  LocationTable locations;
  EngineOutput output;
  output.wantsTexts = settings.dumps("llvm") || settings.dumps("asm");
  output.mayBePending =
      !observe && mayStartInterpreted(settings) && isQuicklyInterpreted(result->plan);
  if (failed(engines.compile(result->plan, lowering, locations, *result->numbers, output)))
    return failure();
  result->pending = std::move(output.pending);
  for (const auto &[stage, text] : output.texts)
    if (settings.dumps(stage))
      dump(stage, text);
  for (const SourceRange &range : locations.ranges())
    result->plan.program.locations.push_back(toSourceLocation(range));
  return success();
}

std::shared_ptr<CompiledKernel> Compilation::run(EngineSet &engines, Emitter *emitter,
                                                 const hw::HostFunctions &functions) {
  if (failed(prepare()) || failed(lower()))
    return nullptr;
  // Stage ttkernel, or the engine that takes the direct path, warns of what is slow on a card.
  bool warnsElsewhere = result->loops || settings.runsDirectPath();
  if (emitter && failed(emitter->emit(result->emitted(), warnsElsewhere, result->nameOfEmitted)))
    return nullptr;
  if (failed(makePlan(functions)) || failed(makeCode(engines)))
    return nullptr;
  return result;
}

void Compilation::runForTexts(EngineSet &engines, const hw::HostFunctions &functions) {
  bool needsCode = settings.dumps("llvm") || settings.dumps("asm");
  bool needsPlan = needsCode || settings.dumps("l1") || settings.dumps("config");
  if (succeeded(prepare()) && succeeded(lower()) && needsPlan && succeeded(makePlan(functions)) &&
      needsCode)
    (void)makeCode(engines);
}
