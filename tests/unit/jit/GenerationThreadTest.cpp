//===- GenerationThreadTest.cpp - generations when the process ends -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/GenerationThread.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

using namespace ttjit;
using namespace ttjit::jit;

// Returns a generation of a function that does nothing, for the plainest processor.
static std::shared_ptr<Generation> newGeneration() {
  auto generator =
      std::make_shared<CodeGenerator>(llvm::cantFail(CodeGenerator::create("x86-64-v2", 0)));
  auto generation = std::make_shared<Generation>(generator, /*optLevel=*/0, /*wantText=*/false);
  llvm::SMDiagnostic error;
  generation->module =
      llvm::parseAssemblyString("define void @f() { ret void }", error, *generation->context);
  generator->setTarget(*generation->module);
  return generation;
}

// Begins two generations after close(), as on a host that is too busy to run their threads earlier.
// Ends the process; its exit status is the number of generations that were stored.
[[noreturn]] static void generateAfterClose() {
  std::atomic<int> stored = 0;
  auto store = [&](const Generation &) { ++stored; };
  GenerationThread::close();
  GenerationThread first(newGeneration(), store), second(newGeneration(), store);
  std::string errors = toString(first.wait({})) + toString(second.wait({}));
  std::_Exit(errors == "the process ends" ? stored.load() : 9);
}

TEST(GenerationThreadDeathTest, AClosedProcessBeginsOnlyItsFirstGeneration) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(generateAfterClose(), testing::ExitedWithCode(1), "");
}
