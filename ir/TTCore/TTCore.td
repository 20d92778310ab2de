//===- TTCore.td - tiles, grids, memory spaces ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Types and attributes shared by every dialect of the project. Text follows
// tt-mlir's ttcore dialect, so that the parser reads modules written for that dialect.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TD
#define TTJIT_IR_TTCORE_TD

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

    /// Names for attributes of tt-mlir that have no meaning here what to write instead.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

//===------------------------------------------------------------------------------===//
// Enums
//===------------------------------------------------------------------------------===//

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

//===------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------===//

class TTCore_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTCore_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTCore_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<TTCore_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TTCore_DataTypeAttr : TTCore_EnumAttr<TTCore_DataType, "supportedDataTypes">;
def TTCore_MemorySpaceAttr : TTCore_EnumAttr<TTCore_MemorySpace, "memory_space">;
def TTCore_TensorMemoryLayoutAttr
    : TTCore_EnumAttr<TTCore_TensorMemoryLayout, "tensor_memory_layout">;
def TTCore_IteratorTypeAttr : TTCore_EnumAttr<TTCore_IteratorType, "iterator_type">;
def TTCore_MathFidelityAttr : TTCore_EnumAttr<TTCore_MathFidelity, "math_fidelity">;

def TTCore_GridAttr : TTCore_Attr<"Grid", "grid"> {
  let summary = "Extents of a grid of cores, in the order in which grid_size returns them";
  let description = "`#ttcore.grid<8x8>`. The rank and every extent must be at least one.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumCores() const;
  }];
}

def TTCore_ComputeConfigAttr : TTCore_Attr<"ComputeConfig", "compute_config"> {
  let summary = "Settings of the compute engine that change DST capacity or arithmetic";
  let parameters = (ins
    DefaultValuedParameter<"bool", "false">:$fp32_dest_acc_en,
    DefaultValuedParameter<"bool", "false">:$dst_full_sync_en,
    DefaultValuedParameter<"bool", "false">:$math_approx_mode,
    DefaultValuedParameter<"MathFidelity", "MathFidelity::HiFi4">:$math_fidelity);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TTCore_CoreRangeAttr : TTCore_Attr<"CoreRange", "core_range"> {
  let summary = "A box of cores, both corners included";
  let description = [{
    `#ttcore.core_range<(0, 0), (3, 1)>`. Coordinates are those that `ttl.core` returns.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$start, ArrayRefParameter<"int64_t">:$end);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumCores() const;
    bool contains(::llvm::ArrayRef<int64_t> core) const;
  }];
}

def TTCore_CoreRangeSetAttr : TTCore_Attr<"CoreRangeSet", "core_range_set"> {
  let summary = "The cores on which a resource exists, as boxes that do not overlap";
  let description = "`#ttcore.core_range_set<[<(0, 0), (3, 0)>, <(0, 1), (0, 1)>]>`";
  let parameters = (ins ArrayRefParameter<"CoreRangeAttr">:$ranges);
  let assemblyFormat = "`<` `[` $ranges `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumCores() const;
    bool contains(::llvm::ArrayRef<int64_t> core) const;
    /// Number of coordinates of a core.
    unsigned getRank() const { return getRanges().front().getStart().size(); }
  }];
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

def TTCore_Tile : TypeDef<TTCore_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "A tile, the unit of computation and of storage";
  let description = [{
    `!ttcore.tile<32x32, f32>`. The height is 1, 2, 4, 8, 16 or 32, the width 16 or 32. A tile
    is stored as faces of 16x16.
  }];
  let parameters = (ins "int64_t":$height, "int64_t":$width, "DataType":$dataType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one stored tile, exponents of block formats included.
    int64_t getSizeBytes() const;
    bool isFloat() const;
  }];
}

def TTCore_AnyTile : Type<
    CPred<"::llvm::isa<::mlir::tt::ttcore::TileType>($_self)">, "tile",
    "::mlir::tt::ttcore::TileType">;

#endif // TTJIT_IR_TTCORE_TD
