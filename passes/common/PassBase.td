//===- PassBase.td - base class of the passes ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_PASSBASE_TD
#define TTJIT_PASSES_COMMON_PASSBASE_TD

include "mlir/Pass/PassBase.td"

class TTLPassOn<string name, string op> : Pass<name, op> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::tt::ttl::TTLDialect", "::mlir::tt::ttkernel::TTKernelDialect"];
}

class TTLPass<string name> : TTLPassOn<name, "::mlir::ModuleOp">;

// A pass on one thread after ttl-expand-threads. The pass manager may run it on several
// threads in parallel. It changes its own function only. It may read the thread's
// ttl.program, which no pass on functions changes (bindingOf in passes/common/Threads.h).
class TTLThreadPass<string name> : TTLPassOn<name, "::mlir::func::FuncOp">;

#endif // TTJIT_PASSES_COMMON_PASSBASE_TD
