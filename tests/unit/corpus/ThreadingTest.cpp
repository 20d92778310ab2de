//===- ThreadingTest.cpp - passes on threads run in parallel ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/corpus/Corpus.h"

#include "ir/modules/AllDialects.h"
#include "passes/Pipeline.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ThreadPool.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

// Returns the diagnostics of the pipeline in order, then the IR that the pipeline leaves.
static std::string lower(const CorpusKernel &kernel, MLIRContext &context) {
  std::string output;
  llvm::raw_string_ostream stream(output);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    stream << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  auto module = parseSourceString<ModuleOp>(kernel.text, &context, kernel.path);
  EXPECT_TRUE(module) << kernel.path;
  if (!module)
    return output;
  PipelineOptions options;
  options.dst = kernel.options.passes.dst;
  PassManager manager(&context);
  buildTTLToTTKernelPipeline(manager, options);
  EXPECT_TRUE(succeeded(manager.run(*module))) << kernel.path << "\n" << output;
  module->print(stream);
  return output;
}

TEST(Threading, ParallelPassesGiveTheSameResult) {
  MLIRContext sequential(allDialects(), MLIRContext::Threading::DISABLED);
  MLIRContext parallel(allDialects(), MLIRContext::Threading::DISABLED);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
  parallel.setThreadPool(pool);
  unsigned compared = 0;
  for (const std::filesystem::path &file : corpusFiles()) {
    CorpusKernel kernel = readKernel(file);
    if (!kernel.options.passes.startFrom.empty() || !kernel.options.passes.inserted.empty())
      continue;
    EXPECT_EQ(lower(kernel, sequential), lower(kernel, parallel)) << kernel.path;
    ++compared;
  }
  EXPECT_GE(compared, 50u);
}
