//===- ThreadCompilerTest.cpp - the compiler itself ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "JitHarness.h"

#include "hw/calls/Border.h"
#include "jit/CodeGenerator.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::test;

// Returns the message of an error; empty if there is none.
template <typename T> static std::string errorOf(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

TEST(JitEngine, RefusesAnUnknownCpu) {
  jit::ThreadCompilerOptions options;
  options.cpu = "no-such-cpu";
  EXPECT_NE(errorOf(jit::ThreadCompiler::create(options)).find("no-such-cpu"), std::string::npos);
}

TEST(JitEngine, BindsTheKernelApiAndNothingElse) {
  JitHarness harness;
  auto bound = harness.engine().lookupDeviceSymbol("ttl_hw_cb_wait_front");
  ASSERT_TRUE(bool(bound));
  EXPECT_EQ(*bound, reinterpret_cast<uint64_t>(&hw::Guarded<&ttl_hw_cb_wait_front>::call));
  // Both functions are in this process.
  EXPECT_NE(errorOf(harness.engine().lookupDeviceSymbol("malloc")), "");
  EXPECT_NE(errorOf(harness.engine().lookupDeviceSymbol("getpid")), "");
}

TEST(JitEngine, NamesTheOpItDoesNotKnow) {
  JitHarness harness;
  auto threads = harness.parse(threadText("k", "compute", R"(
    %sum = ttl.int_add %i1, %i2
    ttltest.interp_only loc("a.py":3:5)
  )"));
  ASSERT_EQ(threads.size(), 1u);
  std::optional<std::string> reason = harness.engine().whyNot(threads[0]);
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, "the LLVM conversion does not know 'ttltest.interp_only' (a.py:3:5)");
  EXPECT_EQ(errorOf(harness.engine().compile(threads, harness.locations())), "k: " + *reason);
}

TEST(JitEngine, KnowsWhatItKnows) {
  JitHarness harness;
  auto threads = harness.parse(threadText("k", "compute", "%sum = ttl.int_add %i1, %i2"));
  EXPECT_EQ(harness.engine().whyNot(threads.at(0)), std::nullopt);
}

TEST(JitEngine, RefusesNamesThatCodeRefersTo) {
  JitHarness harness;
  for (const char *name : {"memset", "ttl_hw_step", "ttl_jit_check"}) {
    auto threads = harness.parse(threadText(name, "compute", ""));
    std::optional<std::string> reason = harness.engine().whyNot(threads.at(0));
    ASSERT_TRUE(reason) << name;
    EXPECT_NE(reason->find(name), std::string::npos);
  }
}

TEST(JitEngine, RefusesFunctionsWithArguments) {
  JitHarness harness;
  auto threads = harness.parse("func.func @f(%x: i32) { return }\nfunc.func private @g()");
  EXPECT_TRUE(harness.engine().whyNot(threads.at(0)));
  EXPECT_TRUE(harness.engine().whyNot(threads.at(1)));
}

TEST(JitEngine, WordsOfTheConversionBecomeTheError) {
  JitHarness harness;
  auto threads = harness.parse(threadText("k", "compute", R"(ttltest.fault "flood")"));
  std::string error = errorOf(harness.engine().compile(threads, harness.locations()));
  EXPECT_NE(error.find("unknown fault 'flood'"), std::string::npos) << error;
}

TEST(JitEngine, ShowsItsWork) {
  JitHarness harness;
  auto threads = harness.parse(threadText("k__compute", "compute", R"(
    scf.for %k = %c0 to %c1000 step %c1 {
      ttkernel.tile_regs_acquire() : () -> () loc("y"("user.py":12:5 to :30))
      ttkernel.exp_tile(%i0) : (i32) -> () loc("user.py":13:5)
    }
  )"));
  jit::CompileArtifacts artifacts;
  artifacts.wantText = true;
  ASSERT_EQ(errorOf(harness.engine().compile(threads, harness.locations(), &artifacts)), "");
  EXPECT_NE(artifacts.llvmIR.find("call i32 @ttl_jit_tile_exp(ptr"), std::string::npos);
  // The device's functions are inlined, and the code has the user's lines.
  EXPECT_NE(artifacts.optimizedIR.find("define internal"), std::string::npos);
  EXPECT_EQ(artifacts.optimizedIR.find("@ttl_jit_check"), std::string::npos);
  EXPECT_NE(artifacts.optimizedIR.find("!DILocation(line: 12, column: 5"), std::string::npos);
  EXPECT_NE(artifacts.optimizedIR.find("!DILocation(line: 13, column: 5"), std::string::npos);
  EXPECT_NE(artifacts.assembly.find("k__compute:"), std::string::npos);
  std::vector<std::string> names;
  for (const jit::CompileArtifacts::Step &step : artifacts.steps)
    names.push_back(step.name);
  EXPECT_EQ(names, (std::vector<std::string>{"translate", "link", "optimise", "generate", "load"}));
}

TEST(JitEngine, LargeThreadsAreCompiledApart) {
  // Computes sums in two registers, in a loop and in a branch. So the code of the large thread has
  // blocks, phis and calls.
  std::string body = "%c3 = arith.constant 3 : index\n%zero = arith.constant 0.0 : f32\n"
                     "%one = arith.constant 1.0 : f32\n"
                     "ttkernel.tile_regs_acquire() : () -> ()\n"
                     "ttkernel.fill_tile(%i0, %zero) : (i32, f32) -> ()\n"
                     "ttkernel.fill_tile(%i1, %one) : (i32, f32) -> ()\n"
                     "scf.for %k = %c0 to %c3 step %c1 {\n"
                     "%first = arith.cmpi eq, %k, %c0 : index\nscf.if %first {\n";
  auto add = [](int times) {
    std::string text;
    while (times--)
      text += "ttkernel.add_binary_tile(%i0, %i1, %i0) : (i32, i32, i32) -> ()\n";
    return text;
  };
  auto sum = [&](int inBranch, int inLoop) {
    std::string end = R"(}
      ttkernel.tile_regs_commit() : () -> ()
      ttkernel.tile_regs_wait() : () -> ()
      %cb = ttkernel.get_compile_time_arg_val(0) : () -> !f32
      ttkernel.cb_reserve_back(%cb, %i1) : (!f32, i32) -> ()
      ttkernel.pack_tile(%i0, %cb, %i0) : (i32, !f32, i32) -> ()
      ttkernel.cb_push_back(%cb, %i1) : (!f32, i32) -> ()
      ttkernel.tile_regs_release() : () -> ()
      ttkernel.cb_wait_front(%cb, %i1) : (!f32, i32) -> ()
      %sum = ttl.int_add %i0, %i1
      ttkernel.cb_pop_front(%cb, %i1) : (!f32, i32) -> ()
    )";
    JitHarness harness;
    harness.addBuffer(hw::DataFormat::Float32, 1);
    hw::RunResult result = harness.runBody(body + add(inBranch) + "}\n" + add(inLoop) + end);
    EXPECT_FALSE(result.fault) << result.fault->message;
    return result.stats.steps;
  };
  // The loop has three trips: one more addition in the branch is 1 call, in the loop 3 calls.
  uint64_t small = sum(1, 1);
  EXPECT_EQ(sum(801, 1), small + 800);
  EXPECT_EQ(sum(1, 801), small + 3 * 800);
}

TEST(JitEngine, UnlistedSymbolsAreErrorsInWords) {
  JitHarness harness;
  // LLVM computes the remainder of doubles by a call of libm's fmod.
  auto threads = harness.parse(threadText("k", "compute", R"(
    %index = ttkernel.get_common_arg_val(%i0) : (i32) -> i32
    %f = arith.sitofp %index : i32 to f64
    %rest = arith.remf %f, %f : f64
    %small = arith.truncf %rest : f64 to f32
    ttkernel.fill_tile(%i0, %small) : (i32, f32) -> ()
  )"));
  testing::internal::CaptureStderr();
  std::string error = errorOf(harness.engine().compile(threads, harness.locations()));
  EXPECT_NE(error.find("fmod"), std::string::npos) << error;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(JitEngine, TileLoopsAreVectorsOfTheTarget) {
#ifdef __x86_64__
  for (auto [cpu, type] :
       {std::pair{"x86-64-v2", "fadd <4 x float>"}, std::pair{"x86-64-v3", "fadd <8 x float>"}}) {
    jit::ThreadCompilerOptions options;
    options.cpu = cpu;
    JitHarness harness(options);
    auto threads = harness.parse(threadText(
        "k", "compute", "ttkernel.add_binary_tile(%i0, %i1, %i2) : (i32, i32, i32) -> ()"));
    jit::CompileArtifacts artifacts;
    artifacts.wantText = true;
    ASSERT_EQ(errorOf(harness.engine().compile(threads, harness.locations(), &artifacts)), "");
    EXPECT_NE(artifacts.optimizedIR.find(type), std::string::npos) << cpu;
  }
#endif
}

TEST(JitEngine, CodeOutlivesTheEngine) {
  hw::ThreadEntry entry;
  {
    JitHarness harness;
    auto threads = harness.parse(threadText("k", "compute", "%sum = ttl.int_add %i1, %i2"));
    auto entries = harness.engine().compile(threads, harness.locations());
    ASSERT_TRUE(bool(entries));
    entry = entries->at(0);
  }
  hw::Device device(*hw::lookupArch("wormhole_b0"));
  hw::Program program;
  program.threads.push_back({"k", hw::Processor::Compute, entry, {}, {}, {}, {}, {}});
  program.locations.resize(2);
  EXPECT_FALSE(device.run(program, {}).fault);
}

TEST(JitEngine, ManyProgramsComeAndGo) {
  JitHarness harness;
  for (int i = 0; i < 20; ++i) {
    hw::RunResult result = harness.runBody("%sum = ttl.int_add %i1, %i2");
    EXPECT_FALSE(result.fault);
  }
}

// A frame that is larger than the guard of a stack could otherwise reach the memory behind it.
TEST(JitEngine, LargeFramesAreTouchedStepByStep) {
  llvm::Expected<jit::CodeGenerator> generator = jit::CodeGenerator::create("", 1);
  ASSERT_TRUE(bool(generator));
  auto probes = [&](int bytes) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    std::string text = "declare void @use(ptr)\n"
                       "define void @f() {\n"
                       "  %frame = alloca [" +
                       std::to_string(bytes) +
                       " x i8]\n"
                       "  call void @use(ptr %frame)\n"
                       "  ret void\n"
                       "}\n";
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
    generator->setTarget(*module);
    generator->optimize(*module);
    return generator->assembly(*module).find("$32768") != std::string::npos;
  };
#if defined(__x86_64__)
  EXPECT_TRUE(probes(1 << 20));
  EXPECT_FALSE(probes(1 << 14));
#endif
}
