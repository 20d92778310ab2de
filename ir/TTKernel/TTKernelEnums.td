//===- TTKernelEnums.td - enums of ttkernel -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_ENUMS_TD
#define TTJIT_IR_TTKERNEL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTKernel_ThreadType : I32Enum<"ThreadType", "kind of a kernel thread", [
    I32EnumCase<"Noc", 0, "noc">, I32EnumCase<"Compute", 1, "compute">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

#endif // TTJIT_IR_TTKERNEL_ENUMS_TD
