//===- TTLAliasOps.td - ops of tt-lang's own dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Text written for tt-lang names buffers where ours names blocks. Such ops read in
// as what follows and ttl-canonicalize replaces them; no other pass knows them. Names
// that only differ are translated while parsing, see TTLAliases.cpp.
//===------------------------------------------------------------------------------===//

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
  let summary = "First coordinate of this node: result 0 of ttl.core";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def TTL_CoreYOp : TTL_AliasOp<"core_y", [Pure]> {
  let summary = "Second coordinate of this node: result 1 of ttl.core";
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
  let summary = "`ttl.cb_wait %cb : <...> -> tensor<...>`: the block as a tensor";
}
def TTL_CBReserveTensorOp : TTL_AcquireTensorOp<"cb_reserve_tensor"> {
  let summary = "`ttl.cb_reserve %cb : <...> -> tensor<...>`: the block as a tensor";
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
  let summary = "States which buffer a tensor stands in; only for tensors that the buffer gave";
  let arguments = (ins TTL_Tensor:$tensor, TTL_CircularBuffer:$cb);
  let results = (outs TTL_Tensor:$result);
  let assemblyFormat =
      "$tensor `,` $cb attr-dict `:` `(` type($tensor) `,` type($cb) `)` `->` type($result)";
  let hasVerifier = 1;
}

def TTL_TensorPartOp : TTL_AliasOp<"tensor_part", [Pure]> {
  let summary = "`ttl.tensor_slice %t[%row, %col]`: the part of a tensor that starts there";
  let arguments = (ins TTL_Tensor:$tensor, Variadic<Index>:$indices);
  let results = (outs TTL_Tensor:$result);
  let assemblyFormat = "$tensor `[` $indices `]` attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def TTL_CopyBufferOp : TTL_AliasDeviceOp<"copy_buffer"> {
  let summary = "`ttl.copy` between a tensor and a buffer: its latest open block";
  let arguments = (ins AnyTypeOf<[TTL_CircularBuffer, TTL_Tensor]>:$src,
                       AnyTypeOf<[TTL_CircularBuffer, TTL_Tensor]>:$dst);
  let results = (outs TTL_TransferHandle:$xf);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_ALIASOPS_TD
