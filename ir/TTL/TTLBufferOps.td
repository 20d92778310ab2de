//===- TTLBufferOps.td - acquiring and releasing blocks --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_BUFFEROPS_TD
#define TTJIT_IR_TTL_BUFFEROPS_TD

include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLInterfaces.td"
include "ir/TTL/TTLTypes.td"

class TTL_AcquireOp<string mnemonic> : TTL_Op<mnemonic, [
    MemoryEffects<[MemRead<TTL_BufferResource>, MemWrite<TTL_BufferResource>]>,
    TTL_SynchronizationInterface,
    TypesMatchWith<"block is a slot of the buffer", "block", "cb",
                   "::llvm::cast<BlockType>($_self).getCircularBuffer()">]> {
  let description = [{
    `outstanding` is the number of blocks of this buffer that the thread holds afterwards
    and acquired by the same kind of op, the new one included; 1 if absent. ttl-bufferize
    sets the attribute. A thread that counts its blocks while it runs has it from the start.
  }];
  let arguments = (ins TTL_CircularBuffer:$cb, OptionalAttr<I32Attr>:$outstanding);
  let results = (outs TTL_Block:$block);
  // Prints `$cb attr-dict : type($block)`; reads the forms of TTLAliases.cpp too.
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration =
      "std::optional<BarrierType> getBarrierType() { return BarrierType::CB; }";
  let builders = [OpBuilder<(ins "::mlir::Value":$cb), [{
    auto type = ::llvm::cast<CircularBufferType>(cb.getType());
    build($_builder, $_state, BlockType::get(type), cb, ::mlir::IntegerAttr());
  }]>];
}

def TTL_CBWaitOp : TTL_AcquireOp<"cb_wait"> {
  let summary = "The consumer acquires the oldest filled slot; it waits while there is none";
}

def TTL_CBReserveOp : TTL_AcquireOp<"cb_reserve"> {
  let summary = "The producer acquires a free slot; it waits while there is none";
}

class TTL_ReleaseOp<string mnemonic> : TTL_Op<mnemonic, [
    MemoryEffects<[MemRead<TTL_BufferResource>, MemWrite<TTL_BufferResource>]>]> {
  let arguments = (ins TTL_Block:$block);
  // Prints `$block attr-dict : type($block)`; reads the forms of TTLAliases.cpp too.
  let hasCustomAssemblyFormat = 1;
}

def TTL_CBPopOp : TTL_ReleaseOp<"cb_pop"> {
  let summary = "The consumer frees a slot that it waited for";
}

def TTL_CBPushOp : TTL_ReleaseOp<"cb_push"> {
  let summary = "The producer publishes a slot that it reserved";
}

def TTL_CBPublishOp : TTL_Op<"cb_publish", [
    MemoryEffects<[MemRead<TTL_BufferResource>, MemWrite<TTL_BufferResource>]>]> {
  let summary = "Makes all blocks of a tensor-backed buffer readable, without a copy";
  let description = [{
    `ttl.cb_publish %cb : !ttl.cb<...>` fills every slot of the buffer at once: their contents
    are those of the tensor. A data movement thread does this once.
  }];
  let arguments = (ins TTL_CircularBuffer:$cb);
  let assemblyFormat = "$cb attr-dict `:` type($cb)";
}

//===--------------------------------------------------------------------------===//
// Several blocks of one buffer
//===--------------------------------------------------------------------------===//

def TTL_HeldBlockOp : TTL_Op<"held_block", [
    MemoryEffects<[MemRead]>,
    TypesMatchWith<"block is a slot of the buffer", "block", "cb",
                   "::llvm::cast<BlockType>($_self).getCircularBuffer()">]> {
  let summary = "A block that the thread holds, by its number in the order of acquisition";
  let description = [{
    `%b = ttl.held_block %cb[1] : !ttl.block<...>` is the second oldest block that the
    thread waited for (with `reserved`: reserved) and still holds. ttl-name-held-blocks
    replaces blocks that loops carry by this op. A thread that counts its blocks while it
    runs names them by this op and ttl.block_at.
  }];
  let arguments = (ins TTL_CircularBuffer:$cb, I32Attr:$older, UnitAttr:$reserved);
  let results = (outs TTL_Block:$block);
  let assemblyFormat = "$cb `[` $older `]` attr-dict `:` type($block)";
}

def TTL_BlockAtOp : TTL_Op<"block_at", [Pure, AllTypesMatch<["block", "result"]>]> {
  let summary = "A held block with its distance from its buffer's front";
  let description = [{
    `%v = ttl.block_at %b[%pages] : !ttl.block<...>` is the block `%b`, whose first page
    is `%pages` pages after the front of its buffer (for reserved blocks: after the start
    of the reserved region). The number is negative if the ring ends between the two. The
    value is valid until the next block of the buffer is released.
  }];
  let arguments = (ins TTL_Block:$block, Index:$pages);
  let results = (outs TTL_Block:$result);
  let assemblyFormat = "$block `[` $pages `]` attr-dict `:` type($block)";
}

#endif // TTJIT_IR_TTL_BUFFEROPS_TD
