//===- TTCore.td - tiles, grids, memory spaces -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Types and attributes shared by every dialect of the project. Text follows
// tt-mlir's ttcore dialect, so that the parser reads modules written for that dialect.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTCORE_TD
#define TTJIT_IR_TTCORE_TD

include "ir/TTCore/TTCoreBase.td"

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

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

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

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
