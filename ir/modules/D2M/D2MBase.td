//===- D2MBase.td - the dialect d2m, its types and attributes --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text follows tt-mlir's d2m dialect, so that the parser reads modules that tt-mlir writes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_D2M_BASE_TD
#define TTJIT_IR_MODULES_D2M_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def D2M_Dialect : Dialect {
  let name = "d2m";
  let cppNamespace = "::mlir::tt::d2m";
  let summary = "tt-mlir's programs on a grid of cores, with their tensors, views and transfers";
  let extraClassDeclaration = [{
    /// Also reads the older spelling, `!d2m.semaphore`.
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    /// Names the nearest op for a name that the dialect does not have.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;

  private:
    void registerTileOps();

  public:
  }];
  let dependentDialects = ["::mlir::tt::ttcore::TTCoreDialect"];
}

//===--------------------------------------------------------------------------===//
// Enums
//===--------------------------------------------------------------------------===//

class D2M_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::tt::d2m";
}

def D2M_ThreadType : D2M_Enum<"ThreadType", "what a region of d2m.generic does", [
    I32EnumCase<"Compute", 0, "compute">, I32EnumCase<"Datamovement", 1, "datamovement">,
    I32EnumCase<"Unified", 2, "unified">]>;
def D2M_DMAType : D2M_Enum<"DMAType", "direction of a transfer", [
    I32EnumCase<"Read", 0, "read">, I32EnumCase<"Write", 1, "write">,
    I32EnumCase<"McastWrite", 2, "mcast_write">]>;
def D2M_ReduceDim : D2M_Enum<"ReduceDim", "dimensions of a tile that a reduction removes", [
    I32EnumCase<"R", 0>, I32EnumCase<"C", 1>, I32EnumCase<"RC", 2>]>;
def D2M_TileBcastType : D2M_Enum<"TileBcastType", "part of a tile that a broadcast reads", [
    I32EnumCase<"None", 0, "none">, I32EnumCase<"Col", 1, "col">, I32EnumCase<"Row", 2, "row">,
    I32EnumCase<"Scalar", 3, "scalar">]>;
def D2M_ResolutionStage : D2M_Enum<"ResolutionStage", "when an argument becomes known", [
    I32EnumCase<"Compile", 0, "compile">, I32EnumCase<"Runtime", 1, "runtime">]>;

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

def D2M_ReduceDimAttr : EnumAttr<D2M_Dialect, D2M_ReduceDim, "reduce_dim">;
def D2M_TileBcastTypeAttr : EnumAttr<D2M_Dialect, D2M_TileBcastType, "tile_bcast_type">;
def D2M_ResolutionStageAttr
    : EnumAttr<D2M_Dialect, D2M_ResolutionStage, "resolution_stage">;

class D2M_Attr<string name, string attrMnemonic> : AttrDef<D2M_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def D2M_ThreadAttr : D2M_Attr<"Thread", "thread"> {
  let summary = "What a region of d2m.generic does, and on which processor";
  let description = [{
    `#d2m.thread<datamovement>`, `#d2m.thread<compute, @kernel>` (the body is that function),
    `#d2m.thread<datamovement, dm_core = 1>`. Core 1 uses NoC 0, core 0 uses NoC 1.
  }];
  let parameters = (ins "ThreadType":$threadType, OptionalParameter<"SymbolRefAttr">:$kernelSymbol,
                        DefaultValuedParameter<"int32_t", "-1">:$dmCoreIndex);
  let hasCustomAssemblyFormat = 1;
}

def D2M_TopKPlanAttr : D2M_Attr<"TopKPlan", "topk_plan"> {
  let summary = "tt-mlir's plan of a topk on several cores, as text";
  let parameters = (ins StringRefParameter<>:$text);
  let hasCustomAssemblyFormat = 1;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

class D2M_Type<string name, string typeMnemonic> : TypeDef<D2M_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def D2M_CB : D2M_Type<"CB", "cb"> {
  let summary = "Queue of blocks between a producer and a consumer of one core";
  let description = "`!d2m.cb<memref<1x2x!ttcore.tile<32x32, f32>>>`: the type of one block.";
  let parameters = (ins "::mlir::ShapedType":$underlying);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def D2M_MemTx : D2M_Type<"MemTx", "mem_tx"> {
  let summary = "Handle of a transfer";
  let description = "`!d2m.mem_tx<read>`, `<write>`, `<mcast_write>`. Older text has no direction.";
  let parameters = (ins "DMAType":$dmaType);
  let hasCustomAssemblyFormat = 1;
}

def D2M_LocalSemaphore : D2M_Type<"LocalSemaphore", "local_semaphore"> {
  let summary = "A counter on each core of a d2m.generic";
}
def D2M_GlobalSemaphore : D2M_Type<"GlobalSemaphore", "global_semaphore"> {
  let summary = "A counter on each core of the device, which outlives the d2m.generic";
}

//===--------------------------------------------------------------------------===//
// Constraints and base classes
//===--------------------------------------------------------------------------===//

def D2M_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "tensor or memref">;
def D2M_Semaphore : AnyTypeOf<[D2M_LocalSemaphore, D2M_GlobalSemaphore], "semaphore">;
def D2M_Block : AnyTypeOf<[AnyRankedTensor, AnyMemRef, D2M_CB], "tensor, memref or queue">;

class D2M_Op<string mnemonic, list<Trait> traits = []> : Op<D2M_Dialect, mnemonic, traits>;

#endif // TTJIT_IR_MODULES_D2M_BASE_TD
