//===- D2MBlockOps.td - operations on blocks and new tiles -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operations on tiles are in D2MTileOps.def.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_D2M_BLOCKOPS_TD
#define TTJIT_IR_MODULES_D2M_BLOCKOPS_TD

include "ir/modules/D2M/D2MRegionOps.td"

//===--------------------------------------------------------------------------===//
// Tiles from numbers
//===--------------------------------------------------------------------------===//

def D2M_TileFillOp : D2M_Op<"tile_fill", [Pure]> {
  let summary = "A tile whose elements all have one value";
  let arguments = (ins AnyTypeOf<[AnyFloat, AnyInteger]>:$value);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($value) `->` type($result)";
}

def D2M_TileRandOp : D2M_Op<"tile_rand"> {
  let summary = "A tile of random values in [from, from + scale)";
  let arguments = (ins DefaultValuedAttr<UI32Attr, "0">:$seed, DefaultValuedAttr<F32Attr, "0.0">:$from,
                       DefaultValuedAttr<F32Attr, "1.0">:$scale);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

class D2M_BlockOp<string mnemonic, string what>
    : D2M_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = what;
}

def D2M_TileMatmulBlockOp
    : D2M_BlockOp<"tile_matmul_block", "Add a matrix product of blocks to the output"> {
  let arguments = (ins D2M_Block:$a, D2M_Block:$b, D2M_Block:$output,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
}
class D2M_FormatBlockOp<string mnemonic, string what> : D2M_BlockOp<mnemonic, what> {
  let arguments = (ins D2M_Block:$input, D2M_Block:$output);
  let results = (outs Optional<D2M_Shaped>:$result);
}
def D2M_TileTilizeBlockOp : D2M_FormatBlockOp<"tile_tilize_block", "Rows to tiles">;
def D2M_TileUntilizeBlockOp : D2M_FormatBlockOp<"tile_untilize_block", "Tiles to rows">;

def D2M_ArangeBlockOp : D2M_BlockOp<"arange_block", "Numbers start, start + step, ..."> {
  let arguments = (ins D2M_Block:$index_tile_tensor, D2M_Block:$output, I64Attr:$num_elements,
                       I64Attr:$start, I64Attr:$step,
                       DefaultValuedAttr<BoolAttr, "false">:$colMajor);
  let results = (outs Optional<D2M_Shaped>:$result);
}
def D2M_TopkBlockOp : D2M_BlockOp<"topk_block", "The k largest elements and their indices"> {
  let arguments = (ins D2M_Block:$input_values, D2M_Block:$scratch_idx_tile, D2M_Block:$out_values,
                       D2M_Block:$out_indices, I32Attr:$k, I64Attr:$num_elements,
                       BoolAttr:$stable_sort, I32Attr:$dim,
                       DefaultValuedAttr<BoolAttr, "false">:$generate_indices);
  let results = (outs Variadic<D2M_Shaped>:$results);
}
class D2M_TopkStepOp<string mnemonic>
    : D2M_BlockOp<mnemonic, "A step of the device's bitonic sort"> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
}
def D2M_TileTopkLocalSortOp : D2M_TopkStepOp<"tile_topk_local_sort">;
def D2M_TileTopkMergeOp : D2M_TopkStepOp<"tile_topk_merge">;
def D2M_TileTopkRebuildOp : D2M_TopkStepOp<"tile_topk_rebuild">;

class D2M_MaskTileOp<string mnemonic, string what> : D2M_BlockOp<mnemonic, what> {
  let arguments = (ins AnyTypeOf<[Index, AnyInteger]>:$valid, D2M_Block:$output);
  let assemblyFormat =
      "`(` $valid `)` `to` $output attr-dict `:` type($valid) `,` type($output)";
}
def D2M_WriteRowMaskTileOp : D2M_MaskTileOp<"write_row_mask_tile", "Ones in the first rows">;
def D2M_WriteColMaskTileOp : D2M_MaskTileOp<"write_col_mask_tile", "Ones in the first columns">;

def D2M_FillArangeTileOp
    : D2M_BlockOp<"fill_arange_tile", "The row-major number of each element of a tile"> {
  let arguments = (ins D2M_Block:$output);
  let assemblyFormat = "`to` $output attr-dict `:` type($output)";
}

#endif // TTJIT_IR_MODULES_D2M_BLOCKOPS_TD
