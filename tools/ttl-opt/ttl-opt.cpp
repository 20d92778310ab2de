//===- ttl-opt.cpp - run passes over .mlir files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/RegisterDialects.h"
#include "passes/Pipeline.h"
#include "passes/llvm/ToLLVM.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "passes/schedule/TTLTransformOps.h"
#include "tools/diagnostics/TextGuard.h"

#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

// Does the work of MlirOptMain for a file, but checks the text before it is parsed.
static LogicalResult runOnFile(StringRef input, StringRef output, DialectRegistry &registry,
                               const MlirOptMainConfig &config) {
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &why);
  std::unique_ptr<llvm::ToolOutputFile> result = buffer ? openOutputFile(output, &why) : nullptr;
  if (!result) {
    llvm::errs() << why << "\n";
    return failure();
  }
  StringRef text = buffer->getBuffer();
  std::string refusal =
      ttjit::session::refusalOf(input.str(), std::string_view(text.data(), text.size()));
  if (!refusal.empty()) {
    llvm::errs() << refusal;
    return failure();
  }
  if (failed(MlirOptMain(result->os(), std::move(buffer), registry, config)))
    return failure();
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  ttjit::registerDialects(registry);
  ttjit::registerTransforms(registry);
  registerTransformsPasses();
  transform::registerTransformPasses();
  ttjit::registerTTJitPasses();
  ttjit::registerToLLVMPass();
  ttjit::registerTTKernelToEmitCPass();
  auto [input, output] = registerAndParseCLIOptions(argc, argv, "TTL optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(runOnFile(input, output, registry, config));
}
