//===- JitSuiteTest.cpp - the JIT joins the suite of all engines --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/ThreadCompiler.h"

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;

static Engine jitWith(const std::string &name, jit::ThreadCompilerOptions options) {
  return {name,
          [options](llvm::ArrayRef<mlir::func::FuncOp> threads,
                    LocationTable &locations) -> llvm::Expected<std::vector<hw::ThreadEntry>> {
            auto engine = jit::ThreadCompiler::create(options);
            if (!engine)
              return engine.takeError();
            return (*engine)->compile(threads, locations);
          }};
}

#ifdef __x86_64__
static constexpr const char *kBaseline = "x86-64-v2";
#else
static constexpr const char *kBaseline = "";
#endif

static jit::ThreadCompilerOptions options(const char *cpu, int optLevel, bool tileLoops) {
  jit::ThreadCompilerOptions options;
  options.cpu = cpu;
  options.optLevel = optLevel;
  options.tileLoops = options.blockTransfers = tileLoops;
  return options;
}

INSTANTIATE_TEST_SUITE_P(Jit, EngineTest,
                         testing::Values(jitWith("level 0", options("", 0, true)),
                                         jitWith("level 1", options("", 1, true)),
                                         jitWith("level 1, calls", options("", 1, false)),
                                         jitWith("level 2, baseline CPU",
                                                 options(kBaseline, 2, true))));
