//===- TTCoreBase.td - the dialect ttcore and its enums --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// TTCore.td has what every file of the tree sees, TTCoreLayouts.td what only readers of
// tt-mlir's modules see.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_BASE_TD
#define TTJIT_IR_TTCORE_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TTCore_Dialect : Dialect {
  let name = "ttcore";
  let cppNamespace = "::mlir::tt::ttcore";
  let summary = "Tiles, grids and memory spaces of a Tensix device";
  let extraClassDeclaration = [{
  /// Parse a type registered to this dialect.
  ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

  /// Print a type registered to this dialect.
  void printType(::mlir::Type type,
                 ::mlir::DialectAsmPrinter &os) const override;

    /// Reports what to write instead of an attribute of tt-mlir that has no meaning here.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

//===--------------------------------------------------------------------------===//
// Enums
//===--------------------------------------------------------------------------===//

// Values are positions in this list, not the hardware's format numbers; see
// getDataFormat() in TTCore.h for those.
def TTCore_DataType : I32Enum<"DataType", "element format of a tile", [
    I32EnumCase<"Float32", 0, "f32">, I32EnumCase<"Float16", 1, "f16">,
    I32EnumCase<"BFloat16", 2, "bf16">, I32EnumCase<"BFP_Float8", 3, "bfp_f8">,
    I32EnumCase<"BFP_BFloat8", 4, "bfp_bf8">, I32EnumCase<"BFP_Float4", 5, "bfp_f4">,
    I32EnumCase<"BFP_BFloat4", 6, "bfp_bf4">, I32EnumCase<"BFP_Float2", 7, "bfp_f2">,
    I32EnumCase<"BFP_BFloat2", 8, "bfp_bf2">, I32EnumCase<"UInt32", 9, "u32">,
    I32EnumCase<"UInt16", 10, "u16">, I32EnumCase<"UInt8", 11, "u8">,
    I32EnumCase<"Int32", 12, "si32">]> {
  let cppNamespace = "::mlir::tt::ttcore";
}

def TTCore_MemorySpace : I32Enum<"MemorySpace", "memory that contains a tensor", [
    I32EnumCase<"System", 0, "system">, I32EnumCase<"SystemMMIO", 1, "mmio">,
    I32EnumCase<"DeviceDRAM", 2, "dram">, I32EnumCase<"DeviceL1", 3, "l1">,
    I32EnumCase<"RegisterDst", 4, "dst">]> {
  let cppNamespace = "::mlir::tt::ttcore";
}

def TTCore_TensorMemoryLayout : I32Enum<
    "TensorMemoryLayout", "how a tensor's pages are distributed over banks", [
    I32EnumCase<"Interleaved", 0, "interleaved">,
    I32EnumCase<"HeightSharded", 1, "height_sharded">,
    I32EnumCase<"WidthSharded", 2, "width_sharded">,
    I32EnumCase<"BlockSharded", 3, "block_sharded">,
    I32EnumCase<"Sharded", 4, "sharded">]> {
  let cppNamespace = "::mlir::tt::ttcore";
}

def TTCore_IteratorType : I32Enum<"IteratorType", "kind of a loop of ttl.compute", [
    I32EnumCase<"Parallel", 0, "parallel">, I32EnumCase<"Reduction", 1, "reduction">]> {
  let cppNamespace = "::mlir::tt::ttcore";
}

def TTCore_MathFidelity : I32Enum<"MathFidelity", "fidelity phases of the matrix engine", [
    I32EnumCase<"LoFi", 0, "lofi">, I32EnumCase<"HiFi2", 2, "hifi2">,
    I32EnumCase<"HiFi3", 3, "hifi3">, I32EnumCase<"HiFi4", 4, "hifi4">]> {
  let cppNamespace = "::mlir::tt::ttcore";
}

class TTCore_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTCore_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTCore_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<TTCore_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // TTJIT_IR_TTCORE_BASE_TD
