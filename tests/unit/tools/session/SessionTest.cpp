//===- SessionTest.cpp - compile, launch, report ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Session.h"

#include "tools/options/OptionTable.h"
#include "tools/session/Compilation.h"

#include "ir/KernelDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::options;
using namespace ttjit::plan;
using namespace ttjit::session;

namespace {
class SessionTest : public testing::Test {
protected:
  SessionTest() { context.appendDialectRegistry(kernelDialects()); }

  static Options make(std::initializer_list<std::pair<const char *, const char *>> settings) {
    Options options;
    for (auto [name, value] : settings)
      EXPECT_EQ(setOption(options, name, value), std::nullopt);
    return options;
  }

  CompileResult compile(Session &session, const char *text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    return session.compile(std::move(module));
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string dumped;
  TextSink sink = [this](std::string_view text) { dumped += text; };
};
} // namespace

static const char *const kKernel = R"(
  ttl.kernel @k() attributes {grid = #ttcore.grid<2x1>} {
    ttl.datamovement_thread "mover" { ttl.dma_barrier }
  })";

TEST_F(SessionTest, AKernelHasOptionsOfItsOwn) {
  Session session(make({{"engine", "interp"}}), sink);
  auto compileWith = [&](const KernelOptions &options) {
    SettingsResult result = session.settings(options);
    EXPECT_TRUE(result.settings) << result.mistake;
    return session.compile(mlir::parseSourceString<mlir::ModuleOp>(kKernel, &context),
                           result.settings.get());
  };
  CompileResult result = compileWith({{"dump", "ttkernel"}});
  ASSERT_TRUE(result.program);
  EXPECT_NE(dumped.find("// ----- ttkernel: k"), std::string::npos);
  EXPECT_NE(result.program->ir().find("ttl.program @k"), std::string::npos);
  dumped.clear();
  ASSERT_TRUE(compileWith({}).program);
  EXPECT_EQ(dumped, "");
  ASSERT_TRUE(compileWith({{"engine", "jit"}, {"dump", "asm"}}).program);
  EXPECT_EQ(dumped.find("// ----- asm: k\n"), 0u);
}

TEST_F(SessionTest, WrongOptionsOfAKernelAreNamed) {
  Session session(make({}), sink);
  auto mistake = [&](const KernelOptions &options) { return session.settings(options).mistake; };
  EXPECT_EQ(mistake({{"record", "f"}}), "--record is an option of the whole process: give it to "
                                        "ttl-jit, or set TTL_RECORD");
  EXPECT_EQ(mistake({{"seed", "x"}}).find("--seed: "), 0u);
  EXPECT_EQ(mistake({{"engine", "jit"}, {"stage", "buffers"}}).find("--engine=jit runs stage"), 0u);
  EXPECT_EQ(mistake({{"engine", "jit"}, {"stage", "buffers"}, {"engine", "interp"}}), "");
}

TEST_F(SessionTest, ReportsCompilationOnceAndEveryLaunch) {
  Session session(make({{"engine", "interp"}}), sink);
  CompileResult result = compile(session, kKernel);
  ASSERT_TRUE(result.program);
  EXPECT_TRUE(result.diagnostics.empty());
  hw::Device device(session.options().arch);
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(session.launch(*result.program, device, {}).fault);

  std::vector<KernelReport> reports = session.takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].name, "k");
  EXPECT_EQ(reports[0].numNodes, 2);
  EXPECT_EQ(reports[0].launches, 2u);
  ASSERT_EQ(reports[0].threads.size(), 1u);
  EXPECT_EQ(reports[0].threads[0].name, "mover");
  EXPECT_EQ(reports[0].threads[0].engine, "interp");
  EXPECT_EQ(reports[0].compile.front().stage, "ttl");

  EXPECT_TRUE(session.takeReports().empty());
  EXPECT_FALSE(session.launch(*result.program, device, {}).fault);
  reports = session.takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].launches, 1u);
  EXPECT_TRUE(reports[0].compile.empty());
}

TEST_F(SessionTest, WrongNumberOfTensorsIsAFault) {
  Session session(make({{"engine", "interp"}}), sink);
  CompileResult result = compile(session, kKernel);
  ASSERT_TRUE(result.program);
  hw::Device device(session.options().arch);
  hw::RunResult run = session.launch(*result.program, device, {hw::TensorAllocation()});
  ASSERT_TRUE(run.fault);
  EXPECT_EQ(run.fault->message, "kernel k takes 0 tensors, found 1");
}

TEST_F(SessionTest, AModuleHoldsOneKernel) {
  Session session(make({}), sink);
  EXPECT_FALSE(compile(session, "module {}").program);
  CompileResult result = compile(session, R"(
    ttl.kernel @a() attributes {grid = #ttcore.grid<1x1>} { ttl.compute_thread "c" {} }
    ttl.kernel @b() attributes {grid = #ttcore.grid<1x1>} { ttl.compute_thread "c" {} })");
  EXPECT_FALSE(result.program);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].location.line, 3);
}

TEST_F(SessionTest, DumpsGoToTheSinkWithStageAndKernel) {
  Session session(make({{"engine", "jit"}, {"dump", "threads,asm"}}), sink);
  ASSERT_TRUE(compile(session, kKernel).program);
  EXPECT_EQ(dumped.find("// ----- threads: k\n"), 0u);
  EXPECT_NE(dumped.find("func.func @k__mover"), std::string::npos);
  EXPECT_NE(dumped.find("// ----- asm: k\n"), std::string::npos);
  EXPECT_EQ(dumped.find("// ----- ttl: "), std::string::npos);
}

static std::shared_ptr<const KernelSettings> settingsOf(const Options &options) {
  return Session(options, [](std::string_view) {}).settings().settings;
}
static std::string keyOf(const Options &options) { return settingsOf(options)->key(); }

TEST_F(SessionTest, KeyDependsOnWhatChangesThePrograms) {
  std::string key = keyOf(make({}));
  for (auto [name, value] :
       std::initializer_list<std::pair<const char *, const char *>>{{"engine", "jit"},
                                                                    {"arch", "blackhole"},
                                                                    {"arch", "wormhole_b0@9x9"},
                                                                    {"grid", "2,2"},
                                                                    {"strict", "1"},
                                                                    {"dst", "schedule"},
                                                                    {"dst", "lazy-loads"},
                                                                    {"dst", "expire-at-use"},
                                                                    {"dst", "fpu"},
                                                                    {"dst", "pack-blocks"},
                                                                    {"stage", "buffers"},
                                                                    {"emit", "out"}})
    EXPECT_NE(keyOf(make({{name, value}})), key) << name;
  EXPECT_EQ(keyOf(make({{"seed", "5"}, {"stats", "1"}})), key);
  Options scheduled;
  scheduled.passes.schedulePath = "s.mlir";
  scheduled.passes.scheduleText = "module {}";
  std::string first = keyOf(scheduled);
  EXPECT_NE(first, key);
  scheduled.passes.scheduleText = "module { }";
  EXPECT_NE(keyOf(scheduled), first);
}

TEST_F(SessionTest, EmittingIsStrict) {
  EXPECT_FALSE(settingsOf(make({}))->strict());
  EXPECT_TRUE(settingsOf(make({{"emit", "out"}}))->strict());
  EXPECT_EQ(settingsOf(make({{"grid", "3,2"}}))->autoGrid(), std::pair(3, 2));
  EXPECT_EQ(settingsOf(make({{"arch", "blackhole"}}))->autoGrid(), std::pair(13, 10));
}

namespace {
// An observer that writes down each of its calls.
class RecordingObserver : public KernelObserver {
public:
  explicit RecordingObserver(std::vector<std::string> &calls) : calls(calls) {}

  mlir::LogicalResult afterPass(const PipelineStep &step, mlir::ModuleOp module,
                                Lowering lowering) override {
    calls.push_back(step.pass + (lowering == Lowering::Complete ? " complete" : ""));
    return mlir::success(step.pass != failAt);
  }
  std::optional<hw::RunResult> beforeRun(const LaunchContext &) override {
    calls.push_back("before run");
    return std::nullopt;
  }
  void afterRun(const LaunchContext &, const LaunchPlan &plan, hw::RunResult &) override {
    calls.push_back("after run of " + plan.program.name);
  }

  std::string failAt;

private:
  std::vector<std::string> &calls;
};
} // namespace

TEST_F(SessionTest, AnObserverSeesEveryPassAndLaunch) {
  std::vector<std::string> calls;
  Session session(make({{"engine", "interp"}}), sink, [&](const hw::ArchDesc &arch) {
    EXPECT_EQ(arch.name, "wormhole_b0");
    return std::make_unique<RecordingObserver>(calls);
  });
  CompileResult result = compile(session, kKernel);
  ASSERT_TRUE(result.program);
  ASSERT_EQ(calls.size(), pipelineSteps().size() + 1);
  EXPECT_EQ(calls.front(), "input");
  EXPECT_EQ(calls[1], pipelineSteps().front().pass);
  EXPECT_EQ(calls.back(), pipelineSteps().back().pass + " complete");
  calls.clear();
  hw::Device device(session.options().arch);
  EXPECT_FALSE(session.launch(*result.program, device, {}).fault);
  EXPECT_EQ(calls, (std::vector<std::string>{"before run", "after run of k"}));
}

TEST_F(SessionTest, AnObserverCanFailTheCompilation) {
  std::vector<std::string> calls;
  Session session(make({{"engine", "interp"}}), sink, [&](const hw::ArchDesc &) {
    auto observer = std::make_unique<RecordingObserver>(calls);
    observer->failAt = pipelineSteps().front().pass;
    return observer;
  });
  EXPECT_FALSE(compile(session, kKernel).program);
  EXPECT_EQ(calls.size(), 2u) << "nothing is reported after the failure";
}

namespace {
// Code whose generation fails after the compilation has ended.
class FailingCode : public PendingEntries {
public:
  bool isReady() const override { return true; }
  std::vector<Refusal> use(LaunchPlan &, KernelReport &) override { return {{0, "out of luck"}}; }
};
} // namespace

TEST_F(SessionTest, CodeThatFailsAfterTheCompilationIsAWarning) {
  Session session(make({{"engine", "interp"}}), sink);
  CompileResult result = compile(session, kKernel);
  ASSERT_TRUE(result.program);
  static_cast<CompiledKernel &>(*result.program).pending = std::make_unique<FailingCode>();
  hw::Device device(session.options().arch);
  EXPECT_FALSE(session.launch(*result.program, device, {}).fault);
  std::vector<CompileDiagnostic> warnings = result.program->takeWarnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].severity, CompileDiagnostic::Severity::Warning);
  EXPECT_EQ(warnings[0].kind, WarningKind::Engine);
  EXPECT_EQ(warnings[0].message,
            "the interpreter runs a thread that the JIT cannot compile: thread "
            "mover of k: out of luck");
  EXPECT_TRUE(result.program->takeWarnings().empty());
}
