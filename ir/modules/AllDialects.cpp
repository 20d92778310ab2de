//===- AllDialects.cpp - every dialect a module may use -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/modules/AllDialects.h"

#include "ir/KernelDialects.h"
#include "ir/modules/D2M/D2M.h"
#include "ir/modules/Linalg/Linalg.h"
#include "ir/modules/TTIR/TTIR.h"
#include "ir/modules/TTNN/TTNN.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

mlir::DialectRegistry ttjit::allDialects() {
  mlir::DialectRegistry registry = kernelDialects();
  registry.insert<mlir::tt::ttir::TTIRDialect, mlir::tt::ttnn::TTNNDialect,
                  mlir::tt::linalg::LinalgDialect, mlir::tt::d2m::D2MDialect,
                  mlir::tosa::TosaDialect>();
  return registry;
}
