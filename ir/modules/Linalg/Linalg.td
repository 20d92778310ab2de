//===- Linalg.td - the part of linalg that d2m modules have ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's own linalg dialect must not be in the same context: its linalg.yield cannot end the body
// of a ttl.compute, which text of the TTL design has.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_LINALG_TD
#define TTJIT_IR_MODULES_LINALG_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Linalg_Dialect : Dialect {
  let name = "linalg";
  let cppNamespace = "::mlir::tt::linalg";
  let summary = "Loops over the tiles of blocks in tt-mlir's d2m modules";
  let dependentDialects = ["::mlir::tt::ttl::TTLDialect"];
  let extraClassDeclaration = [{
    /// Says what to write instead of the other ops of MLIR's linalg.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
    /// Reads `#linalg.iterator_type<parallel>` as "parallel".
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;

    /// The number of bodies of linalg.generic around the text that is being parsed.
    unsigned openBodies = 0;
  }];
}

def Linalg_GenericOp : Op<Linalg_Dialect, "generic", [
    AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "A body for each point of an iteration space";
  let description = [{
    ```mlir
    %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
        ins(%a : !block) outs(%o : !block) {
    ^bb0(%x: !tile, %y: !tile):
      %e = "d2m.tile_exp"(%x) : (!tile) -> !tile
      linalg.yield %e : !tile
    } -> !block
    ```
    The arguments of the body are the elements of the inputs, then those of the outputs.
  }];
  let arguments = (ins Arg<Variadic<AnyType>, "", [MemRead]>:$inputs,
                       Arg<Variadic<AnyType>, "", [MemRead, MemWrite]>:$outputs,
                       AffineMapArrayAttr:$indexing_maps, ArrayAttr:$iterator_types);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::AffineMap getIndexingMap(unsigned i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[i]).getValue();
    }
    bool isReduction(unsigned iterator) {
      return ::llvm::cast<::mlir::StringAttr>(getIteratorTypes()[iterator]) == "reduction";
    }
  }];
}

def Linalg_YieldOp : Op<Linalg_Dialect, "yield", [Pure, Terminator, ReturnLike,
                                                  HasParent<"GenericOp">]> {
  let summary = "The elements of the outputs; at the end of a ttl.compute, a ttl.yield";
  let arguments = (ins Variadic<AnyType>:$values);
  let hasCustomAssemblyFormat = 1;
}

def Linalg_IndexOp : Op<Linalg_Dialect, "index", [Pure]> {
  let summary = "The index of an iterator in this point";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
}

#endif // TTJIT_IR_MODULES_LINALG_TD
