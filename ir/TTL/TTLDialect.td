//===- TTLDialect.td - the ttl dialect -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

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
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Parses other spellings too, such as `#ttl.grid<[2, 2]>` for `#ttcore.grid<2x2>`.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    /// Parses `!ttl.transfer_handle<read>` as `!ttl.xf`.
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
    /// Parses names that other tools use for ops of this dialect, such as `ttl.add`.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tt::ttcore::TTCoreDialect"];
}

//===--------------------------------------------------------------------------===//
// State that ops read and write besides the blocks that they name
//===--------------------------------------------------------------------------===//

def TTL_BufferResource : Resource<"::mlir::tt::ttl::BufferResource">;
def TTL_SemaphoreResource : Resource<"::mlir::tt::ttl::SemaphoreResource">;
def TTL_TransferResource : Resource<"::mlir::tt::ttl::TransferResource">;
def TTL_DSTResource : Resource<"::mlir::tt::ttl::DSTResource">;
def TTL_OutputResource : Resource<"::mlir::tt::ttl::OutputResource">;
def TTL_FaultResource : Resource<"::mlir::tt::ttl::FaultResource">;

// Rejects attributes that no pass reads, so that a misspelt name is an error.
def TTL_KnownAttributes : NativeOpTrait<"KnownAttributes"> {
  let cppNamespace = "::mlir::tt::ttl";
}

class TTL_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTL_Dialect, mnemonic, !listconcat([TTL_KnownAttributes], traits)>;

#endif // TTJIT_IR_TTL_DIALECT_TD
