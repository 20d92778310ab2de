//===- ttl-translate.cpp - converts modules from and to other languages -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "diagnostics/TextGuard.h"
#include "ir/KernelDialects.h"
#include "passes/metalium/EmitCpp.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

using Generation = ttjit::hw::MetaliumGeneration;
static llvm::cl::opt<Generation>
    generation("metalium", llvm::cl::desc("generation of tt-metal's API"),
               llvm::cl::values(clEnumValN(Generation::Old, "old", "until late 2025"),
                                clEnumValN(Generation::Mid, "mid", "late 2025 and early 2026"),
                                clEnumValN(Generation::New, "new", "from mid 2026 on")),
               llvm::cl::init(Generation::Mid));

// Prints the files one after the other, each after a line "//--- name". LLVM's split-file can split
// the text into these files again.
static LogicalResult toCpp(ModuleOp module, llvm::raw_ostream &output) {
  ttjit::EmitOptions options;
  options.sourceLine = ttjit::readSourceLines();
  options.version.generation = generation;
  auto files = ttjit::emitMetaliumCpp(module, options);
  if (failed(files))
    return failure();
  for (const ttjit::EmittedFile &file : files->files)
    output << "//--- " << file.name << "\n" << file.text;
  return success();
}

static LogicalResult translate(const std::shared_ptr<llvm::SourceMgr> &sources,
                               llvm::raw_ostream &output, MLIRContext *context) {
  const llvm::MemoryBuffer *buffer = sources->getMemoryBuffer(sources->getMainFileID());
  StringRef text = buffer->getBuffer();
  std::string refusal = ttjit::diagnostics::refusalOf(buffer->getBufferIdentifier().str(),
                                                      std::string_view(text.data(), text.size()));
  if (!refusal.empty()) {
    llvm::errs() << refusal;
    return failure();
  }
  context->appendDialectRegistry(ttjit::kernelDialects());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, context);
  return module ? toCpp(*module, output) : failure();
}

int main(int argc, char **argv) {
  auto function = [](const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &output,
                     MLIRContext *context) { return translate(sources, output, context); };
  TranslateRegistration fromTTKernel(
      "ttkernel-to-cpp", "Translate thread functions of stage ttkernel to TT-Metalium C++",
      function);
  TranslateRegistration fromTTL(
      "ttl-to-cpp", "Translate thread functions of stage loops to TT-Metalium C++", function);
  return failed(mlirTranslateMain(argc, argv, "TTL translation driver"));
}
