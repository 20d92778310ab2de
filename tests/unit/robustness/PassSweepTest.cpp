//===- PassSweepTest.cpp - every pass, alone, on every module of the tests ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The modules are those of the tests and those that each stage makes of the corpus. A pass that
// gets IR of another stage must leave it alone or refuse it with an error at a line of the
// source.
//===--------------------------------------------------------------------------===//

#include "Isolated.h"
#include "Sources.h"

#include "passes/Pipeline.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

namespace {

struct Module {
  std::string name;
  OwningOpRef<ModuleOp> module;
};

std::vector<Module> parseAll(MLIRContext &context) {
  Errors errors(context);
  std::vector<Module> modules;
  std::vector<Source> sources = testSources();
  llvm::append_range(sources, stageSources());
  for (const Source &source : sources)
    if (auto module = parseSourceString<ModuleOp>(source.text, &context, source.name))
      modules.push_back({source.name, std::move(module)});
  return modules;
}

TEST(PassSweep, NoPassDiesOnAModuleOfAnotherStage) {
  std::unique_ptr<MLIRContext> context = makeContext();
  std::vector<Module> modules = parseAll(*context);
  std::vector<std::string> passes = passNames();
  ASSERT_GT(modules.size(), 200u);
  ASSERT_GT(passes.size(), 25u);
  auto run = [&](size_t item) {
    return runPipelineOn(*modules[item / passes.size()].module, passes[item % passes.size()]);
  };
  for (const ItemFailure &failure : runIsolated(modules.size() * passes.size(), run, 30))
    ADD_FAILURE() << passes[failure.item % passes.size()] << " on "
                  << modules[failure.item / passes.size()].name << ": " << failure.reason;
}

// Tests --start-from with a file of another stage.
TEST(PassSweep, ThePipelineStartsAnywhere) {
  std::unique_ptr<MLIRContext> context = makeContext();
  std::vector<Module> modules = parseAll(*context);
  ArrayRef<StringRef> stages = pipelineStages();
  auto run = [&](size_t item) {
    PipelineOptions options;
    options.startFrom = stages[item % stages.size()].str();
    OwningOpRef<ModuleOp> module = modules[item / stages.size()].module->clone();
    Errors errors(*context);
    (void)runPipeline(*module, options, nullptr);
    return errors.withoutPosition;
  };
  for (const ItemFailure &failure : runIsolated(modules.size() * stages.size(), run, 30))
    ADD_FAILURE() << "from " << stages[failure.item % stages.size()].str() << " on "
                  << modules[failure.item / stages.size()].name << ": " << failure.reason;
}

} // namespace
