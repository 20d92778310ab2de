//===- TTLSemaphoreOps.td - semaphores -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A semaphore is one 32-bit word per node. A thread waits for its own node's word; set and inc
// also change words of other nodes. Only data movement threads may use semaphores.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_SEMAPHOREOPS_TD
#define TTJIT_IR_TTL_SEMAPHOREOPS_TD

include "ir/TTL/TTLInterfaces.td"
include "ir/TTL/TTLPipeOps.td"

def TTL_CreateSemaphoreOp : TTL_Op<"create_semaphore", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A 32-bit synchronisation word on every node";
  let description = [{
    ttl-infer-pipe-semaphores sets `semaphore_id`. If no id is left, it sets `page_index`, and
    ttl-allocate-circular-buffers then sets `address`, as for ttl.create_counters.
  }];
  let arguments = (ins StrAttr:$name, DefaultValuedAttr<I32Attr, "0">:$initial_value,
                       OptionalAttr<I32Attr>:$semaphore_id, OptionalAttr<I32Attr>:$page_index,
                       OptionalAttr<I64Attr>:$address);
  let results = (outs TTL_Semaphore:$result);
  // Prints `$name attr-dict : type($result)`; name and type may be left out.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_GetRemoteSemaphoreOp : TTL_Op<"get_remote_semaphore", [Pure]> {
  let summary = "Refers to the same semaphore on another node";
  let description = [{
    `ttl.get_remote_semaphore %s[%x, %y]` names a node by its coordinates, and `[%n]` by its
    flattened number. With `cores` the two numbers are column and row of the compute grid,
    whatever the kernel's grid is.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, Variadic<Index>:$core, UnitAttr:$cores);
  let results = (outs TTL_Semaphore:$result);
  // Prints `$semaphore[$core] attr-dict : type($semaphore) -> type($result)`; reads
  // `$semaphore, core = [0, 0]` too.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_GetRemoteMulticastSemaphoreOp : TTL_Op<"get_remote_multicast_semaphore", [Pure]> {
  let summary = "Refers to the same semaphore on a range of nodes; only ttl.semaphore_set takes it";
  let description = [{
    `core_range` has one slice per dimension, or one slice of flattened node numbers;
    absent means the whole grid. If a node of the range sets the semaphore, it sets its own
    word, too.

    The compiler instead names a rectangle of the compute grid, as in ttl.send_multicast:
    `cores(%x0, %y0, %x1, %y1, %n)`, where the corners are inclusive and n is the number of
    nodes written.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, Variadic<Index>:$corners,
                       OptionalAttr<TTL_SliceArrayAttr>:$core_range, UnitAttr:$loopback);
  let results = (outs TTL_Semaphore:$result);
  // Prints `$semaphore (range $core_range)? (cores($corners))? (loopback)? attr-dict :
  // type($semaphore) -> type($result)`; reads `core_range = [..]` too.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

// Memory order: a set of a word is a release, and a wait for it is an acquire.
class TTL_SemaphoreOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [MemoryEffects<[
        MemRead, MemWrite, MemRead<TTL_SemaphoreResource>, MemWrite<TTL_SemaphoreResource>]>])> {
  let arguments = (ins TTL_Semaphore:$semaphore, I32:$value);
  // Prints `$semaphore, $value attr-dict : type($semaphore)`; the value may be a number.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class TTL_SemaphoreWaitOp<string mnemonic>
    : TTL_SemaphoreOp<mnemonic, [TTL_SynchronizationInterface]> {
  let extraClassDeclaration =
      "std::optional<BarrierType> getBarrierType() { return BarrierType::Semaphore; }";
}

def TTL_SemaphoreWaitEqOp : TTL_SemaphoreWaitOp<"semaphore_wait_eq"> {
  let summary = "Wait until this node's word equals `value`";
}
def TTL_SemaphoreWaitMinOp : TTL_SemaphoreWaitOp<"semaphore_wait_min"> {
  let summary = "Wait until this node's word is at least `value`";
}
def TTL_SemaphoreWaitAnyOp : TTL_Op<"semaphore_wait_any", [
    SameVariadicOperandSize, TTL_SynchronizationInterface,
    MemoryEffects<[MemRead, MemWrite, MemRead<TTL_SemaphoreResource>,
                   MemWrite<TTL_SemaphoreResource>]>]> {
  let summary = "Wait until one of several words of this node is at least its value";
  let description = [{
    `%i = ttl.semaphore_wait_any (%s, %t) at_least (%v, %w) start %n : types` returns the place of
    the first such word in the order n, n + 1, ..., modulo the number of words. It passes over
    words whose value is -1; a list that has only such words is a fault.
  }];
  let arguments = (ins Variadic<TTL_Semaphore>:$semaphores, Variadic<I32>:$values, Index:$start);
  let results = (outs Index:$index);
  let assemblyFormat = [{
    `(` $semaphores `)` `at_least` `(` $values `)` `start` $start attr-dict `:` type($semaphores)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration =
      "std::optional<BarrierType> getBarrierType() { return BarrierType::Semaphore; }";
}
def TTL_SemaphoreSetOp : TTL_SemaphoreOp<"semaphore_set"> {
  let summary = "Set the word of this node, of another node or of a range of nodes";
  let description = [{
    The NoC copies from L1. Therefore a remote set first writes `value` into `scratch`, a word
    of this thread that ttl-infer-pipe-semaphores adds. With `from_scratch` the word contains
    `value` already.
  }];
  let arguments = (ins TTL_Semaphore:$semaphore, I32:$value, Optional<TTL_Semaphore>:$scratch,
                       UnitAttr:$from_scratch);
}
def TTL_SemaphoreIncOp : TTL_SemaphoreOp<"semaphore_inc"> {
  let summary = "Add atomically to the word of another node";
}

def TTL_SemaphoreValueOp : TTL_Op<"semaphore_value", [
    MemoryEffects<[MemRead<TTL_SemaphoreResource>]>]> {
  let summary = "The current value of this node's word";
  let arguments = (ins TTL_Semaphore:$semaphore);
  let results = (outs I32:$result);
  let assemblyFormat = "$semaphore attr-dict `:` type($semaphore)";
}

#endif // TTJIT_IR_TTL_SEMAPHOREOPS_TD
