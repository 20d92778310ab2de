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

class TTCore_ModuleOp<string mnemonic>
    : TTCore_Op<mnemonic, [IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock,
                           SymbolTable]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def TTCore_DeviceModuleOp : TTCore_ModuleOp<"device_module"> {
  let summary = "The module whose functions run on the device";
}

def TTCore_CPUModuleOp : TTCore_ModuleOp<"cpu_module"> {
  let summary = "The module of functions that tt-mlir has compiled for the host";
}

def TTCore_LoadCachedOp : TTCore_Op<"load_cached"> {
  let summary = "The results of a function of weights, which tt-mlir computes once";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `(` $callee `,` `[` $inputs `]` `)` attr-dict `:` functional-type($inputs, results)
  }];
}

#endif // TTJIT_IR_TTCORE_OPS_TD
