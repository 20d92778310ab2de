//===- TTKernelEnums.td - enums of ttkernel --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_ENUMS_TD
#define TTJIT_IR_TTKERNEL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTKernel_ThreadType : I32Enum<"ThreadType", "kind of a kernel thread", [
    I32EnumCase<"Noc", 0, "noc">, I32EnumCase<"Compute", 1, "compute">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

def TTKernel_ReduceType : I32Enum<"ReduceType", "kind of a reduction", [
    I32EnumCase<"Sum", 0, "reduce_sum">, I32EnumCase<"Max", 1, "reduce_max">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

// The names give the direction of the sum: Row sums along each row, into column 0.
def TTKernel_ReduceDim : I32Enum<"ReduceDim", "dimension of a tile that is reduced", [
    I32EnumCase<"Row", 0, "reduce_dim_row">, I32EnumCase<"Col", 1, "reduce_dim_col">,
    I32EnumCase<"Scalar", 2, "reduce_dim_scalar">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

// The names give the replicated part: column 0, row 0 or element (0, 0).
def TTKernel_BcastType : I32Enum<"BcastType", "part of a tile that a broadcast replicates", [
    I32EnumCase<"None", 0, "none">, I32EnumCase<"Col", 1, "col">, I32EnumCase<"Row", 2, "row">,
    I32EnumCase<"Scalar", 3, "scalar">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

def TTKernel_SignpostKind : I32EnumAttr<"SignpostKind", "what a signpost marks", [
    I32EnumAttrCase<"Point", 0, "point">, I32EnumAttrCase<"Begin", 1, "begin">,
    I32EnumAttrCase<"End", 2, "end">, I32EnumAttrCase<"Cost", 3, "cost">]> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

#endif // TTJIT_IR_TTKERNEL_ENUMS_TD
