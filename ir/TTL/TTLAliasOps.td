//===- TTLAliasOps.td - ops of tt-lang's own dialect -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text written for tt-lang names buffers, but our ops name blocks. The parser reads such
// text into the ops of this file, and ttl-canonicalize replaces them; no other pass handles
// them. Ops that differ in their name only are renamed by the parser (TTLAliases.cpp).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_ALIASOPS_TD
#define TTJIT_IR_TTL_ALIASOPS_TD

include "ir/TTL/TTLTypes.td"

def TTL_AliasTrait : NativeOpTrait<"IsAlias"> {
  let cppNamespace = "::mlir::tt::ttl";
}

class TTL_AliasOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [TTL_AliasTrait])>;

class TTL_AliasDeviceOp<string mnemonic>
    : TTL_AliasOp<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def TTL_CoreXOp : TTL_AliasOp<"core_x", [Pure]> {
  let summary = "First coordinate of this node, the same as result 0 of ttl.core";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def TTL_CoreYOp : TTL_AliasOp<"core_y", [Pure]> {
  let summary = "Second coordinate of this node, the same as result 1 of ttl.core";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class TTL_AcquireTensorOp<string mnemonic> : TTL_AliasDeviceOp<mnemonic> {
  let arguments = (ins TTL_CircularBuffer:$cb);
  let results = (outs TTL_Tensor:$result);
  let assemblyFormat = "$cb attr-dict `:` type($cb) `->` type($result)";
  let hasVerifier = 1;
}
def TTL_CBWaitTensorOp : TTL_AcquireTensorOp<"cb_wait_tensor"> {
  let summary = "`ttl.cb_wait %cb : <...> -> tensor<...>`: acquires a filled block as a tensor";
}
def TTL_CBReserveTensorOp : TTL_AcquireTensorOp<"cb_reserve_tensor"> {
  let summary = "`ttl.cb_reserve %cb : <...> -> tensor<...>`: acquires a free block as a tensor";
}

class TTL_ReleaseOldestOp<string mnemonic> : TTL_AliasDeviceOp<mnemonic> {
  let arguments = (ins TTL_CircularBuffer:$cb);
  let assemblyFormat = "$cb attr-dict `:` type($cb)";
}
def TTL_CBPopOldestOp : TTL_ReleaseOldestOp<"cb_pop_oldest"> {
  let summary = "`ttl.cb_pop %cb : <...>`: frees the oldest slot that the thread waited for";
}
def TTL_CBPushOldestOp : TTL_ReleaseOldestOp<"cb_push_oldest"> {
  let summary = "`ttl.cb_push %cb : <...>`: publishes the oldest slot that the thread reserved";
}

def TTL_AttachCBOp : TTL_AliasOp<"attach_cb", [
    MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["tensor", "result"]>]> {
  let summary = "States which buffer holds a tensor; the tensor must come from that buffer";
  let arguments = (ins TTL_Tensor:$tensor, TTL_CircularBuffer:$cb);
  let results = (outs TTL_Tensor:$result);
  let assemblyFormat =
      "$tensor `,` $cb attr-dict `:` `(` type($tensor) `,` type($cb) `)` `->` type($result)";
  let hasVerifier = 1;
}

def TTL_TensorPartOp : TTL_AliasOp<"tensor_part", [Pure]> {
  let summary = "`ttl.tensor_slice %t[%row, %col]`: the part of a tensor from these indices on";
  let arguments = (ins TTL_Tensor:$tensor, Variadic<Index>:$indices);
  let results = (outs TTL_Tensor:$result);
  let assemblyFormat = "$tensor `[` $indices `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def TTL_CopyEnd : AnyTypeOf<[TTL_TensorAccessor, TTL_Tensor, TTL_CircularBuffer, TTL_Block],
                            "tensor, accessor, circular buffer or block">;

def TTL_CopyBufferOp : TTL_AliasDeviceOp<"copy_buffer"> {
  let summary = "`ttl.copy` between a tensor or an accessor and a buffer or a block";
  let description = [{
    `ttl.copy %acc, %blk {src_coords = [0, 2]} : !ttl.accessor<...>, !ttl.block<...>`
    copies the part of the tensor that starts at these coordinates and has the block's
    shape. Coordinates are in the units of the tensor's layout; absent ones are 0. A
    buffer operand means the block of that buffer that the thread acquired last.

    `ttl.copy %acc[%i, %j], %blk` becomes `ttl.copy_buffer %acc, %blk at [%i, %j]`. A single
    index into a tensor of more dimensions is the row-major number of a shard or, in an
    interleaved tensor, of a tile or a row.
  }];
  let arguments = (ins TTL_CopyEnd:$src, TTL_CopyEnd:$dst, Variadic<Index>:$indices,
                       OptionalAttr<I64ArrayAttr>:$src_coords,
                       OptionalAttr<I64ArrayAttr>:$dst_coords);
  let results = (outs TTL_TransferHandle:$xf);
  let assemblyFormat =
      "$src `,` $dst (`at` `[` $indices^ `]`)? attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the copy moves data from a tensor into this core's L1.
    bool isRead() {
      return ::llvm::isa<TensorAccessorType, ::mlir::RankedTensorType>(getSrc().getType());
    }
  }];
}

//===--------------------------------------------------------------------------===//
// Semaphores with numbers instead of values
//===--------------------------------------------------------------------------===//

def TTL_SemaphoreNumberOp : TTL_AliasDeviceOp<"semaphore_number"> {
  let summary = "`ttl.semaphore_set %s, 1` and the like: an op on a semaphore and a constant";
  let arguments = (ins TTL_Semaphore:$semaphore, StrAttr:$action, I32Attr:$value);
  let assemblyFormat = "$action $semaphore `,` $value attr-dict `:` type($semaphore)";
  let hasVerifier = 1;
}

def TTL_RemoteSemaphoreAtOp : TTL_AliasOp<"remote_semaphore_at", [Pure]> {
  let summary = "`ttl.get_remote_semaphore %s, core = [0, 0]`: the semaphore of a constant node";
  let arguments = (ins TTL_Semaphore:$semaphore, DenseI64ArrayAttr:$core);
  let results = (outs TTL_Semaphore:$result);
  let assemblyFormat =
      "$semaphore `,` $core attr-dict `:` type($semaphore) `->` type($result)";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Tiles inside loops
//===--------------------------------------------------------------------------===//

def TTL_LinearizedIndexOp : TTL_AliasOp<"linearized_index", [Pure]> {
  let summary = "A number computed from the iterators of the enclosing loops";
  let description = [{
    `ttl.linearized_index affine_map<(d0, d1) -> (d0 * 2 + d1)> : index` applies the map
    to the induction variables of the innermost loops. The last dimension is the
    innermost loop.
  }];
  let arguments = (ins AffineMapAttr:$index_map);
  let results = (outs Index:$result);
  let assemblyFormat = "$index_map attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TTL_StoreTileOp : TTL_AliasDeviceOp<"store"> {
  let summary = "`ttl.store %tile, %view`: store a tile in a reserved block";
  let description = [{
    `%view` is the result of `ttl.cb_reserve %cb : <...> -> tensor<...>`. The tile's
    indices are the iterators of the enclosing loops, one loop per dimension; a block of
    one tile needs no loops. ttl-canonicalize replaces the op by ttl.pack_tile.
  }];
  let arguments = (ins TTCore_AnyTile:$tile, TTL_Tensor:$view);
  let assemblyFormat = "$tile `,` $view attr-dict `:` type($tile) `,` type($view)";
  let hasVerifier = 1;
}

def TTL_InitSFPUOp : TTL_AliasDeviceOp<"init_sfpu"> {
  let summary = "Configures the hardware; has no effect, since ttl-lower-compute inserts such ops";
  let arguments = (ins TTL_CircularBuffer:$icb, TTL_CircularBuffer:$ocb);
  let assemblyFormat = "`(` $icb `,` $ocb `)` attr-dict `:` type($icb) `,` type($ocb)";
}

#endif // TTJIT_IR_TTL_ALIASOPS_TD
