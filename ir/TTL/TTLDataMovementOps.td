//===- TTLDataMovementOps.td - transfers and synchronisation ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DATAMOVEMENTOPS_TD
#define TTJIT_IR_TTL_DATAMOVEMENTOPS_TD

include "ir/TTL/TTLInterfaces.td"
include "ir/TTL/TTLPipeTypes.td"

def TTL_IndexAccessorOp : TTL_Op<"index_accessor", [Pure]> {
  let summary = "The part of a tensor that starts at these indices";
  let description = [{
    `%s = ttl.index_accessor %acc[%i, %j] : !ttl.accessor<...> -> !ttl.tensor_slice<[2, 1], ...>`
    has one index per dimension of the tensor as stored, in the units of its layout.
  }];
  let arguments = (ins TTL_TensorAccessor:$accessor, Variadic<Index>:$indices);
  let results = (outs TTL_TensorSlice:$result);
  let assemblyFormat =
      "$accessor `[` $indices `]` attr-dict `:` type($accessor) `->` type($result)";
  let hasVerifier = 1;
}

def TTL_CheckIndexOp : TTL_Op<"check_index", [MemoryEffects<[MemWrite<TTL_FaultResource>]>]> {
  let summary = "Report a fault unless 0 <= index and index + size <= bound";
  let description = [{
    Checks the bounds of a slice that starts at a run-time index. `tensor` is the user's
    name of the tensor, `dim` the dimension. With `of_block` it checks the place of an
    element in a block of the buffer `tensor`. The attribute `unit` may say what the index
    counts, such as "tile rows" (ir/TTL/IndexUnits.h). Only the host makes the check: no
    code is emitted for the device.
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
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>]> {
  let summary = "Start an asynchronous transfer";
  let description = [{
    Copies a slice to a block or a block to a slice; in the callbacks of a net also a block
    to a pipe or a pipe to a block. The extents must match, except for leading 1s. In
    `ttl.copy %slice, %blk part %tile` only a part of the block is copied: it has the
    slice's extents, and its first tile has the row-major number `%tile` in the block. The
    parser also accepts a tensor or an accessor, whose start is in `src_coords`
    (`dst_coords`): see ttl.copy_buffer, which ttl-canonicalize turns into a slice.
    ttl-assign-transfer-ids sets `transfer_id` or, if a loop carries the handle, `id`, which
    is the same as a run-time value.
  }];
  let arguments = (ins TTL_TransferEnd:$src, TTL_TransferEnd:$dst,
                       Optional<I32>:$id, Optional<Index>:$part, OptionalAttr<I32Attr>:$transfer_id);
  let results = (outs TTL_TransferHandle:$xf);
  // Prints `$src, $dst (id $id)? (part $part)? attr-dict : type($src), type($dst)`; reads the forms of
  // TTLAliases.cpp too.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the copy moves data from a tensor into this core's L1.
    bool isRead() { return ::llvm::isa<TensorSliceType>(getSrc().getType()); }
    /// Whether the destination (source) is a pipe.
    bool isSend() { return ::llvm::isa<PipeType>(getDst().getType()); }
    bool isReceive() { return ::llvm::isa<PipeType>(getSrc().getType()); }
    /// For a copy of a part: the extents of the whole block, in the dimensions of the slice.
    ::llvm::SmallVector<int64_t> getWholeExtents();
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst,
                                 CArg<"::mlir::Value", "{}">:$part), [{
    build($_builder, $_state, TransferHandleType::get($_builder.getContext()), src, dst,
          ::mlir::Value(), part, ::mlir::IntegerAttr());
  }]>];
}

def TTL_WaitOp : TTL_Op<"wait", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>,
    DeclareOpInterfaceMethods<TTL_SynchronizationInterface, ["getBarrierType"]>]> {
  let summary = "Wait until a transfer is complete";
  let arguments = (ins TTL_TransferHandle:$xf);
  // Prints `$xf attr-dict`; a handle's type may follow, as tt-lang writes it.
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

def TTL_WaitAnyOp : TTL_Op<"wait_any", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>,
    TTL_SynchronizationInterface]> {
  let summary = "Wait until one of several receives has arrived, and complete that one";
  let description = [{
    `%i = ttl.wait_any %a, %b start %s` completes one receive over a pipe, and `%i` is its place
    in the list. If several have arrived, it completes the first of them in the order s, s + 1,
    ..., modulo the length of the list. It passes over receives that were completed before. The
    others stay in flight.
  }];
  let arguments = (ins Variadic<TTL_TransferHandle>:$xfs, Index:$start);
  let results = (outs Index:$index);
  let assemblyFormat = "$xfs `start` $start attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration =
      "std::optional<BarrierType> getBarrierType() { return BarrierType::Semaphore; }";
}

def TTL_DMABarrierOp : TTL_Op<"dma_barrier", [
    MemoryEffects<[MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>,
    DeclareOpInterfaceMethods<TTL_SynchronizationInterface, [
      "getBarrierType", "isGlobalBarrier"]>]> {
  let summary = "Wait until transfers of this thread are complete";
  let description = [{
    `ttl.dma_barrier` waits for all transfers, `ttl.dma_barrier reads` (`writes`) for all of
    one direction, and `ttl.dma_barrier reads id %i` for those with that transfer id.
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
