//===- D2MRegionOps.td - indices, transfers, queues, semaphores *- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops of the regions of d2m.generic and of functions that are threads.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_D2M_REGIONOPS_TD
#define TTJIT_IR_MODULES_D2M_REGIONOPS_TD

include "ir/modules/D2M/D2MHostOps.td"

//===--------------------------------------------------------------------------===//
// Indices and arguments
//===--------------------------------------------------------------------------===//

class D2M_IndexOp<string mnemonic, string what, dag more = (ins)>
    : D2M_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = !con((ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim), more);
  let results = (outs Index:$result);
  let assemblyFormat = "`(` $dim `)` attr-dict `:` type($result)";
}
def D2M_IterIndexOp : D2M_IndexOp<"iter_index", "Loop index of a dimension in this step">;
def D2M_BlockIndexOp
    : D2M_IndexOp<"block_index", "Index of this step's block in the whole tensor">;
def D2M_BlockOffsetOp
    : D2M_IndexOp<"block_offset", "Index of this core's first block in the whole tensor">;
def D2M_GetBlockFactorOp
    : D2M_IndexOp<"get_block_factor", "Number of this core's steps along a dimension">;
def D2M_CoreIndexOp : D2M_IndexOp<"core_index", "Coordinate of this core: 0 is the row, 1 the column",
                                  (ins OptionalAttr<AffineMapAttr>:$phys_to_virt_map)>;

def D2M_MeshPositionOp : D2M_Op<"mesh_position", [Pure]> {
  let summary = "Position of this chip in the mesh";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
}

class D2M_ArgumentOp<string mnemonic, Type type, string what> : D2M_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$operand_index,
                       OptionalAttr<D2M_ResolutionStageAttr>:$resolution_stage);
  let results = (outs type:$result);
  let assemblyFormat = [{
    `(` $operand_index `)` (`resolution_stage` `=` $resolution_stage^)? attr-dict `:` type($result)
  }];
}
def D2M_GetCBOp : D2M_ArgumentOp<"get_cb", D2M_CB, "The queue of an operand of d2m.generic">;
def D2M_GetArgOp : D2M_ArgumentOp<"get_arg", AnyType, "An operand of d2m.generic itself">;

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

def D2M_RemoteLoadOp : D2M_Op<"remote_load", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copy a shard of an operand into a local block or a queue";
  let arguments = (ins Optional<D2M_Shaped>:$localBuffer, D2M_Shaped:$memref,
                       Variadic<Index>:$indices, Optional<D2M_CB>:$cb,
                       Variadic<Index>:$mcastStartIndex, Variadic<Index>:$mcastShape,
                       Variadic<Index>:$mcastDims);
  let results = (outs Optional<D2M_Shaped>:$result);
  // Two operands stand next to each other, which no declarative format can tell apart.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def D2M_RemoteStoreOp : D2M_Op<"remote_store", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copy a local block, or the oldest one of a queue, into a shard of an operand";
  let arguments = (ins D2M_Shaped:$memref, Variadic<Index>:$indices,
                       Optional<D2M_Shaped>:$localBuffer, Optional<D2M_CB>:$cb,
                       Variadic<Index>:$startDevice, Variadic<Index>:$deviceMcastShape,
                       Optional<D2M_GlobalSemaphore>:$semaphore,
                       Variadic<Index>:$semaphoreIndices);
  let results = (outs Optional<D2M_Shaped>:$result);
  let assemblyFormat = [{
    $memref `[` $indices `]` ($localBuffer^)? (`from` $cb^)?
    (`devices` `startDevice` `[` $startDevice^ `]`)? (`deviceMcastShape` `[` $deviceMcastShape^ `]`)?
    (`semaphore` `increment` $semaphore^ `[` $semaphoreIndices `]`)? attr-dict
    `:` type($memref) (`,` type($localBuffer)^)? (`from` qualified(type($cb))^)?
    (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def D2M_LocalCopyOp : D2M_Op<"local_copy", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copy between blocks of one core, both at mapped indices";
  let arguments = (ins Optional<D2M_Shaped>:$src, Optional<D2M_Shaped>:$dst,
                       Optional<D2M_CB>:$srcCb, Optional<D2M_CB>:$dstCb,
                       AffineMapArrayAttr:$indexing_maps);
  let results = (outs Optional<AnyType>:$result);
  let assemblyFormat = [{
    (`from` $srcCb^ `into` $dstCb)? ($src^ `,` $dst)? `indexing_maps` `=` $indexing_maps attr-dict
    `:` type(operands) (`->` type($result)^)?
  }];
}

def D2M_DMAReadOp : D2M_Op<"dma_read", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start a copy of a shard into a local block";
  let arguments = (ins D2M_Shaped:$src, Variadic<Index>:$srcIndices, D2M_Shaped:$dst,
                       Variadic<Index>:$dstIndices, I64Attr:$numElems,
                       OptionalAttr<AffineMapAttr>:$tensorAccessorPageMap);
  let results = (outs D2M_MemTx:$result);
  let assemblyFormat = [{
    $src `[` $srcIndices `]` `,` $dst (`[` $dstIndices^ `]`)? `,` `<` $numElems `>` attr-dict `:`
    `(` type($src) `,` type($dst) `)` `->` qualified(type($result))
  }];
}

def D2M_DMAWriteOp : D2M_Op<"dma_write", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start a copy of a local block into a shard, or to the same block of other cores";
  let arguments = (ins D2M_Shaped:$src, Variadic<Index>:$srcIndices, D2M_Shaped:$dst,
                       Variadic<Index>:$dstIndices, Variadic<Index>:$mcastStartIndex,
                       Variadic<Index>:$mcastShape, Variadic<Index>:$startDevice,
                       Variadic<Index>:$deviceMcastShape, I64Attr:$numElems,
                       OptionalAttr<AffineMapAttr>:$tensorAccessorPageMap);
  let results = (outs D2M_MemTx:$result);
  let assemblyFormat = [{
    $src (`[` $srcIndices^ `]`)? `,` $dst (`[` $dstIndices^ `]`)?
    (`core` `[` $mcastStartIndex^ `]` `mcast` `[` $mcastShape `]`)?
    (`startDevice` `[` $startDevice^ `]`)? (`deviceMcastShape` `[` $deviceMcastShape^ `]`)?
    `,` `<` $numElems `>` attr-dict `:`
    `(` type($src) `,` type($dst) `)` `->` qualified(type($result))
  }];
}

def D2M_NullTxOp : D2M_Op<"null_tx", [Pure]> {
  let summary = "A transfer that is complete";
  let results = (outs D2M_MemTx:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def D2M_DMAWaitOp : D2M_Op<"dma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait until a transfer is complete";
  let arguments = (ins D2M_MemTx:$mem_tx);
  // Older text has no type.
  let hasCustomAssemblyFormat = 1;
}

def D2M_IndexedRowCopyOp : D2M_Op<"indexed_row_copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copy the rows that a block of indices names";
  let arguments = (ins AnyMemRef:$indices, AnyMemRef:$src, AnyMemRef:$dst,
                       AnyMemRef:$indexScratch, AnyMemRef:$rowScratch, I64Attr:$numRows,
                       I64Attr:$rowWidth, DenseI64ArrayAttr:$indicesShape);
  let assemblyFormat = [{
    $indices `,` $src `,` $dst `scratch` $indexScratch `,` $rowScratch
    `<` $numRows `,` $rowWidth `>` attr-dict `:` type($indices) `,` type($src) `,` type($dst) `,`
    type($indexScratch) `,` type($rowScratch)
  }];
}

def D2M_EmbeddingOp : D2M_Op<"embedding", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "The rows of a table that a tensor of indices names";
  let arguments = (ins AnyRankedTensor:$indices, AnyRankedTensor:$weight, AnyRankedTensor:$output,
                       I64Attr:$numIndices, I64Attr:$embeddingDim,
                       DenseI64ArrayAttr:$indicesShape);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $indices `,` $weight `,` $output `<` $numIndices `,` $embeddingDim `>` attr-dict
    `:` type($indices) `,` type($weight) `,` type($output) `->` type($result)
  }];
}

//===--------------------------------------------------------------------------===//
// Queues
//===--------------------------------------------------------------------------===//

class D2M_AcquireOp<string mnemonic, string what>
    : D2M_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = what;
  let arguments = (ins D2M_CB:$cb);
  let results = (outs D2M_Shaped:$result);
  let assemblyFormat = "$cb attr-dict `:` type($cb) `->` type($result)";
}
def D2M_WaitOp : D2M_AcquireOp<"wait", "The oldest block of a queue, when there is one">;
def D2M_ReserveOp : D2M_AcquireOp<"reserve", "A free slot of a queue, when there is one">;

class D2M_ReleaseOp<string mnemonic, string what>
    : D2M_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = what;
  let arguments = (ins D2M_CB:$cb);
  let assemblyFormat = "$cb attr-dict `:` type($cb)";
}
def D2M_PushOp : D2M_ReleaseOp<"push", "Hand the reserved slot to the consumer">;
def D2M_PopOp : D2M_ReleaseOp<"pop", "Free the oldest block">;

def D2M_StoreOp : D2M_Op<"store", [AllTypesMatch<["dst", "src"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "In older text: write a computed block into a slot";
  let arguments = (ins D2M_Shaped:$dst, D2M_Shaped:$src);
  let assemblyFormat = "$dst `,` $src attr-dict `:` type($dst)";
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

class D2M_SemaphoreUpdateOp<string mnemonic, string what>
    : D2M_Op<mnemonic, [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = what;
  let arguments = (ins D2M_Semaphore:$semaphore, Index:$value, Variadic<Index>:$dstCoreIndex,
                       Variadic<Index>:$mcastShape, Variadic<Index>:$startDevice,
                       Variadic<Index>:$deviceMcastShape);
  let assemblyFormat = [{
    $semaphore `,` $value (`,` `core` `[` $dstCoreIndex^ `]`)? (`mcast` `[` $mcastShape^ `]`)?
    (`startDevice` `[` $startDevice^ `]`)? (`deviceMcastShape` `[` $deviceMcastShape^ `]`)? attr-dict
    `:` type($semaphore)
  }];
}
def D2M_SemaphoreSetOp
    : D2M_SemaphoreUpdateOp<"semaphore_set", "Set the counter of this core, another one or several">;
def D2M_SemaphoreIncOp
    : D2M_SemaphoreUpdateOp<"semaphore_inc", "Add to the counter of this core, another one or several">;

def D2M_SemaphoreWaitOp : D2M_Op<"semaphore_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Wait until the counter has this value, then reset it";
  let arguments = (ins D2M_Semaphore:$semaphore, Index:$value, Optional<Index>:$resetValue);
  let assemblyFormat =
      "$semaphore `,` $value (`reset` $resetValue^)? attr-dict `:` type($semaphore)";
}

def D2M_DeviceSynchronizeOp : D2M_Op<"device_synchronize", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Barrier of several chips";
  let arguments = (ins D2M_GlobalSemaphore:$sync_semaphore, Variadic<Index>:$senderStartDevice,
                       Variadic<Index>:$senderDeviceMcastShape, I32Attr:$numReceivers,
                       Variadic<Index>:$coreIndices);
}

//===--------------------------------------------------------------------------===//
// Local memory
//===--------------------------------------------------------------------------===//

def D2M_AcquireDstOp : D2M_Op<"acquire_dst", [MemoryEffects<[MemAlloc]>]> {
  let summary = "The DST registers as a memref";
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
}

def D2M_OperandAliasOp : D2M_Op<"operand_alias", [Pure]> {
  let summary = "This core's shard of an operand as a local memref";
  let arguments = (ins AnyMemRef:$memref);
  let results = (outs AnyMemRef:$aliasedBuffer);
  let assemblyFormat = "$memref attr-dict `:` type($memref) `->` type($aliasedBuffer)";
}

def D2M_ScratchAllocateOp : D2M_Op<"scratch_allocate", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A local buffer for intermediate values";
  let arguments = (ins I64Attr:$slot);
  let results = (outs AnyMemRef:$result);
  // Prints `{slot = n} : type`.
  let assemblyFormat = "attr-dict `:` type($result)";
}

def D2M_ScratchInitOp : D2M_Op<"scratch_init", [MemoryEffects<[MemWrite]>]> {
  let summary = "The buffer of which scratch_allocate takes parts";
  let arguments = (ins AnyMemRef:$scratch);
  let assemblyFormat = "$scratch attr-dict `:` type($scratch)";
}

def D2M_SetL1AccumulateOp : D2M_Op<"set_l1_accumulate", [MemoryEffects<[MemWrite]>]> {
  let summary = "Whether packing adds to the tile in L1";
  let arguments = (ins I32:$enable);
  let assemblyFormat = "`(` $enable `)` attr-dict";
}

def D2M_UnpackStallOnPackOp : D2M_Op<"unpack_stall_on_pack", [MemoryEffects<[MemWrite]>]> {
  let summary = "Let the unpacker wait for the packer";
  let assemblyFormat = "attr-dict";
}

def D2M_PrintOp : D2M_Op<"print", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Print text with values in it";
  let arguments = (ins StrAttr:$fmt, Variadic<AnyType>:$argv);
  let assemblyFormat = "`(` $fmt (`,` $argv^)? `)` attr-dict `:` functional-type($argv, results)";
}

#endif // TTJIT_IR_MODULES_D2M_REGIONOPS_TD
