//===- TTKernelBase.td - dialect, types, attributes of ttkernel *- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_BASE_TD
#define TTJIT_IR_TTKERNEL_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ir/TTCore/TTCore.td"
include "ir/TTCore/TTCoreInterfaces.td"
include "ir/TTKernel/TTKernelEnums.td"

def TTKernel_Dialect : Dialect {
  let name = "ttkernel";
  let cppNamespace = "::mlir::tt::ttkernel";
  let summary = "The TT-Metalium device kernel API, one op per function";
  let description = [{
    An op has the name of its API function and takes its operands in the same order.
    Integers are i32. Thread functions are `func.func` ops without arguments, with the
    attribute `ttl.kernel_thread = #ttkernel.thread<noc>` or `<compute>`.
  }];
  // The messages about unknown names say which names there are (TTKernelDialect.cpp).
  let extraClassDeclaration = [{
  /// Parse an attribute registered to this dialect.
  ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                   ::mlir::Type type) const override;

  /// Print an attribute registered to this dialect.
  void printAttribute(::mlir::Attribute attr,
                      ::mlir::DialectAsmPrinter &os) const override;

  /// Parse a type registered to this dialect.
  ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

  /// Print a type registered to this dialect.
  void printType(::mlir::Type type,
                 ::mlir::DialectAsmPrinter &os) const override;
}];
  let dependentDialects = ["::mlir::tt::ttcore::TTCoreDialect"];
}

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

def TTKernel_ThreadAttr : EnumAttr<TTKernel_Dialect, TTKernel_ThreadType, "thread"> {
  let assemblyFormat = "`<` $value `>`";
}

def TTKernel_ReduceTypeAttr : EnumAttr<TTKernel_Dialect, TTKernel_ReduceType, "reduce_type"> {
  let assemblyFormat = "`<` $value `>`";
}
def TTKernel_ReduceDimAttr : EnumAttr<TTKernel_Dialect, TTKernel_ReduceDim, "reduce_dim"> {
  let assemblyFormat = "`<` $value `>`";
}
def TTKernel_BcastTypeAttr : EnumAttr<TTKernel_Dialect, TTKernel_BcastType, "bcast_type"> {
  let assemblyFormat = "`<` $value `>`";
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

class TTKernel_Type<string name, string typeMnemonic> : TypeDef<TTKernel_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TTKernel_CB : TTKernel_Type<"CB", "cb"> {
  let summary = "A circular buffer, with its number of elements and its element (tile or scalar)";
  let parameters = (ins "int64_t":$numElements, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $numElements `,` $elementType `>`";
}

def TTKernel_Semaphore : TTKernel_Type<"Semaphore", "semaphore"> {
  let summary = "L1 address of a semaphore";
}

def TTKernel_L1Addr : TTKernel_Type<"L1Addr", "l1_addr"> { let summary = "Byte address in L1"; }

def TTKernel_L1AddrPtr : TTKernel_Type<"L1AddrPtr", "l1_addr_ptr"> {
  let summary = "`volatile tt_l1_ptr uint32_t *`";
}

def TTKernel_NocAddr : TTKernel_Type<"NocAddr", "noc_addr"> {
  let summary = "64-bit NoC address: coordinates and local address";
}

def TTKernel_TensorAccessorArgs : TTKernel_Type<"TensorAccessorArgs", "TensorAccessorArgs"> {
  let summary = "`TensorAccessorArgs<cta, crta>`: the words of a tensor's layout in the arguments";
}
def TTKernel_TensorAccessor : TTKernel_Type<"TensorAccessor", "TensorAccessor"> {
  let summary = "`TensorAccessor`: computes the bank and address of a tensor's pages";
}

//===--------------------------------------------------------------------------===//
// Op classes
//===--------------------------------------------------------------------------===//

class TTKernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTKernel_Dialect, mnemonic, traits>;

// Class of ops with effects on the device, which keep their order.
class TTKernel_DeviceOp<string mnemonic, list<Trait> traits = []>
    : TTKernel_Op<mnemonic, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

def TTKernel_InitTrait : NativeOpTrait<"IsInit"> {
  let cppNamespace = "::mlir::tt::ttkernel";
}

// Class of ops that configure the hardware for the next calls.
class TTKernel_InitOp<string mnemonic, list<Trait> traits = []>
    : TTKernel_DeviceOp<mnemonic, !listconcat(traits, [TTKernel_InitTrait])>;

#endif // TTJIT_IR_TTKERNEL_BASE_TD
