//===- PassBase.td - base class of the passes --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_PASSBASE_TD
#define TTJIT_PASSES_COMMON_PASSBASE_TD

include "mlir/Pass/PassBase.td"

class TTLPass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::tt::ttl::TTLDialect", "::mlir::tt::ttkernel::TTKernelDialect"];
}

#endif // TTJIT_PASSES_COMMON_PASSBASE_TD
