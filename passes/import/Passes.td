//===- Passes.td - passes from other tensor dialects to ttir ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_IMPORT_PASSES_TD
#define TTJIT_PASSES_IMPORT_PASSES_TD

include "passes/common/PassBase.td"

class ImportPass<string name> : TTLPass<name> {
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::tt::ttir::TTIRDialect"];
}

def FlattenModule : ImportPass<"ttir-flatten-module"> {
  let summary = "Move the functions of a module's device part out of it, and inline their calls";
  let statistics = [Statistic<"numInlined", "inlined", "Calls that were inlined">];
}

def TosaToTTIR : ImportPass<"tosa-to-ttir"> {
  let summary = "Replace the ops of tosa by ops of ttir";
  let statistics = [Statistic<"numReplaced", "replaced", "Ops that were replaced">];
}

def TTNNToTTIR : ImportPass<"ttnn-to-ttir"> {
  let summary = "Replace the ops of ttnn by ops of ttir, whose tensors have no layouts";
  let statistics = [Statistic<"numReplaced", "replaced", "Ops that were replaced">];
}

#endif // TTJIT_PASSES_IMPORT_PASSES_TD
