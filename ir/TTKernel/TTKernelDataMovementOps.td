//===- TTKernelDataMovementOps.td - buffers, NoC, semaphores ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_DATAMOVEMENTOPS_TD
#define TTJIT_IR_TTKERNEL_DATAMOVEMENTOPS_TD

include "ir/TTKernel/TTKernelBase.td"

//===--------------------------------------------------------------------------===//
// Arguments and identity
//===--------------------------------------------------------------------------===//

def TTKernel_GetCompileTimeArgValOp : TTKernel_Op<"get_compile_time_arg_val", [Pure]> {
  let summary = "Compile-time argument `index`; the first arguments are the buffers";
  let arguments = (ins I32Attr:$index);
  let results = (outs AnyTypeOf<[TTKernel_CB, I32], "buffer or i32">:$result);
  let assemblyFormat = "`(` $index `)` attr-dict `:` `(` `)` `->` type($result)";
}
def TTKernel_GetArgValOp : TTKernel_Op<"get_arg_val", [Pure]> {
  let summary = "Run-time argument of this node";
  let arguments = (ins I32:$index);
  let results = (outs I32:$result);
  let assemblyFormat = "`(` $index `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_GetCommonArgValOp : TTKernel_Op<"get_common_arg_val", [Pure]> {
  let summary = "Run-time argument shared by all nodes, such as the base address of a tensor";
  let arguments = (ins I32:$index);
  let results = (outs I32:$result);
  let assemblyFormat = "`(` $index `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_MyLogicalXOp : TTKernel_Op<"my_logical_x_", [Pure]> {
  let summary = "Column of this node in the compute grid";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` `(` `)` `->` type($result)";
}
def TTKernel_MyLogicalYOp : TTKernel_Op<"my_logical_y_", [Pure]> {
  let summary = "Row of this node in the compute grid";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` `(` `)` `->` type($result)";
}

//===--------------------------------------------------------------------------===//
// Circular buffers
//===--------------------------------------------------------------------------===//

class TTKernel_CBPagesOp<string mnemonic, string text> : TTKernel_DeviceOp<mnemonic> {
  let summary = text;
  let arguments = (ins TTKernel_CB:$cb, I32:$numPages);
}
def TTKernel_CBReserveBackOp : TTKernel_CBPagesOp<"cb_reserve_back",
    "The producer waits until this many pages are free">;
def TTKernel_CBPushBackOp : TTKernel_CBPagesOp<"cb_push_back",
    "The producer publishes this many pages that it reserved">;
def TTKernel_CBWaitFrontOp : TTKernel_CBPagesOp<"cb_wait_front",
    "The consumer waits until this many pages are filled">;
def TTKernel_CBPopFrontOp : TTKernel_CBPagesOp<"cb_pop_front",
    "The consumer frees this many pages that it waited for">;
def TTKernel_CBPublishOp : TTKernel_CBPagesOp<"cb_publish",
    "The producer publishes all pages of a tensor-backed buffer; as C++ a reserve and a push">;

def TTKernel_GetWritePtrOp : TTKernel_DeviceOp<"get_write_ptr"> {
  let summary = "Byte address in L1 of the reserved region";
  let arguments = (ins TTKernel_CB:$cb);
  let results = (outs I32:$address);
}
def TTKernel_GetReadPtrOp : TTKernel_DeviceOp<"get_read_ptr"> {
  let summary = "Byte address in L1 of the front";
  let arguments = (ins TTKernel_CB:$cb);
  let results = (outs I32:$address);
}

//===--------------------------------------------------------------------------===//
// Tensor accessors
//===--------------------------------------------------------------------------===//

def TTKernel_TensorAccessorArgsOp : TTKernel_Op<"TensorAccessorArgs", [Pure]> {
  let summary = "Layout of a tensor, passed in compile-time and common run-time arguments";
  let description = [{
    `cta_offset` and `crta_offset` are the indices of the layout's first word among the
    compile-time and the common run-time arguments. `tensor_type` has the memory space and
    the layout, for the engines on the host.
  }];
  let arguments = (ins I32Attr:$cta_offset, I32Attr:$crta_offset, TypeAttr:$tensor_type);
  let results = (outs TTKernel_TensorAccessorArgs:$result);
  let assemblyFormat = "attr-dict `:` `(` `)` `->` type($result)";
}
def TTKernel_TensorAccessorOp : TTKernel_DeviceOp<"TensorAccessor"> {
  let summary = "An accessor for the pages of the tensor at this base address";
  let arguments = (ins TTKernel_TensorAccessorArgs:$args, I32:$base, I32:$pageSize);
  let results = (outs TTKernel_TensorAccessor:$result);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

def TTKernel_NocAsyncReadPageOp : TTKernel_DeviceOp<"noc_async_read_page"> {
  let summary = "Start to read page `page` of a tensor into L1, with the current transaction id";
  let arguments = (ins I32:$page, TTKernel_TensorAccessor:$accessor, I32:$l1Address);
}
def TTKernel_NocAsyncWritePageOp : TTKernel_DeviceOp<"noc_async_write_page"> {
  let summary = "Start to write page `page` of a tensor from L1, with the current transaction id";
  let arguments = (ins I32:$page, TTKernel_TensorAccessor:$accessor, I32:$l1Address);
}
class TTKernel_PagesOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let description = [{
    The pages are `page` and the `count` - 1 pages that follow it in its bank. One transfer
    moves `count` times the accessor's page size.
  }];
  let arguments = (ins I32:$page, TTKernel_TensorAccessor:$accessor, I32:$l1Address, I32:$count);
}
def TTKernel_NocAsyncReadPagesOp : TTKernel_PagesOp<"noc_async_read_pages"> {
  let summary = "Start to read consecutive pages of one bank into L1";
}
def TTKernel_NocAsyncWritePagesOp : TTKernel_PagesOp<"noc_async_write_pages"> {
  let summary = "Start to write consecutive pages of one bank from L1";
}
class TTKernel_RowOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let description = [{
    `bytes` bytes from byte `offset` of row `row` of a row-major tensor on. `aligned` says that
    they are in one page and that both addresses are equal modulo the NoC's alignment: only
    then can the device run the call.
  }];
  let arguments = (ins I32:$row, TTKernel_TensorAccessor:$accessor, I32:$offset, I32:$bytes,
                       I32:$l1Address, UnitAttr:$aligned);
}
def TTKernel_NocAsyncReadRowOp : TTKernel_RowOp<"noc_async_read_row"> {
  let summary = "Start reading part of a row of a row-major tensor to L1";
}
def TTKernel_NocAsyncWriteRowOp : TTKernel_RowOp<"noc_async_write_row"> {
  let summary = "Start writing part of a row of a row-major tensor from L1";
}
class TTKernel_TridOp<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let description = "Ids are 0 to 15; a transfer without an id has id 0.";
  let arguments = (ins I32:$trid);
  let hasVerifier = 1;
}
def TTKernel_NocAsyncReadSetTridOp : TTKernel_TridOp<"noc_async_read_set_trid"> {
  let summary = "Set the transaction id of the following reads";
}
def TTKernel_NocAsyncWriteSetTridOp : TTKernel_TridOp<"noc_async_write_set_trid"> {
  let summary = "Set the transaction id of the following writes";
}
def TTKernel_NocAsyncReadBarrierWithTridOp : TTKernel_TridOp<"noc_async_read_barrier_with_trid"> {
  let summary = "Wait until the reads with this id have landed";
}
def TTKernel_NocAsyncWriteBarrierWithTridOp
    : TTKernel_TridOp<"noc_async_write_barrier_with_trid"> {
  let summary = "Wait until the writes with this id have landed";
}
def TTKernel_NocAsyncReadBarrierOp : TTKernel_DeviceOp<"noc_async_read_barrier"> {
  let summary = "Wait until all reads of this thread have landed";
}
def TTKernel_NocAsyncWriteBarrierOp : TTKernel_DeviceOp<"noc_async_write_barrier"> {
  let summary = "Wait until all writes of this thread have landed";
}
def TTKernel_NocAsyncWritesFlushedOp : TTKernel_DeviceOp<"noc_async_writes_flushed"> {
  let summary = "Wait until the data of all writes of this thread have left L1";
}

#endif // TTJIT_IR_TTKERNEL_DATAMOVEMENTOPS_TD
