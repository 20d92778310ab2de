//===- TTLSemaphoreOps.td - semaphores -----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A semaphore is one 32-bit word per node. Waiting is local; set and inc also
// reach other nodes. Only data movement threads may use them.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_SEMAPHOREOPS_TD
#define TTJIT_IR_TTL_SEMAPHOREOPS_TD

include "ir/TTL/TTLInterfaces.td"
include "ir/TTL/TTLPipeOps.td"

def TTL_CreateSemaphoreOp : TTL_Op<"create_semaphore", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A 32-bit synchronisation word on every node";
  let description = [{
    ttl-infer-pipe-semaphores sets `semaphore_id` or, if no id is left, `page_index`;
    ttl-allocate-circular-buffers then sets `address`: see ttl.create_counters.
  }];
  let arguments = (ins StrAttr:$name, DefaultValuedAttr<I32Attr, "0">:$initial_value,
                       OptionalAttr<I32Attr>:$semaphore_id, OptionalAttr<I32Attr>:$page_index,
                       OptionalAttr<I64Attr>:$address);
  let results = (outs TTL_Semaphore:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TTL_GetRemoteSemaphoreOp : TTL_Op<"get_remote_semaphore", [Pure]> {
  let summary = "The same semaphore on another node";
  let description = [{
    `ttl.get_remote_semaphore %s[%x, %y]`, or `[%n]` with a flattened node
    number. With `cores` the two numbers are column and row of the compute grid,
    whatever the kernel's grid is.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, Variadic<Index>:$core, UnitAttr:$cores);
  let results = (outs TTL_Semaphore:$result);
  let assemblyFormat =
      "$semaphore `[` $core `]` attr-dict `:` type($semaphore) `->` type($result)";
  let hasVerifier = 1;
}

def TTL_GetRemoteMulticastSemaphoreOp : TTL_Op<"get_remote_multicast_semaphore", [Pure]> {
  let summary = "The same semaphore on a range of nodes; only ttl.semaphore_set takes it";
  let description = [{
    `core_range` has one slice per dimension, or one of flattened node numbers;
    absent means the whole grid. A node of the range that sets it sets its own
    word too.

    The compiler's form instead names a rectangle of the compute grid: `cores(%x0,
    %y0, %x1, %y1, %n)`, corners inclusive, n nodes written, as
    ttl.send_multicast does.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, Variadic<Index>:$corners,
                       OptionalAttr<TTL_SliceArrayAttr>:$core_range, UnitAttr:$loopback);
  let results = (outs TTL_Semaphore:$result);
  let assemblyFormat = [{
    $semaphore (`range` custom<SliceRange>($core_range)^)? (`cores` `(` $corners^ `)`)?
    (`loopback` $loopback^)? attr-dict `:` type($semaphore) `->` type($result)
  }];
  let hasVerifier = 1;
}

// Memory order: setting a word is a release, waiting for it is an acquire.
class TTL_SemaphoreOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [MemoryEffects<[
        MemRead, MemWrite, MemRead<TTL_SemaphoreResource>, MemWrite<TTL_SemaphoreResource>]>])> {
  let arguments = (ins TTL_Semaphore:$semaphore, I32:$value);
  let assemblyFormat = "$semaphore `,` $value attr-dict `:` type($semaphore)";
  let hasVerifier = 1;
}

class TTL_SemaphoreWaitOp<string mnemonic>
    : TTL_SemaphoreOp<mnemonic, [TTL_SynchronizationInterface]> {
  let extraClassDeclaration =
      "std::optional<BarrierType> getBarrierType() { return BarrierType::Semaphore; }";
}

def TTL_SemaphoreWaitEqOp : TTL_SemaphoreWaitOp<"semaphore_wait_eq"> {
  let summary = "Block until this node's word equals `value`";
}
def TTL_SemaphoreWaitMinOp : TTL_SemaphoreWaitOp<"semaphore_wait_min"> {
  let summary = "Block until this node's word is at least `value`";
}
def TTL_SemaphoreSetOp : TTL_SemaphoreOp<"semaphore_set"> {
  let summary = "Set the word: this node's, another node's or a range of nodes'";
  let description = [{
    A remote set writes `value` through `scratch`, a word of this thread that
    ttl-infer-pipe-semaphores adds: the NoC copies from L1. With `from_scratch`
    the word holds `value` already.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, I32:$value, Optional<TTL_Semaphore>:$scratch,
                       UnitAttr:$from_scratch);
  let assemblyFormat = [{
    $semaphore `,` $value (`through` $scratch^ `:` type($scratch))?
    (`from_scratch` $from_scratch^)? attr-dict `:` type($semaphore)
  }];
}
def TTL_SemaphoreIncOp : TTL_SemaphoreOp<"semaphore_inc"> {
  let summary = "Add to another node's word, atomically";
}

def TTL_SemaphoreValueOp : TTL_Op<"semaphore_value", [
    MemoryEffects<[MemRead<TTL_SemaphoreResource>]>]> {
  let summary = "The current value of this node's word";
  let arguments = (ins TTL_Semaphore:$semaphore);
  let results = (outs I32:$result);
  let assemblyFormat = "$semaphore attr-dict `:` type($semaphore)";
}

#endif // TTJIT_IR_TTL_SEMAPHOREOPS_TD
