//===- TTCoreOps.td - devices and tensors of a module ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_OPS_TD
#define TTJIT_IR_TTCORE_OPS_TD

include "ir/TTCore/TTCoreLayouts.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTCore_Op<string mnemonic, list<Trait> traits = []> : Op<TTCore_Dialect, mnemonic, traits>;

def TTCore_DeviceOp : TTCore_Op<"device", [Symbol]> {
  let summary = "The device that a module of tt-mlir is compiled for";
  let arguments = (ins SymbolNameAttr:$sym_name, TTCore_DeviceAttr:$device_attr);
  let assemblyFormat = "$sym_name `=` $device_attr attr-dict";
}

def TTCore_GlobalOp : TTCore_Op<"global", [Symbol]> {
  let summary = "A tensor of the module, with its position among the inputs";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyType>:$type,
                       OptionalAttr<I32Attr>:$index);
  let assemblyFormat = "$sym_name `=` $type (`[` $index^ `]`)? attr-dict";
}

def TTCore_GetGlobalOp : TTCore_Op<"get_global", [Pure]> {
  let summary = "A tensor of the module";
  let arguments = (ins FlatSymbolRefAttr:$sym_name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$sym_name attr-dict `:` type($result)";
}

#endif // TTJIT_IR_TTCORE_OPS_TD
