//===- Sources.cpp - the modules of the tests and the names of the passes -----===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "Sources.h"

#include "ir/Locations/Locations.h"
#include "ir/modules/AllDialects.h"
#include "passes/Pipeline.h"
#include "passes/llvm/ToLLVM.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "passes/metalium/TTLToEmitC.h"
#include "passes/modules/ModulePasses.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

static std::string readFile(const std::filesystem::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

static std::vector<std::filesystem::path> filesBelow(const char *folder, StringRef extension) {
  std::vector<std::filesystem::path> files;
  std::filesystem::path root(TTJIT_ROOT);
  for (auto &entry : std::filesystem::recursive_directory_iterator(root / folder))
    if (entry.path().extension() == extension.str())
      files.push_back(entry.path());
  llvm::sort(files);
  return files;
}

std::vector<Source> test::testSources() {
  std::vector<Source> sources;
  for (const std::filesystem::path &file : filesBelow("tests", ".mlir")) {
    std::string name = std::filesystem::relative(file, TTJIT_ROOT).string(), text = readFile(file);
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, "// -----");
    for (auto [i, part] : llvm::enumerate(parts))
      sources.push_back(
          {parts.size() == 1 ? name : name + " part " + std::to_string(i + 1), part.str()});
  }
  return sources;
}

std::vector<Source> test::stageSources() {
  std::unique_ptr<MLIRContext> context = makeContext();
  Errors errors(*context);
  std::vector<Source> sources;
  for (const std::filesystem::path &file : filesBelow("tests/corpus", ".mlir")) {
    auto module = parseSourceString<ModuleOp>(readFile(file), context.get(), file.string());
    auto print = [&](const PipelineStep &step, bool endsStage, ModuleOp result) {
      if (!endsStage)
        return success();
      Source source{file.filename().string() + " after " + step.stage, ""};
      llvm::raw_string_ostream stream(source.text);
      result.print(stream);
      sources.push_back(std::move(source));
      return success();
    };
    if (module)
      (void)runPipeline(*module, {}, print);
  }
  return sources;
}

std::vector<std::string> test::passNames() {
  std::vector<std::string> names = {"ttkernel-to-llvm", "ttkernel-to-emitc", "canonicalize", "cse"};
  std::regex declaration("TTL(?:Thread)?Pass<\"([^\"]+)\"");
  for (const std::filesystem::path &file : filesBelow("passes", ".td")) {
    std::string text = readFile(file);
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it)
      names.push_back((*it)[1]);
  }
  return names;
}

std::unique_ptr<MLIRContext> test::makeContext() {
  static const bool registered = [] {
    registerNamedPasses();
    registerModulePasses();
    registerToLLVMPass();
    registerTTKernelToEmitCPass();
    registerTTLToEmitCPass();
    return true;
  }();
  (void)registered;
  DialectRegistry registry = allDialects();
  registerTransforms(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

Errors::Errors(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        ++count;
        if (withoutPosition.empty() && getSourceRange(diagnostic.getLocation()).line == 0)
          withoutPosition = "error without a position: " + diagnostic.str();
        return success();
      }) {}

std::string test::runPipelineOn(ModuleOp module, StringRef pipeline) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Errors errors(*module.getContext());
  PassManager manager(module.getContext());
  std::string why;
  if (failed(parsePasses(pipeline, manager, why)))
    return "unknown pipeline: " + why;
  manager.enableVerifier(true);
  LogicalResult result = manager.run(*copy);
  if (!errors.withoutPosition.empty())
    return errors.withoutPosition;
  if (failed(result) && errors.count == 0)
    return "failed without an error";
  return "";
}
