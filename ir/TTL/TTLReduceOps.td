//===- TTLReduceOps.td - reductions, broadcasts, transposes ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Dimensions are numbered from the outermost of the block. The two innermost ones include the
// rows and columns within tiles. A reduction writes its results into column 0 of a tile (over
// the innermost dimension), row 0 (over the next one) or element (0, 0) (over both); the rest
// of the tile is zero. A broadcast reads the same elements.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_REDUCEOPS_TD
#define TTJIT_IR_TTL_REDUCEOPS_TD

include "ir/TTL/TTLBlockOps.td"
include "ir/TTL/TTLComputeOps.td"

def TTL_ReduceTypeAttr : EnumAttr<TTL_Dialect, TTL_ReduceType, "reduce_type"> {
  let assemblyFormat = "$value";
}

//===--------------------------------------------------------------------------===//
// Reductions, broadcasts and transposes of blocks
//===--------------------------------------------------------------------------===//

class TTL_BlockReduceOp<string mnemonic, string what>
    : TTL_BlockComputeOp<mnemonic, [DeclareOpInterfaceMethods<TTL_BlockFromL1OpInterface>]> {
  let summary = what # " over dimensions of a block; the result has extent 1 in them";
  let arguments = (ins TTL_BlockOperand:$input, Optional<TTL_BlockOperand>:$scaling,
                       DenseI64ArrayAttr:$dims);
  // Prints `$input (scaling $scaling)? attr-dict : functional-type(operands, $result)`; the
  // types may be left out, and the scaling may follow a comma.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_BlockReduceSumOp : TTL_BlockReduceOp<"block_reduce_sum", "Sum"> {
  let description = [{
    Each tile is summed by halves, the innermost dimension first: x[i] + x[i + 16], then with
    distances 8, 4, 2, 1. Then, from +0 and in ascending order of the tiles,
    acc = fma(tile's sum, scaling, acc), where scaling is element (0, 0) of the operand
    `scaling`, or 1 without that operand. On the device, row 0 of each face of that tile must
    hold the value.
  }];
}
def TTL_BlockReduceMaxOp : TTL_BlockReduceOp<"block_reduce_max", "Maximum"> {
  let description = [{
    The maximum is NaN if an element is NaN; +0 is greater than -0. Each tile's maximum is
    multiplied by element (0, 0) of `scaling`, or by 1 without that operand.
  }];
}

def TTL_BlockBcastOp : TTL_BlockComputeOp<"block_bcast", [
    DeclareOpInterfaceMethods<TTL_BlockFromL1OpInterface>]> {
  let summary = "Replicate a block along dimensions in which it has extent 1";
  let arguments = (ins TTL_BlockOperand:$input, DenseI64ArrayAttr:$dims);
  // Prints `$input attr-dict : functional-type($input, $result)`.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_BlockTransposeOp : TTL_BlockComputeOp<"block_transpose", [
    DeclareOpInterfaceMethods<TTL_BlockFromL1OpInterface>]> {
  let summary = "Exchange rows and columns of a block of rank 2, also within its tiles";
  let arguments = (ins TTL_BlockOperand:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

def TTL_BlockViewOp : TTL_BlockComputeOp<"block_view", [
    DeclareOpInterfaceMethods<TTL_BlockFromL1OpInterface>]> {
  let summary = "Tiles of a block at other coordinates";
  let description = [{
    `map` leads from the coordinates of the result to those of the operand, each of
    which is one of them or a constant: `(d0, d1) -> (2, d0, d1)` is part 2 of a block
    of rank 3, `(d0, d1, d2) -> (d1, d2)` a block of rank 2 with a dimension added.
  }];
  let arguments = (ins TTL_BlockOperand:$input, AffineMapAttr:$map);
  let assemblyFormat = "$input `,` $map attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// On tiles. `dims` are dimensions of the tile. A reduction over [1] writes column 0, over [0]
// row 0, over [0, 1] element (0, 0). A broadcast reads the same elements.
//===--------------------------------------------------------------------------===//

class TTL_TileReduceOp<string mnemonic, string what>
    : TTL_TileOp<mnemonic, [DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = what # " of a tile in L1, over the reduction iterators";
  let arguments = (ins TTCore_AnyTile:$input, TTCore_AnyTile:$scaling,
                       Optional<TTCore_AnyTile>:$acc, DenseI64ArrayAttr:$dims,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = [{
    $input `scaling` $scaling (`acc` $acc^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}
def TTL_TileReduceSumOp : TTL_TileReduceOp<"tile_reduce_sum", "Sum">;
def TTL_TileReduceMaxOp : TTL_TileReduceOp<"tile_reduce_max", "Maximum">;

def TTL_TileBcastOp : TTL_TileOp<"tile_bcast", [
    DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = "Fill a tile with column 0, row 0 or element (0, 0) of a tile in L1";
  let arguments = (ins TTCore_AnyTile:$input, DenseI64ArrayAttr:$dims,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

def TTL_TileTransposeOp : TTL_TileOp<"tile_transpose", [
    DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = "Exchange rows and columns of a tile in L1";
  let arguments = (ins TTCore_AnyTile:$input, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

//===--------------------------------------------------------------------------===//
// Ops in loops
//===--------------------------------------------------------------------------===//

def TTL_ReduceTileOp : TTL_Op<"reduce_tile", [
    TTL_UpdatesTile, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Reduce a tile in L1 into a DST register";
  let description = [{
    sum: register = fma(tile's sum, scaling, register); max: register = max(register,
    tile's maximum * scaling). Only the elements that hold the results of a reduction over
    `dims` are combined; all others become zero.
  }];
  let arguments = (ins TTL_ReduceTypeAttr:$type, TTL_Block:$input, Index:$index,
                       TTL_Block:$scaling, Index:$scaling_index, TTCore_AnyTile:$into,
                       DenseI64ArrayAttr:$dims);
  let assemblyFormat = [{
    $type $input `[` $index `]` `scaling` $scaling `[` $scaling_index `]` `into` $into attr-dict
    `:` type($input) `,` type($scaling) `,` type($into)
  }];
  let hasVerifier = 1;
}

class TTL_TileOfBlockOp<string mnemonic, dag extra = (ins)>
    : TTL_Op<mnemonic, [TTL_RegisterTraits]> {
  let arguments = !con((ins TTL_Block:$block, Index:$index), extra,
                       (ins OptionalAttr<I32Attr>:$dst_idx));
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "$block `[` $index `]` attr-dict `:` type($block) `->` type($result)";
}
def TTL_BcastTileOp : TTL_TileOfBlockOp<"bcast_tile", (ins DenseI64ArrayAttr:$dims)> {
  let summary = "Broadcast tile `index` of a block into a DST register";
  let hasVerifier = 1;
}
def TTL_TransposeTileOp : TTL_TileOfBlockOp<"transpose_tile"> {
  let summary = "Transpose tile `index` of a block into a DST register";
}

#endif // TTJIT_IR_TTL_REDUCEOPS_TD
