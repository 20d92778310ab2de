//===- JitEngine.cpp - the JIT as an engine -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Engine.h"

#include "tools/session/ThreadCompilerOptions.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

namespace {
class JitEngine : public Engine {
public:
  JitEngine(JitOptions options, bool leavesLargeThreads)
      : options(std::move(options)), leavesLargeThreads(leavesLargeThreads) {}

  std::string name() const override { return "jit"; }
  bool runs(Lowering lowering) const override { return lowering == Lowering::Complete; }
  std::vector<Refusal> compile(LaunchPlan &plan, LocationTable &locations,
                               EngineOutput &output) override;

private:
  llvm::Error create();
  std::vector<Refusal> compile(LaunchPlan &plan, LocationTable &locations, EngineOutput &output,
                               jit::CompileArtifacts &artifacts);
  llvm::Error makeEntries(LaunchPlan &plan, llvm::ArrayRef<size_t> threads,
                          llvm::ArrayRef<func::FuncOp> functions, LocationTable &locations,
                          EngineOutput &output, jit::CompileArtifacts &artifacts);

  bool leaves(Operation *thread) const;

  JitOptions options;
  bool leavesLargeThreads;
  std::unique_ptr<jit::ThreadCompiler> jit; // created for the first kernel that needs it
};
} // namespace

llvm::Error JitEngine::create() {
  if (jit)
    return llvm::Error::success();
  llvm::Expected<std::unique_ptr<jit::ThreadCompiler>> created =
      jit::ThreadCompiler::create(threadCompilerOptions(options));
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  return llvm::Error::success();
}

// Threads with more ops take more than about a second to compile.
static constexpr int64_t kMaxOps = 10000;

// Returns whether to leave the thread to another engine because it is very large. That engine has
// the first result sooner and is not much slower: most of the time goes into tiles.
bool JitEngine::leaves(Operation *thread) const {
  if (!leavesLargeThreads)
    return false;
  int64_t ops = 0;
  return thread->walk([&](Operation *) { return WalkResult(failure(++ops > kMaxOps)); })
      .wasInterrupted();
}

static std::vector<Refusal> refuse(llvm::ArrayRef<size_t> threads, llvm::Error error) {
  std::string why = llvm::toString(std::move(error));
  std::vector<Refusal> refusals;
  for (size_t thread : threads)
    refusals.push_back({thread, why});
  return refusals;
}

// Returns the times of the steps, in milliseconds, with the engine's name.
static std::vector<StageTime> timesOf(const jit::CompileArtifacts &artifacts) {
  std::vector<StageTime> times;
  for (const jit::CompileArtifacts::Step &step : artifacts.steps)
    times.push_back({"jit-" + step.name, step.seconds * 1e3});
  return times;
}

static void setEntries(LaunchPlan &plan, llvm::ArrayRef<size_t> threads,
                       std::vector<hw::ThreadEntry> entries) {
  for (auto [thread, entry] : llvm::zip(threads, entries))
    plan.program.threads[thread].entry = std::move(entry);
}

namespace {
class PendingJitCode : public PendingEntries {
public:
  PendingJitCode(std::vector<size_t> threads, std::unique_ptr<jit::PendingCode> code)
      : threads(std::move(threads)), code(std::move(code)) {}

  bool isReady() const override { return code->isReady(); }

  std::vector<Refusal> use(LaunchPlan &plan, KernelReport &report) override {
    jit::CompileArtifacts artifacts;
    llvm::Expected<std::vector<hw::ThreadEntry>> entries = code->load(artifacts);
    if (!entries)
      return refuse(threads, entries.takeError());
    setEntries(plan, threads, std::move(*entries));
    for (size_t thread : threads)
      report.threads[thread].engine = "jit";
    llvm::append_range(report.compile, timesOf(artifacts));
    return {};
  }

private:
  std::vector<size_t> threads;
  std::unique_ptr<jit::PendingCode> code;
};
} // namespace

// Gives the threads their code, or sets `output.pending` if the code is not ready.
llvm::Error JitEngine::makeEntries(LaunchPlan &plan, llvm::ArrayRef<size_t> threads,
                                   llvm::ArrayRef<func::FuncOp> functions, LocationTable &locations,
                                   EngineOutput &output, jit::CompileArtifacts &artifacts) {
  if (output.mayBePending) {
    llvm::Expected<jit::StartedCode> started = jit->start(functions, locations, artifacts);
    if (!started)
      return started.takeError();
    if (started->pending)
      output.pending = std::make_unique<PendingJitCode>(threads.vec(), std::move(started->pending));
    setEntries(plan, threads, std::move(started->entries));
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<hw::ThreadEntry>> entries =
      jit->compile(functions, locations, &artifacts);
  if (!entries)
    return entries.takeError();
  setEntries(plan, threads, std::move(*entries));
  return llvm::Error::success();
}

std::vector<Refusal> JitEngine::compile(LaunchPlan &plan, LocationTable &locations,
                                        EngineOutput &output, jit::CompileArtifacts &artifacts) {
  std::vector<size_t> threads;
  for (auto [i, thread] : llvm::enumerate(plan.program.threads))
    if (!thread.entry && !leaves(plan.sources[i].op))
      threads.push_back(i);
  if (llvm::Error error = create())
    return refuse(threads, std::move(error));
  std::vector<Refusal> refusals;
  std::vector<func::FuncOp> functions;
  llvm::erase_if(threads, [&](size_t thread) {
    auto function = cast<func::FuncOp>(plan.sources[thread].op);
    std::optional<std::string> why = jit->whyNot(function);
    if (why)
      refusals.push_back({thread, *why});
    else
      functions.push_back(function);
    return why.has_value();
  });
  if (functions.empty())
    return refusals;
  if (llvm::Error error = makeEntries(plan, threads, functions, locations, output, artifacts))
    llvm::append_range(refusals, refuse(threads, std::move(error)));
  return refusals;
}

std::vector<Refusal> JitEngine::compile(LaunchPlan &plan, LocationTable &locations,
                                        EngineOutput &output) {
  Stopwatch watch;
  jit::CompileArtifacts artifacts;
  artifacts.wantText = output.wantsTexts;
  std::vector<Refusal> refusals = compile(plan, locations, output, artifacts);
  double total = watch.lap(), steps = 0;
  for (StageTime &time : timesOf(artifacts)) {
    steps += time.milliseconds;
    output.times.push_back(std::move(time));
  }
  output.times.push_back({"jit-other", std::max(total - steps, 0.0)});
  output.texts.emplace_back("llvm", std::move(artifacts.llvmIR));
  output.texts.emplace_back("asm", std::move(artifacts.assembly));
  return refusals;
}

std::unique_ptr<Engine> session::createJitEngine(JitOptions options, bool leavesLargeThreads) {
  return std::make_unique<JitEngine>(std::move(options), leavesLargeThreads);
}
