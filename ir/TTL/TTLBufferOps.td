//===- TTLBufferOps.td - acquiring and releasing blocks ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_BUFFEROPS_TD
#define TTJIT_IR_TTL_BUFFEROPS_TD

include "ir/TTL/TTLTypes.td"

class TTL_AcquireOp<string mnemonic> : TTL_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"block is a slot of the buffer", "block", "cb",
                   "::llvm::cast<BlockType>($_self).getCircularBuffer()">]> {
  let arguments = (ins TTL_CircularBuffer:$cb);
  let results = (outs TTL_Block:$block);
  let assemblyFormat = "$cb attr-dict `:` type($block)";
  let builders = [OpBuilder<(ins "::mlir::Value":$cb), [{
    auto type = ::llvm::cast<CircularBufferType>(cb.getType());
    build($_builder, $_state, BlockType::get(type), cb);
  }]>];
}

def TTL_CBWaitOp : TTL_AcquireOp<"cb_wait"> {
  let summary = "Consumer acquires the oldest filled slot; blocks while there is none";
}

def TTL_CBReserveOp : TTL_AcquireOp<"cb_reserve"> {
  let summary = "Producer acquires a free slot; blocks while there is none";
}

class TTL_ReleaseOp<string mnemonic> : TTL_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TTL_Block:$block);
  let assemblyFormat = "$block attr-dict `:` type($block)";
}

def TTL_CBPopOp : TTL_ReleaseOp<"cb_pop"> {
  let summary = "Consumer frees a slot it waited for";
}

def TTL_CBPushOp : TTL_ReleaseOp<"cb_push"> {
  let summary = "Producer publishes a slot it reserved";
}

#endif // TTJIT_IR_TTL_BUFFEROPS_TD
