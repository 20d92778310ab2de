//===- Passes.td - passes from ttir to ttl ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_TTIR_PASSES_TD
#define TTJIT_PASSES_TTIR_PASSES_TD

include "passes/common/PassBase.td"

def TTIRDecompose : TTLPass<"ttir-decompose"> {
  let summary = "Replace ops of ttir by simpler ones, so that few kinds remain";
  let statistics = [Statistic<"numDecomposed", "decomposed", "Ops that were replaced">];
}

def TTIRToTTL : TTLPass<"ttir-to-ttl"> {
  let summary = "Make kernels of the ops of functions, and turn the functions into launches";
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Most rows of cores that a kernel uses">,
    Option<"columns", "columns", "int64_t", /*default=*/"8",
           "Most columns of cores that a kernel uses">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::mlir::tt::ttl::TTLDialect", "::mlir::tt::ttir::TTIRDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels that were made">,
                    Statistic<"numHost", "host", "Ops that remain functions of the host">];
}

#endif // TTJIT_PASSES_TTIR_PASSES_TD
