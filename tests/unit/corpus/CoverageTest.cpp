//===- CoverageTest.cpp - the corpus uses every op ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/corpus/Corpus.h"

#include "ir/modules/AllDialects.h"
#include "passes/Pipeline.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

static void collect(ModuleOp module, std::set<std::string> &names) {
  module.walk([&](Operation *op) { names.insert(op->getName().getStringRef().str()); });
}

// Adds the names of the ops that the kernel has as it is written and after every pass.
static void collectAll(const CorpusKernel &kernel, MLIRContext &context,
                       std::set<std::string> &names) {
  auto module = parseSourceString<ModuleOp>(kernel.text, &context, kernel.path);
  ASSERT_TRUE(module) << kernel.path;
  collect(*module, names);
  PipelineOptions options;
  options.startFrom = kernel.options.passes.startFrom;
  options.inserted = kernel.options.passes.inserted;
  options.dst = kernel.options.passes.dst;
  auto collectAfter = [&](const PipelineStep &, bool, ModuleOp after) {
    collect(after, names);
    return success();
  };
  (void)runPipeline(*module, options, collectAfter);
}

// Returns whether the op is one of functions of distributed tensors, which have tests of their own:
// tests/python/mesh/test_dist_modules.py. The corpus has kernels.
static bool isOfModules(StringRef name) {
  static constexpr StringRef names[] = {"ttl.collective", "ttl.extract_shard", "ttl.from_shards",
                                        "ttl.redistribute"};
  return llvm::is_contained(names, name);
}

TEST(Coverage, TheCorpusUsesEveryOp) {
  MLIRContext context(allDialects(), MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  std::set<std::string> used;
  std::vector<std::filesystem::path> files = corpusFiles();
  EXPECT_GE(files.size(), 60u);
  for (const std::filesystem::path &file : files)
    collectAll(readKernel(file), context, used);
  context.loadAllAvailableDialects();
  std::string missing;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    StringRef dialect = op.getDialectNamespace();
    if (dialect != "ttl" && dialect != "ttkernel")
      continue;
    std::string name = op.getStringRef().str();
    if (!used.contains(name) && !isOfModules(name))
      missing += "  " + name + "\n";
  }
  EXPECT_EQ(missing, "") << "no kernel in tests/corpus uses these ops: add one (one file)";
}
