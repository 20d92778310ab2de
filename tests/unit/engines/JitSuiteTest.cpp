//===- JitSuiteTest.cpp - the JIT joins the suite of all engines -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/Engine.h"

#include "tests/unit/engines/EngineSuite.h"

using namespace ttjit;
using namespace ttjit::test;

static Engine jitWith(const std::string &name, int optLevel, const std::string &cpu) {
  jit::EngineOptions options;
  options.optLevel = optLevel;
  options.cpu = cpu;
  return {name,
          [options](llvm::ArrayRef<mlir::func::FuncOp> threads,
                    LocationTable &locations) -> llvm::Expected<std::vector<hw::ThreadEntry>> {
            auto engine = jit::Engine::create(options);
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

INSTANTIATE_TEST_SUITE_P(Jit, EngineTest,
                         testing::Values(jitWith("level 0", 0, ""), jitWith("level 1", 1, ""),
                                         jitWith("level 2, baseline CPU", 2, kBaseline)));
