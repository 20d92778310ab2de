//===- TTLDialect.td - the ttl dialect -----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DIALECT_TD
#define TTJIT_IR_TTL_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "ir/TTCore/TTCore.td"

def TTL_Dialect : Dialect {
  let name = "ttl";
  let cppNamespace = "::mlir::tt::ttl";
  let summary = "TT-Lang kernels: threads, circular buffers, blocks, transfers";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tt::ttcore::TTCoreDialect"];
}

class TTL_Op<string mnemonic, list<Trait> traits = []> : Op<TTL_Dialect, mnemonic, traits>;

#endif // TTJIT_IR_TTL_DIALECT_TD
