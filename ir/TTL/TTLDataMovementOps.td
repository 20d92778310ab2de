//===- TTLDataMovementOps.td - transfers and synchronisation -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DATAMOVEMENTOPS_TD
#define TTJIT_IR_TTL_DATAMOVEMENTOPS_TD

include "ir/TTL/TTLInterfaces.td"
include "ir/TTL/TTLPipeTypes.td"

def TTL_IndexAccessorOp : TTL_Op<"index_accessor", [Pure]> {
  let summary = "The part of a tensor that starts at these indices";
  let description = [{
    `%s = ttl.index_accessor %acc[%i, %j] : !ttl.accessor<...> -> !ttl.tensor_slice<[2, 1], ...>`.
    One index per dimension of the tensor as stored, in the units of its layout.
  }];
  let arguments = (ins TTL_TensorAccessor:$accessor, Variadic<Index>:$indices);
  let results = (outs TTL_TensorSlice:$result);
  let assemblyFormat =
      "$accessor `[` $indices `]` attr-dict `:` type($accessor) `->` type($result)";
  let hasVerifier = 1;
}

def TTL_CheckIndexOp : TTL_Op<"check_index", [MemoryEffects<[MemWrite<TTL_FaultResource>]>]> {
  let summary = "Fault unless 0 <= index and index + size <= bound";
  let description = [{
    Bounds of a slice with a run-time start. `tensor` is the user's name for it,
    `dim` the dimension. With `of_block`: bounds of an element in a block of the buffer
    `tensor`. Host only: nothing is emitted for the device.
  }];
  let arguments = (ins Index:$index, I64Attr:$size, I64Attr:$bound, I64Attr:$dim,
                       StrAttr:$tensor, UnitAttr:$of_block);
  let assemblyFormat = "$index attr-dict";
  let extraClassDeclaration = [{
    /// "tensor 'a'", "a block of 'a_dfb'": for messages.
    std::string describeObject() {
      return (getOfBlock() ? "a block of '" : "tensor '") + getTensor().str() + "'";
    }
  }];
}

def TTL_TransferEnd : AnyTypeOf<[TTL_TensorSlice, TTL_Block, TTL_Pipe],
                                "part of a tensor, block or pipe">;

def TTL_CopyOp : TTL_Op<"copy", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>]> {
  let summary = "Start an asynchronous transfer";
  let description = [{
    Forms: slice to block, block to slice; inside the callbacks of a net block to
    pipe and pipe to block. Extents must match, 1s on the left apart. A tensor or an
    accessor reads in, too, with its start in `src_coords` (`dst_coords`): see
    ttl.copy_buffer, which ttl-canonicalize turns into a slice.
    `transfer_id` is set by ttl-assign-transfer-ids, or `id`, the same as a
    run-time value, where a loop carries the handle.
  }];
  let arguments = (ins TTL_TransferEnd:$src, TTL_TransferEnd:$dst,
                       Optional<I32>:$id, OptionalAttr<I32Attr>:$transfer_id);
  let results = (outs TTL_TransferHandle:$xf);
  // Prints `$src, $dst (id $id)? attr-dict : type($src), type($dst)`; reads the forms of
  // TTLAliases.cpp too.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// True if data comes from a tensor into this core's L1.
    bool isRead() { return ::llvm::isa<TensorSliceType>(getSrc().getType()); }
    /// True if one end is a pipe.
    bool isSend() { return ::llvm::isa<PipeType>(getDst().getType()); }
    bool isReceive() { return ::llvm::isa<PipeType>(getSrc().getType()); }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst), [{
    build($_builder, $_state, TransferHandleType::get($_builder.getContext()), src, dst,
          ::mlir::Value(), ::mlir::IntegerAttr());
  }]>];
}

def TTL_WaitOp : TTL_Op<"wait", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>,
    DeclareOpInterfaceMethods<TTL_SynchronizationInterface, ["getBarrierType"]>]> {
  let summary = "Block until a transfer is complete";
  let arguments = (ins TTL_TransferHandle:$xf);
  // Prints `$xf attr-dict`; a handle's type may follow, as tt-lang writes it.
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

def TTL_DMABarrierOp : TTL_Op<"dma_barrier", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>,
    DeclareOpInterfaceMethods<TTL_SynchronizationInterface, [
      "getBarrierType", "isGlobalBarrier"]>]> {
  let summary = "Block until transfers of this thread are complete";
  let description = [{
    `ttl.dma_barrier` waits for every transfer, `ttl.dma_barrier reads` (`writes`)
    for those of one direction, `ttl.dma_barrier reads id %i` for those with that
    transfer id.
  }];
  let arguments = (ins OptionalAttr<TTL_TransferDirection>:$direction, Optional<I32>:$id);
  let assemblyFormat = "($direction^)? (`id` $id^)? attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins), "build($_builder, $_state, nullptr, ::mlir::Value());">,
                  OpBuilder<(ins "TransferDirection":$direction,
                                 CArg<"::mlir::Value", "{}">:$id),
    [{
      build($_builder, $_state, TransferDirectionAttr::get($_builder.getContext(), direction), id);
    }]>];
  let extraClassDeclaration = [{
    bool waitsForReads() { return getDirection() != TransferDirection::Writes; }
    bool waitsForWrites() { return getDirection() != TransferDirection::Reads; }
  }];
}

#endif // TTJIT_IR_TTL_DATAMOVEMENTOPS_TD
