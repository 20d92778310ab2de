//===- Engines.cpp - which engine runs which thread ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Engines.h"

#include "interp/Interpreter.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::session;

llvm::Expected<jit::Engine *> EngineSet::getJit() {
  if (!jitEngine) {
    llvm::Expected<std::unique_ptr<jit::Engine>> made = jit::Engine::create({});
    if (!made)
      return made.takeError();
    jitEngine = std::move(*made);
  }
  return jitEngine.get();
}

/// Threads that stay without code, and why.
std::vector<EngineSet::Fallback> EngineSet::compileJit(LaunchPlan &plan, LocationTable &locations,
                                                       jit::CompileArtifacts *artifacts) {
  std::vector<Fallback> fallbacks;
  std::vector<size_t> chosen;
  auto giveUp = [&](llvm::Error error) {
    std::string why = llvm::toString(std::move(error));
    for (size_t thread : chosen)
      fallbacks.push_back({thread, why});
    return fallbacks;
  };
  llvm::Expected<jit::Engine *> engine = getJit();
  std::vector<func::FuncOp> functions;
  for (auto [i, source] : llvm::enumerate(plan.sources)) {
    auto function = cast<func::FuncOp>(source.op);
    std::optional<std::string> why = engine ? (*engine)->whyNot(function) : std::nullopt;
    if (why) {
      fallbacks.push_back({i, *why});
      continue;
    }
    chosen.push_back(i);
    functions.push_back(function);
  }
  if (!engine)
    return giveUp(engine.takeError());
  if (functions.empty())
    return fallbacks;
  llvm::Expected<std::vector<hw::ThreadEntry>> entries =
      (*engine)->compile(functions, locations, artifacts);
  if (!entries)
    return giveUp(entries.takeError());
  for (auto [thread, entry] : llvm::zip(chosen, *entries))
    plan.program.threads[thread].entry = std::move(entry);
  return fallbacks;
}

LogicalResult EngineSet::interpret(LaunchPlan &plan, LocationTable &locations) {
  for (auto [thread, source] : llvm::zip(plan.program.threads, plan.sources)) {
    if (thread.entry)
      continue;
    llvm::Expected<hw::ThreadEntry> entry = interp::compileThread(source, locations);
    if (!entry)
      return source.op->emitError(llvm::toString(entry.takeError()));
    thread.entry = std::move(*entry);
  }
  return success();
}

LogicalResult EngineSet::reportFallbacks(const LaunchPlan &plan,
                                         const std::vector<Fallback> &fallbacks) {
  if (fallbacks.empty())
    return success();
  auto name = [&](const Fallback &fallback) { return plan.program.threads[fallback.thread].name; };
  auto location = [&](const Fallback &fallback) {
    return plan.sources[fallback.thread].op->getLoc();
  };
  bool isError = choice == EngineChoice::Jit;
  InFlightDiagnostic diagnostic = isError ? mlir::emitError(location(fallbacks.front()))
                                          : mlir::emitWarning(location(fallbacks.front()));
  diagnostic << (isError ? "--engine=jit: the JIT cannot compile thread "
                         : "the interpreter runs what the JIT cannot compile: thread ")
             << name(fallbacks.front()) << " of " << plan.program.name << ": "
             << fallbacks.front().why;
  for (const Fallback &fallback : llvm::drop_begin(fallbacks))
    diagnostic.attachNote(location(fallback))
        << "thread " << name(fallback) << ": " << fallback.why;
  return failure(isError);
}

LogicalResult EngineSet::compile(LaunchPlan &plan, Lowering lowering, LocationTable &locations,
                                 KernelReport &report, jit::CompileArtifacts &artifacts) {
  Stopwatch watch;
  if (choice != EngineChoice::Interp && lowering == Lowering::Complete) {
    std::vector<Fallback> fallbacks = compileJit(plan, locations, &artifacts);
    double total = watch.lap(), steps = 0;
    for (const jit::CompileArtifacts::Step &step : artifacts.steps) {
      report.compile.push_back({"jit-" + step.name, step.seconds * 1e3});
      steps += step.seconds * 1e3;
    }
    report.compile.push_back({"jit-other", std::max(total - steps, 0.0)});
    if (failed(reportFallbacks(plan, fallbacks)))
      return failure();
  }
  for (const hw::ThreadConfig &thread : plan.program.threads)
    report.threads.push_back({thread.name, thread.entry ? "jit" : "interp"});
  watch.lap();
  LogicalResult result = interpret(plan, locations);
  if (llvm::any_of(report.threads, [](auto &thread) { return thread.engine == "interp"; }))
    report.compile.push_back({"interp", watch.lap()});
  return result;
}
