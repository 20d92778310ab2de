//===- TTKernelNocOps.td - writes and semaphores between nodes -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes, multicasts and semaphore operations of one RISC to one destination on
// one virtual channel arrive in the order in which they were issued: data first,
// then the flag that announces them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_NOCOPS_TD
#define TTJIT_IR_TTKERNEL_NOCOPS_TD

include "ir/TTKernel/TTKernelBase.td"

//===--------------------------------------------------------------------------===//
// Addresses
//===--------------------------------------------------------------------------===//

class TTKernel_PureCall<string mnemonic> : TTKernel_Op<mnemonic, [Pure]> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

def TTKernel_ConvertLogicalXOp : TTKernel_PureCall<"convert_logical_x_to_translated"> {
  let summary = "NoC coordinate of a column of the compute grid";
  let arguments = (ins I32:$x);
  let results = (outs I32:$result);
}
def TTKernel_ConvertLogicalYOp : TTKernel_PureCall<"convert_logical_y_to_translated"> {
  let summary = "NoC coordinate of a row of the compute grid";
  let arguments = (ins I32:$y);
  let results = (outs I32:$result);
}
def TTKernel_GetNocAddrOp : TTKernel_PureCall<"get_noc_addr"> {
  let summary = "An L1 address on the node at this NoC coordinate";
  let arguments = (ins I32:$x, I32:$y, I32:$address);
  let results = (outs TTKernel_NocAddr:$result);
}
def TTKernel_GetNocMulticastAddrOp : TTKernel_PureCall<"get_noc_multicast_addr"> {
  let summary = "An L1 address on every node of a rectangle; corners are inclusive";
  let arguments = (ins I32:$xStart, I32:$yStart, I32:$xEnd, I32:$yEnd, I32:$address);
  let results = (outs TTKernel_NocAddr:$result);
}

//===--------------------------------------------------------------------------===//
// Transfers between L1 memories
//===--------------------------------------------------------------------------===//

def TTKernel_NocAsyncReadOp : TTKernel_DeviceOp<"noc_async_read"> {
  let summary = "Start to read from a node's L1, with the current transaction id of reads";
  let arguments = (ins TTKernel_NocAddr:$source, I32:$l1Address, I32:$bytes);
}
def TTKernel_NocAsyncWriteOp : TTKernel_DeviceOp<"noc_async_write"> {
  let summary = "Start to write to a node's L1; the source must not change before a flush";
  let arguments = (ins I32:$l1Address, TTKernel_NocAddr:$destination, I32:$bytes);
}
class TTKernel_MulticastOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let arguments = (ins I32:$l1Address, TTKernel_NocAddr:$destination, I32:$bytes, I32:$numDests);
}
def TTKernel_NocAsyncWriteMulticastOp : TTKernel_MulticastOp<"noc_async_write_multicast"> {
  let summary = "Start to write to a rectangle of nodes, except to the sender";
}
def TTKernel_NocAsyncWriteMulticastLoopbackSrcOp
    : TTKernel_MulticastOp<"noc_async_write_multicast_loopback_src"> {
  let summary = "Start to write to a rectangle of nodes that contains the sender, also to the sender";
}

//===--------------------------------------------------------------------------===//
// Semaphores
//===--------------------------------------------------------------------------===//

def TTKernel_GetSemaphoreOp : TTKernel_PureCall<"get_semaphore"> {
  let summary = "The L1 address of semaphore `id`, which is the same on every node";
  let arguments = (ins I32:$id);
  let results = (outs I32:$address);
}
def TTKernel_LoadFromL1Op : TTKernel_DeviceOp<"load_from_l1"> {
  let summary = "Load this node's word at an L1 address, which is a semaphore or a counter";
  let arguments = (ins I32:$address);
  let results = (outs I32:$value);
}
class TTKernel_SemaphoreWordOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let arguments = (ins I32:$address, I32:$value);
}
def TTKernel_NocSemaphoreSetOp : TTKernel_SemaphoreWordOp<"noc_semaphore_set"> {
  let summary = "Set this node's word to value";
}
def TTKernel_NocSemaphoreWaitOp : TTKernel_SemaphoreWordOp<"noc_semaphore_wait"> {
  let summary = "Wait until this node's word equals value";
}
def TTKernel_NocSemaphoreWaitMinOp : TTKernel_SemaphoreWordOp<"noc_semaphore_wait_min"> {
  let summary = "Wait until this node's word is at least value";
}
def TTKernel_SemaphoreWaitAnyOp
    : TTKernel_DeviceOp<"semaphore_wait_any", [SameVariadicOperandSize]> {
  let summary = "Wait until one of several words of this node is at least its value";
  let description = [{
    Returns the place of the first such word in the order start, start + 1, ..., modulo the
    number of words. It passes over words whose value is -1. Metalium has no such function.
  }];
  let arguments = (ins Variadic<I32>:$addresses, Variadic<I32>:$values, I32:$start);
  let results = (outs I32:$index);
  let assemblyFormat = [{
    `(` $addresses `at_least` $values `start` $start `)` attr-dict `:` functional-type(operands, results)
  }];
}
def TTKernel_NocSemaphoreIncOp : TTKernel_DeviceOp<"noc_semaphore_inc"> {
  let summary = "Add atomically to a word on another node";
  let arguments = (ins TTKernel_NocAddr:$destination, I32:$increment);
}
def TTKernel_NocAsyncAtomicBarrierOp : TTKernel_DeviceOp<"noc_async_atomic_barrier"> {
  let summary = "Wait until the increments of this thread have landed";
}
def TTKernel_NocSemaphoreSetRemoteOp : TTKernel_DeviceOp<"noc_semaphore_set_remote"> {
  let summary = "Write this node's word at l1Address to a word on another node";
  let arguments = (ins I32:$l1Address, TTKernel_NocAddr:$destination);
}
class TTKernel_SemaphoreMulticastOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let arguments = (ins I32:$l1Address, TTKernel_NocAddr:$destination, I32:$numDests);
}
def TTKernel_NocSemaphoreSetMulticastOp
    : TTKernel_SemaphoreMulticastOp<"noc_semaphore_set_multicast"> {
  let summary = "Write this node's word to a rectangle of nodes, except to the sender";
}
def TTKernel_NocSemaphoreSetMulticastLoopbackSrcOp
    : TTKernel_SemaphoreMulticastOp<"noc_semaphore_set_multicast_loopback_src"> {
  let summary = "Write this node's word to a rectangle of nodes, also to the sender";
}

#endif // TTJIT_IR_TTKERNEL_NOCOPS_TD
