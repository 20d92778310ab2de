//===- ttl-opt.cpp - run passes over .mlir files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/CrashGuard.h"
#include "diagnostics/Diagnostics.h"
#include "diagnostics/Render.h"
#include "diagnostics/TextGuard.h"
#include "ir/modules/AllDialects.h"
#include "passes/Pipeline.h"
#include "passes/RunningPass.h"
#include "passes/llvm/ToLLVM.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "passes/metalium/TTLToEmitC.h"
#include "passes/modules/ModulePasses.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"

#include <unistd.h>

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
      ttjit::diagnostics::refusalOf(input.str(), std::string_view(text.data(), text.size()));
  if (!refusal.empty()) {
    llvm::errs() << refusal;
    return failure();
  }
  if (failed(MlirOptMain(result->os(), std::move(buffer), registry, config)))
    return failure();
  result->keep();
  return success();
}

namespace {
constexpr int kCrashed = 3; // the same status as of `ttl-jit run` after a crash of the compiler
constexpr const char *kNoThreads = "--mlir-disable-threading";
} // namespace

// Returns MLIR's name of an option: tt-mlir's ttc has some options of MLIR without their prefix.
static std::string spelledByMLIR(StringRef argument) {
  StringRef name = argument.ltrim('-');
  bool isPrint = name.starts_with("print-ir-") && name.size() < argument.size();
  return isPrint ? ("--mlir-" + name).str() : argument.str();
}

// Makes one thread run all passes, so that a crash in it can be reported. The files are small.
static std::vector<char *> argumentsFor(int argc, char **argv) {
  static std::vector<std::string> texts;
  for (StringRef argument : llvm::ArrayRef(argv, argc))
    texts.push_back(spelledByMLIR(argument));
  std::vector<char *> arguments;
  for (std::string &text : texts)
    arguments.push_back(text.data());
  bool isChosen = llvm::any_of(arguments, [](StringRef argument) {
    return argument.contains(StringRef(kNoThreads).drop_front(2));
  });
  if (!isChosen)
    arguments.insert(arguments.begin() + 1, const_cast<char *>(kNoThreads));
  return arguments;
}

// Makes each pass note that it runs, for the message about a crash.
static MlirOptMainConfig withNotes(const MlirOptMainConfig &parsed) {
  MlirOptMainConfig config = parsed;
  config.setPassPipelineSetupFn([parsed](PassManager &manager) {
    ttjit::noteRunningPasses(manager);
    return parsed.setupPassPipeline(manager);
  });
  return config;
}

static void printCrash(const ttjit::diagnostics::Crash &crash, const std::string &input) {
  const ttjit::RunningPass &pass = ttjit::runningPass();
  std::string message = crashMessage(crash, pass.where());
  ttjit::hw::SourceLocation place{input, 0, 0};
  if (pass.op)
    place = ttjit::diagnostics::toSourceLocation(locationOf(crash, pass.op));
  llvm::errs() << ttjit::diagnostics::renderError(message, place);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::vector<char *> arguments = argumentsFor(argc, argv);
  int count = static_cast<int>(arguments.size());
  DialectRegistry registry = ttjit::allDialects();
  ttjit::registerTransforms(registry);
  registerTransformsPasses();
  transform::registerTransformPasses();
  ttjit::registerTTJitPasses();
  ttjit::registerModulePasses();
  ttjit::registerToLLVMPass();
  ttjit::registerTTKernelToEmitCPass();
  ttjit::registerTTLToEmitCPass();
  auto [input, output] =
      registerAndParseCLIOptions(count, arguments.data(), "TTL optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  LogicalResult result = failure();
  std::optional<ttjit::diagnostics::Crash> crash =
      ttjit::diagnostics::runGuarded([&, input = input, output = output] {
        result = runOnFile(input, output, registry, withNotes(config));
      });
  if (!crash)
    return asMainReturnCode(result);
  printCrash(*crash, input);
  llvm::errs().flush();
  llvm::sys::RunInterruptHandlers(); // removes the unfinished output
  _exit(kCrashed);                   // without destructors, which could use damaged data
}
