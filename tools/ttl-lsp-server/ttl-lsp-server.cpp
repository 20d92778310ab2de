//===- ttl-lsp-server.cpp - language server for .mlir files --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/RegisterDialects.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ttjit::registerDialects(registry);
  ttjit::registerTransforms(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
