//===- ttl-opt.cpp - run passes over .mlir files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/RegisterDialects.h"
#include "passes/Pipeline.h"
#include "passes/llvm/ToLLVM.h"
#include "passes/metalium/TTKernelToEmitC.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ttjit::registerDialects(registry);
  ttjit::registerTransforms(registry);
  mlir::registerTransformsPasses();
  mlir::transform::registerTransformPasses();
  ttjit::registerTTJitPasses();
  ttjit::registerToLLVMPass();
  ttjit::registerTTKernelToEmitCPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "TTL optimizer driver\n", registry));
}
