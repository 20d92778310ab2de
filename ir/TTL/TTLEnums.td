//===- TTLEnums.td - enums of ttl ------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_ENUMS_TD
#define TTJIT_IR_TTL_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTL_Processor : I32Enum<"Processor", "processor of a node that runs a thread", [
    I32EnumCase<"RISCV_1", 0, "riscv_1">, I32EnumCase<"RISCV_0", 1, "riscv_0">,
    I32EnumCase<"Compute", 2, "compute">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_MicrocoreKind : I32Enum<"MicrocoreKind", "what a small processor of a node does", [
    I32EnumCase<"DataMovement", 0, "data_movement">, I32EnumCase<"Compute", 1, "compute">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_FPUBinary : I32Enum<"FPUBinary", "element-wise operation of the matrix engine", [
    I32EnumCase<"Add", 0, "add">, I32EnumCase<"Sub", 1, "sub">, I32EnumCase<"Mul", 2, "mul">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_TransferDirection : I32EnumAttr<"TransferDirection", "direction of transfers", [
    I32EnumAttrCase<"Reads", 0, "reads">, I32EnumAttrCase<"Writes", 1, "writes">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_BarrierType : I32Enum<"BarrierType", "kind of event that an operation waits for", [
    I32EnumCase<"DMARead", 0, "dma_read">, I32EnumCase<"DMAWrite", 1, "dma_write">,
    I32EnumCase<"CB", 2, "cb">, I32EnumCase<"Semaphore", 3, "semaphore">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_ReduceType : I32Enum<"ReduceType", "kind of a reduction", [
    I32EnumCase<"Sum", 0, "sum">, I32EnumCase<"Max", 1, "max">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

def TTL_SignpostKind : I32EnumAttr<"SignpostKind", "what a signpost marks", [
    I32EnumAttrCase<"Point", 0, "point">, I32EnumAttrCase<"Begin", 1, "begin">,
    I32EnumAttrCase<"End", 2, "end">]> {
  let cppNamespace = "::mlir::tt::ttl";
}

#endif // TTJIT_IR_TTL_ENUMS_TD
