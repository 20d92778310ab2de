//===- TTLDSTOps.td - DST registers and their life -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops by which a program chooses DST registers itself instead of ttl-assign-dst, and tile
// operations that read their operands from L1 instead of DST.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DSTOPS_TD
#define TTJIT_IR_TTL_DSTOPS_TD

include "ir/TTL/TTLComputeInterfaces.td"
include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLTypes.td"

//===------------------------------------------------------------------------------===//
// In the body of ttl.compute, consumed by ttl-assign-dst
//===------------------------------------------------------------------------------===//

def TTL_RequireDSTOp : TTL_Op<"require_dst", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Marks a tile that must be in a DST register here";
  let description = [{
    A tile in L1 is loaded; the tile stays in its register at least until this op. Erased
    when registers are assigned.
  }];
  let arguments = (ins TTCore_AnyTile:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

def TTL_AcquireDSTOp : TTL_Op<"acquire_dst", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes a DST register out of the allocation until it is released";
  let description = [{
    `%r = ttl.acquire_dst {index = 3 : i64} : index`. Without `index` any register
    that is free; the result becomes its number when registers are assigned.
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
    `%s = ttl.spill_tile_to_l1 %t : !ttcore.tile<32x32, f32> -> index`, to be
    loaded again by `ttl.restore_tile_from_l1 %s`. Packing ends the DST section,
    so ttl-assign-dst splits the compute at the value; the buffer holds Float32,
    so that no bit changes.
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

//===------------------------------------------------------------------------------===//
// Matrix engine (FPU) instead of SFPU
//===------------------------------------------------------------------------------===//

def TTL_FPUBinaryAttr : EnumAttr<TTL_Dialect, TTL_FPUBinary, "fpu_binary"> {
  let assemblyFormat = "$value";
}

def TTL_TileFPUBinaryOp : TTL_Op<"tile_fpu_binary", [
    AlwaysSpeculatable, TTL_RegisterTraits,
    DeclareOpInterfaceMethods<TTL_TileFromL1OpInterface>]> {
  let summary = "Sum, difference or product of two tiles in L1";
  let description = [{
    `ttl.tile_fpu_binary add %a, %b`: operands are block arguments of the
    enclosing `ttl.compute`. A product with `acc` is added to it, as the hardware
    does: one fma per element.
  }];
  let arguments = (ins TTL_FPUBinaryAttr:$kind, TTCore_AnyTile:$lhs, TTCore_AnyTile:$rhs,
                       Optional<TTCore_AnyTile>:$acc, OptionalAttr<I32Attr>:$dst_idx);
  let results = (outs TTCore_AnyTile:$result);
  let assemblyFormat =
      "$kind $lhs `,` $rhs (`acc` $acc^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TTL_FPUBinaryTilesOp : TTL_Op<"fpu_binary_tiles", [TTL_RegisterTraits]> {
  let summary = "The same inside loops: tiles of blocks by number, row-major in the block";
  let description = [{
    Without `acc` nothing may have been written to the register of a product since
    the DST section began.
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

//===------------------------------------------------------------------------------===//
// Registers that outlive a loop's iteration, packs of several tiles
//===------------------------------------------------------------------------------===//

def TTL_DSTTileOp : TTL_Op<"dst_tile", [TTL_DSTResultOpInterface, MemoryEffects<[MemRead]>]> {
  let summary = "The tile in a DST register";
  let description = [{
    The tile was written earlier in the same section, perhaps by another iteration of a
    loop: an accumulator. `ttl-accumulate-in-dst` replaces loads by these.
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
