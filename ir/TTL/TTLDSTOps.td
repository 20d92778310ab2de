//===- TTLDSTOps.td - DST registers and their life -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which a program chooses DST registers itself instead of ttl-assign-dst, and tile
// operations that read their operands from L1 instead of DST.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DSTOPS_TD
#define TTJIT_IR_TTL_DSTOPS_TD

include "ir/TTL/TTLComputeInterfaces.td"
include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLTypes.td"

//===--------------------------------------------------------------------------===//
// Ops in the body of ttl.compute, which ttl-assign-dst erases
//===--------------------------------------------------------------------------===//

def TTL_RequireDSTOp : TTL_Op<"require_dst", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Marks a tile that must be in a DST register here";
  let description = [{
    If the tile is in L1, it is loaded. It stays in its register at least until this op.
    The op is erased when registers are assigned.
  }];
  let arguments = (ins TTCore_AnyTile:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

def TTL_AcquireDSTOp : TTL_Op<"acquire_dst", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes a DST register out of the allocation until it is released";
  let description = [{
    `%r = ttl.acquire_dst {index = 3 : i64} : index` takes register 3; without `index` it
    takes any free register. The result becomes the register's number when registers are
    assigned.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TTL_ReleaseDSTOp : TTL_Op<"release_dst", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Returns a DST register to the allocation";
  let arguments = (ins Index:$dst);
  let assemblyFormat = "$dst attr-dict";
  let hasVerifier = 1;
}

def TTL_SpillTileToL1Op : TTL_Op<"spill_tile_to_l1", [
    MemoryEffects<[MemRead<TTL_DSTResource>, MemWrite]>]> {
  let summary = "Packs a tile into a temporary buffer in L1 and frees its register";
  let description = [{
    `%s = ttl.spill_tile_to_l1 %t : !ttcore.tile<32x32, f32> -> index` stores a tile that
    `ttl.restore_tile_from_l1 %s` loads again. Packing ends the DST section, so
    ttl-assign-dst splits the compute at the value. The buffer holds Float32, so that no
    bit changes.
  }];
  let arguments = (ins TTCore_AnyTile:$tile);
  let results = (outs Index:$spilled);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($spilled)";
}

def TTL_RestoreTileFromL1Op : TTL_Op<"restore_tile_from_l1", [
    MemoryEffects<[MemRead, MemWrite<TTL_DSTResource>]>]> {
  let summary = "Loads a tile that ttl.spill_tile_to_l1 stored";
  let arguments = (ins Index:$spilled);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "$spilled attr-dict `:` type($spilled) `->` type($result)";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Matrix engine (FPU) instead of SFPU
//===--------------------------------------------------------------------------===//

def TTL_FPUBinaryAttr : EnumAttr<TTL_Dialect, TTL_FPUBinary, "fpu_binary"> {
  let assemblyFormat = "$value";
}

def TTL_TileFPUBinaryOp : TTL_Op<"tile_fpu_binary", [
    AlwaysSpeculatable, TTL_RegisterTraits,
    DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = "Sum, difference or product of two tiles in L1";
  let description = [{
    The operands of `ttl.tile_fpu_binary add %a, %b` are block arguments of the enclosing
    `ttl.compute`. A product is added to `acc`, if there is one, with one fma per element,
    as the hardware does.
  }];
  let arguments = (ins TTL_FPUBinaryAttr:$kind, TTCore_AnyTile:$lhs, TTCore_AnyTile:$rhs,
                       Optional<TTCore_AnyTile>:$acc, OptionalAttr<I32Attr>:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat =
      "$kind $lhs `,` $rhs (`acc` $acc^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TTL_FPUBinaryTilesOp : TTL_Op<"fpu_binary_tiles", [TTL_RegisterTraits]> {
  let summary = "Sum, difference or product of tiles `lhs_index` and `rhs_index` of two blocks";
  let description = [{
    Tiles are numbered row-major in their block. If a product has no `acc`, no op may have
    written its register since the DST section began.
  }];
  let arguments = (ins TTL_FPUBinaryAttr:$kind,
                       TTL_Block:$lhs, Index:$lhs_index, TTL_Block:$rhs, Index:$rhs_index,
                       Optional<TTCore_AnyTile>:$acc, OptionalAttr<I32Attr>:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = [{
    $kind $lhs `[` $lhs_index `]` `,` $rhs `[` $rhs_index `]`
    (`acc` $acc^ `:` type($acc))? attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

//===--------------------------------------------------------------------------===//
// Registers that keep their value from one iteration to the next; packs of several tiles
//===--------------------------------------------------------------------------===//

def TTL_DSTTileOp : TTL_Op<"dst_tile", [TTL_DSTResultOpInterface, MemoryEffects<[MemRead]>]> {
  let summary = "The tile in a DST register";
  let description = [{
    An earlier op of the same section wrote the tile, perhaps in another iteration of a
    loop that accumulates. `ttl-accumulate-in-dst` replaces loads of accumulators by this
    op.
  }];
  let arguments = (ins I32Attr:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTL_PackTileBlockOp : TTL_Op<"pack_tile_block"> {
  let summary = "Round consecutive registers into consecutive tiles of a reserved block";
  let description = [{
    The tiles are in consecutive registers and become tiles `index`, `index + 1`, ... of
    the block. The packer counts tiles since the last push by itself, so all tiles of a
    block must be packed in order by this op, or none.
  }];
  let arguments = (ins Variadic<TTCore_AnyTile>:$tiles, Arg<TTL_Block, "", [MemWrite]>:$block,
                       Index:$index);
  let assemblyFormat = [{
    `(` $tiles `)` `,` $block `[` $index `]` attr-dict `:`
    `(` type($tiles) `)` `,` type($block)
  }];
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_DSTOPS_TD
