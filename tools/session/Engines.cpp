//===- Engines.cpp - chooses the engine of each thread ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Engines.h"

#include "ir/Messages/Warnings.h"
#include "tools/session/InterruptGuard.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

// With a debugger, always chooses the interpreter: only it calls a debugger.
static EngineChoice choiceOf(const Options &options) {
  return options.debug ? EngineChoice::Interp : options.engine;
}

// In device numerics, turns off loops over the tiles of a section: they compute in host numerics.
static JitOptions jitOptionsOf(const Options &options) {
  JitOptions jit = options.jit;
  jit.tileLoops &= options.numerics == hw::NumericMode::Host;
  return jit;
}

EngineSet::EngineSet(const Options &options)
    : choice(choiceOf(options)), jit(jitOptionsOf(options)) {
  createEngines();
}

void EngineSet::createEngines() {
  if (choice == EngineChoice::Emitted) {
    engines.push_back(createEmittedEngine(jit));
    return;
  }
  engines.push_back(createExternalCallEngine(jit));
  if (choice != EngineChoice::Interp)
    engines.push_back(createJitEngine(jit, choice == EngineChoice::Auto));
  engines.push_back(createInterpreterEngine());
}

void EngineSet::replaceEngines() {
  for (std::unique_ptr<Engine> &engine : engines)
    (void)engine.release();
  engines.clear();
  createEngines();
}

bool EngineSet::fits(const Options &options) const {
  return choice == choiceOf(options) && jit == jitOptionsOf(options);
}

void session::reportFallBack(const LaunchPlan &plan, ArrayRef<Refusal> refusals, bool isError) {
  auto name = [&](const Refusal &refusal) { return plan.program.threads[refusal.thread].name; };
  auto location = [&](const Refusal &refusal) { return plan.sources[refusal.thread].op->getLoc(); };
  const Refusal &first = refusals.front();
  InFlightDiagnostic diagnostic = isError ? mlir::emitError(location(first))
                                          : emitWarning(WarningKind::Engine, location(first));
  diagnostic << (isError ? "--engine=jit: the JIT cannot compile thread "
                         : "the interpreter runs a thread that the JIT cannot compile: thread ")
             << name(first) << " of " << plan.program.name << ": " << first.why;
  for (const Refusal &refusal : refusals.drop_front())
    diagnostic.attachNote(location(refusal)) << "thread " << name(refusal) << ": " << refusal.why;
}

// Reports a thread that no engine compiles as an error.
static LogicalResult reportRefusal(const LaunchPlan &plan, const Refusal &refusal) {
  if (refusal.why.empty())
    return failure();
  Operation *op = refusal.op ? refusal.op : plan.sources[refusal.thread].op;
  InFlightDiagnostic diagnostic = op->emitError(refusal.why);
  for (const auto &[location, note] : refusal.notes)
    diagnostic.attachNote(location) << note;
  return diagnostic;
}

LogicalResult EngineSet::compile(LaunchPlan &plan, Lowering lowering, LocationTable &locations,
                                 KernelReport &report, EngineOutput &output) {
  std::vector<hw::ThreadConfig> &threads = plan.program.threads;
  for (const hw::ThreadConfig &thread : threads)
    report.threads.push_back({thread.name, "", thread.processor});
  for (const std::unique_ptr<Engine> &engine : engines) {
    bool isDone = llvm::all_of(threads, [](auto &thread) { return bool(thread.entry); });
    if (isDone || !engine->runs(lowering))
      continue;
    std::vector<Refusal> refusals = engine->compile(plan, locations, output);
    for (auto [thread, reported] : llvm::zip(threads, report.threads))
      if (thread.entry && reported.engine.empty())
        reported.engine = engine->name();
    if (CompileGuard::wasInterrupted())
      return failure(); // interrupted: do not report refusals
    if (refusals.empty())
      continue;
    if (engine == engines.back() || engine->isFinal())
      return reportRefusal(plan, refusals.front());
    bool isError = choice == EngineChoice::Jit;
    reportFallBack(plan, refusals, isError);
    if (isError)
      return failure();
  }
  llvm::append_range(report.compile, output.times);
  return success();
}

LogicalResult session::interpretThreads(LaunchPlan &plan, LocationTable &locations) {
  EngineOutput output;
  std::vector<Refusal> refusals = createInterpreterEngine()->compile(plan, locations, output);
  return refusals.empty() ? success() : reportRefusal(plan, refusals.front());
}
