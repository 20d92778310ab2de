//===- TTLResetOps.td - resets of buffers ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Its op is generated apart from those of TTLOps.td: include ir/TTL/TTLResetOps.h to name it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_RESETOPS_TD
#define TTJIT_IR_TTL_RESETOPS_TD

include "ir/TTL/TTLPipeTypes.td"
include "ir/TTL/TTLTypes.td"

def TTL_CBResetOp : TTL_Op<"cb_reset", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite, MemRead<TTL_BufferResource>, MemWrite<TTL_BufferResource>,
                   MemRead<TTL_TransferResource>, MemWrite<TTL_TransferResource>]>]> {
  let summary = "The threads of a node meet; then the buffers are empty";
  let description = [{
    `ttl.cb_reset 0 "ttl.reset_dfbs" %a, %b : !cb_a, !cb_b` completes the transfers of the thread
    and waits until the other threads of the node have reached the reset of the same number. Then
    the read and write positions of each buffer are at its first slot, and all its blocks are
    dropped: filled ones and acquired ones. The bytes stay. All threads of the kernel contain the
    reset, with the same buffers. The string is the user's call, for messages.

    `reconfigures` marks a reset after which other buffers may use the memory of the buffers that
    no thread uses any more. `words`, which ttl-infer-pipe-semaphores adds, is a line of L1 through
    which the threads meet on a card.
  }];
  let arguments = (ins I32Attr:$reset, StrAttr:$call, Variadic<TTL_CircularBuffer>:$buffers,
                       Optional<TTL_Counters>:$words,
                       UnitAttr:$reconfigures);
  let assemblyFormat = [{
    $reset $call (`reconfigures` $reconfigures^)?
    (`words` `(` $words^ `:` type($words) `)`)? ($buffers^ `:` type($buffers))? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_RESETOPS_TD
