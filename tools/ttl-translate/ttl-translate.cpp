//===- ttl-translate.cpp - modules to and from other languages -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/RegisterDialects.h"
#include "passes/metalium/EmitCpp.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

#include "llvm/Support/CommandLine.h"

// The files one after the other, each under a line "//--- name", which is what
// LLVM's split-file takes apart again.
static mlir::LogicalResult toCpp(mlir::ModuleOp module, llvm::raw_ostream &output) {
  ttjit::EmitOptions options;
  options.sourceLine = ttjit::readSourceLines();
  auto files = ttjit::emitMetaliumCpp(module, options);
  if (failed(files))
    return mlir::failure();
  for (const ttjit::EmittedFile &file : *files)
    output << "//--- " << file.name << "\n" << file.text;
  return mlir::success();
}

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration registration(
      "ttkernel-to-cpp", "Thread functions of stage ttkernel to TT-Metalium C++",
      [](mlir::Operation *op, llvm::raw_ostream &output) -> mlir::LogicalResult {
        auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
        return module ? toCpp(module, output) : op->emitError("expected a module");
      },
      [](mlir::DialectRegistry &registry) { ttjit::registerDialects(registry); });
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "TTL translation driver"));
}
