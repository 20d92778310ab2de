//===- PipelineTest.cpp - what a caller of the pipeline may give it -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Before a run, the command line checks the passes to insert. Other callers get an error.
//===--------------------------------------------------------------------------===//

#include "passes/Pipeline.h"

#include "ir/KernelDialects.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ttjit;

namespace {

class InsertedPassTest : public testing::Test {
protected:
  InsertedPassTest() { context.appendDialectRegistry(kernelDialects()); }

  // Runs the pipeline on an empty module with `pass` inserted after stage compute.
  LogicalResult runWith(std::string pass) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &each) { said += each.str(); });
    PipelineOptions options;
    options.inserted.push_back({std::move(pass), "compute"});
    return runPipeline(*module, options, nullptr);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string said;
};

TEST_F(InsertedPassTest, AKnownPassRuns) {
  EXPECT_TRUE(succeeded(runWith("canonicalize")));
  EXPECT_EQ(said, "");
}

TEST_F(InsertedPassTest, AnUnknownPassIsNamed) {
  EXPECT_TRUE(failed(runWith("no-such-pass")));
  EXPECT_NE(said.find("cannot insert a pass: "), std::string::npos) << said;
  EXPECT_NE(said.find("'no-such-pass' does not refer to a registered pass"), std::string::npos)
      << said;
}

} // namespace
