//===- TTLComputeOps.td - ttl.compute and tile operations ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_COMPUTEOPS_TD
#define TTJIT_IR_TTL_COMPUTEOPS_TD

include "ir/TTL/TTLOpClasses.td"
include "mlir/Interfaces/TilingInterface.td"

def TTL_ComputeOp : TTL_Op<"compute", [
    AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation"]>]> {
  let summary = "Compute the tiles of blocks with a body that is applied to each tile";
  let description = [{
    ```mlir
    ttl.compute ins(%a, %b : ...) outs(%y : ...) {
        indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                         affine_map<(i, j, k) -> (i, j)>],
        iterator_types = [#ttcore.iterator_type<parallel>, #ttcore.iterator_type<parallel>,
                          #ttcore.iterator_type<reduction>]} {
    ^bb0(%ta: !ttcore.tile<32x32, f32>, %tb: ..., %ty: ...):
      %p = ttl.tile_matmul %ta, %tb : ...
      %e = ttl.tile_exp %p : ...
      ttl.yield %e : ...
    }
    ```
    Block arguments are the tiles of the inputs, then of the outputs (their
    element type is the buffer's). Operations of the body run once per point of
    the parallel iterators; only `ttl.tile_matmul` and `ttl.tile_reduce_*` run over
    the reduction iterators of their operands, ascending, and their results are the
    finished sums.
    The yielded tiles are rounded and packed into the outputs. `accumulate` has one
    flag per output; a non-zero flag adds the tile to the content of the slot.

    `window (%i, %j, %c0) [2, 1, 8]` restricts the op to a part of its iteration
    space, with one offset and one extent per iterator; reductions always run whole. An
    operand of the whole extent is read and written at offset + iterator; an operand of
    the window's extent holds only the window and is indexed by the iterator alone.
    Tiling (TilingInterface) creates windows that contain each tile of the compute
    exactly once and give the same tiles.
  }];
  let arguments = (ins
    Arg<Variadic<TTL_Block>, "", [MemRead]>:$inputs,
    Arg<Variadic<TTL_Block>, "", [MemWrite]>:$outputs,
    Variadic<I32>:$accumulate,
    AffineMapArrayAttr:$indexing_maps,
    TypedArrayAttrBase<TTCore_IteratorTypeAttr, "iterator kinds">:$iterator_types,
    Variadic<Index>:$offsets,
    OptionalAttr<DenseI64ArrayAttr>:$window);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $outputs `:` type($outputs) `)`
    (`accumulate` `(` $accumulate^ `)`)? (`window` `(` $offsets `)` $window^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  // Builds an op without a window.
  let builders = [OpBuilder<(ins
      "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outputs,
      "::mlir::ValueRange":$accumulate, "::mlir::ArrayAttr":$indexing_maps,
      "::mlir::ArrayAttr":$iterator_types)>];
  let extraClassDeclaration = [{
    /// Returns the extents of the iterators that this op runs over: the window's if it
    /// has one, else those of the operands. Their product over the parallel iterators is
    /// the number of tiles to compute.
    ::llvm::SmallVector<int64_t> getIterationDomain();
    /// Returns the extents of the iterators in the operands, ignoring the window.
    ::llvm::SmallVector<int64_t> getWholeDomain();
    /// Returns the offset to add to `iterator` to index an operand that has `extent`
    /// tiles along it; null if there is none. Every pass that turns iterators into tile
    /// numbers must use it.
    ::mlir::Value getOffset(unsigned iterator, int64_t extent);
    /// Restricts the op to a window, in the coordinates of the operands.
    void setWindow(::mlir::ValueRange offsets, ::llvm::ArrayRef<int64_t> sizes);
    /// Returns the indexing map of input or output number `i`, inputs first.
    ::mlir::AffineMap getIndexingMap(unsigned i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[i]).getValue();
    }
    bool isReduction(unsigned iterator);
  }];
}

//===--------------------------------------------------------------------------===//
// Tile operations
//===--------------------------------------------------------------------------===//

def TTL_TileMatmulOp : TTL_TileOp<"tile_matmul", [
    DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = "Sum over the reduction iterators of products of two tiles in L1";
  let description = [{
    Operands are block arguments of the enclosing `ttl.compute`: the hardware
    reads them from L1. Each element starts from `acc`, or from +0 if there is none, and
    is a chain of fma over ascending k.
  }];
  let arguments = (ins TTCore_AnyTile:$lhs, TTCore_AnyTile:$rhs, Optional<TTCore_AnyTile>:$acc,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat =
      "$lhs `,` $rhs (`acc` $acc^)? attr-dict `:` functional-type(operands, $result)";
}

def TTL_TileFillOp : TTL_TileOp<"tile_fill"> {
  let summary = "A tile whose elements all have one value";
  let arguments = (ins F32:$value, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def TTL_CopyTileOp : TTL_TileOp<"copy_tile"> {
  let summary = "Load a tile from L1 into a DST register";
  let arguments = (ins TTCore_AnyTile:$input, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def TTL_CopyDestValuesOp : TTL_TileOp<"copy_dest_values"> {
  let summary = "Copy a tile from one DST register to another";
  let arguments = (ins TTCore_AnyTile:$input, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

//===--------------------------------------------------------------------------===//
// Ops in loops, which name a tile of a block by its row-major number. A tile value
// is the DST register with the number `dst_idx`.
//===--------------------------------------------------------------------------===//

def TTL_GetTileOp : TTL_Op<"get_tile", [TTL_RegisterTraits]> {
  let summary = "Load tile `index` of a block into a DST register";
  let arguments = (ins TTL_Block:$block, Index:$index, OptionalAttr<I32Attr>:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat =
      "$block `` custom<TileIndex>($index) attr-dict `:` type($block) `->` type($result)";
}

def TTL_FreshTileOp : TTL_Op<"fresh_tile", [
    TTL_DSTResultOpInterface, MemoryEffects<[MemAlloc<TTL_DSTResource>]>]> {
  let summary = "A register that no op has written in the DST section; its value is +0";
  let arguments = (ins OptionalAttr<I32Attr>:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTL_MatmulTilesOp : TTL_Op<"matmul_tiles", [
    TTL_UpdatesTile, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Add the product of two tiles in L1 to a DST register, in place";
  let arguments = (ins TTL_Block:$lhs, Index:$lhs_index, TTL_Block:$rhs, Index:$rhs_index,
                       TTCore_AnyTile:$into);
  let assemblyFormat = [{
    $lhs `[` $lhs_index `]` `,` $rhs `[` $rhs_index `]` `into` $into attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($into)
  }];
}

def TTL_PackTileOp : TTL_Op<"pack_tile"> {
  let summary = "Round a register into tile `index` of a reserved block";
  let description = "If the flag `accumulate` is not zero, the tile is added to the content of the slot.";
  let arguments = (ins TTCore_AnyTile:$tile, Arg<TTL_Block, "", [MemWrite]>:$block, Index:$index,
                       Optional<I32>:$accumulate);
  let assemblyFormat = [{
    $tile `,` $block `[` $index `]` (`accumulate` $accumulate^)? attr-dict `:`
    type($tile) `,` type($block)
  }];
}

#endif // TTJIT_IR_TTL_COMPUTEOPS_TD
