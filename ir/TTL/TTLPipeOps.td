//===- TTLPipeOps.td - pipes between nodes ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each pipe has, at each receiver, room for one transfer. A send completes when that room
// was free at every receiver and the data have left the source block. A receive writes the
// data into the block of its copy. ttl-infer-pipe-semaphores lowers the ops of the first
// group of this file to those of the second.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_PIPEOPS_TD
#define TTJIT_IR_TTL_PIPEOPS_TD

include "ir/TTL/TTLPipeTypes.td"

//===--------------------------------------------------------------------------===//
// Pipes as the user writes them
//===--------------------------------------------------------------------------===//

def TTL_SliceArrayAttr : TypedArrayAttrBase<TTL_SliceAttr, "one slice per dimension">;

def TTL_CreatePipeOp : TTL_Op<"create_pipe", [Pure]> {
  let summary = "A pipe from one node to one node (dst) or to a range of nodes (dst_range)";
  let description = [{
    ```mlir
    %p = ttl.create_pipe src = [0, 0], dst = [1, 0] : !ttl.pipe
    %q = ttl.create_pipe src = [0, 0], dst_range = [0, #ttl.slice<1, 4, 1>] : !ttl.pipe
    ```
    Coordinates have the grid's rank, or rank 1, when they are flattened node numbers. A
    bare integer in a range is a slice of one. The parser also reads `src_core`, `dst_core`
    and `dst_core_range`, and `slice(1, 4)` for a slice.
  }];
  let arguments = (ins DenseI64ArrayAttr:$src, OptionalAttr<DenseI64ArrayAttr>:$dst,
                       OptionalAttr<TTL_SliceArrayAttr>:$dst_range);
  let results = (outs TTL_Pipe:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_CreatePipeNetOp : TTL_Op<"create_pipenet", [Pure]> {
  let summary = "A list of pipes; callbacks visit them in this order";
  let arguments = (ins StrAttr:$name, Variadic<TTL_Pipe>:$pipes);
  let results = (outs TTL_PipeNet:$result);
  // Prints `$name $pipes : type($pipes) -> type($result) attr-dict`; name and types may be left
  // out.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class TTL_IfPipeOp<string mnemonic> : TTL_Op<mnemonic, [
    DeclareOpInterfaceMethods<RegionBranchOpInterface>, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let arguments = (ins TTL_PipeNet:$net);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<NetOperand>($net) attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getPipe() { return getBody().getArgument(0); }
  }];
}

def TTL_IfPipeSrcOp : TTL_IfPipeOp<"if_pipe_src"> {
  let summary = "Run the body once for every pipe of the net that begins at this node";
  let description = "`ttl.if_pipe_src %net { ^bb0(%pipe: !ttl.pipe): ... }` visits the pipes in list order.";
}

def TTL_IfPipeDstOp : TTL_IfPipeOp<"if_pipe_dst"> {
  let summary = "Run the body once for every pipe of the net that ends at this node";
}

class TTL_PipeEndOp<string mnemonic> : TTL_Op<mnemonic, [Pure]> {
  let arguments = (ins TTL_Pipe:$pipe);
  let results = (outs Variadic<Index>:$coords);
  let assemblyFormat = "$pipe attr-dict `:` type($pipe) `->` type($coords)";
}

def TTL_PipeSourceOp : TTL_PipeEndOp<"pipe_source"> {
  let summary = "Coordinates of the node at which a pipe begins, as the pipe gives them";
}

def TTL_PipeDestinationOp : TTL_PipeEndOp<"pipe_destination"> {
  let summary = "Coordinates of the node at which a unicast pipe ends";
}

class TTL_PipePredicateOp<string mnemonic> : TTL_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyTypeOf<[TTL_Pipe, TTL_PipeNet], "pipe or net of pipes">:$pipes);
  let results = (outs I1:$result);
  let assemblyFormat = "$pipes attr-dict `:` type($pipes)";
}

def TTL_IsPipeSrcOp : TTL_PipePredicateOp<"is_pipe_src"> {
  let summary = "Whether the pipe, or a pipe of the net, begins at this node";
}
def TTL_IsPipeDstOp : TTL_PipePredicateOp<"is_pipe_dst"> {
  let summary = "Whether the pipe, or a pipe of the net, ends at this node";
}
def TTL_IsPipeActiveOp : TTL_PipePredicateOp<"is_pipe_active"> {
  let summary = "Whether this node is an end of the pipe, or of a pipe of the net";
}

//===--------------------------------------------------------------------------===//
// Ops that ttl-infer-pipe-semaphores makes
//===--------------------------------------------------------------------------===//

def TTL_CreateLandingOp : TTL_Op<"create_landing", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Landing slots on every node; ttl-allocate-circular-buffers sets `address`";
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$address);
  let results = (outs TTL_Landing:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def TTL_CreateCountersOp : TTL_Op<"create_counters", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Zero-initialised words on every node";
  let description = [{
    Word i is semaphore `semaphore_id` + i. If no ids are left, it is word
    `page_index` + i of the page of counters, which is at `address`.

    `roles` has one string per word and node, words slowest. It describes in deadlock
    reports what the word counts on the node, and is "" for a word that the node does not
    use. `peers` is the node whose thread increments the word. The first `deliveries` words
    count the transfers that have arrived at a node. As many words after them count the
    transfers that the node has received; at the end of a program both are equal.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I32Attr>:$semaphore_id,
                       OptionalAttr<I32Attr>:$page_index, OptionalAttr<I64Attr>:$address,
                       OptionalAttr<StrArrayAttr>:$roles,
                       OptionalAttr<DenseI32ArrayAttr>:$peers,
                       OptionalAttr<I32Attr>:$deliveries);
  let results = (outs TTL_Counters:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TTL_CreateNodeTableOp : TTL_Op<"create_node_table", [MemoryEffects<[MemAlloc]>]> {
  let summary = "One row of numbers per node, in the row-major order of the grid";
  let description = [{
    The per-node run-time arguments of a thread contain its tables one after the other, in
    the order of the operands of its `ttl.thread`. All rows of a table have the same length.
  }];
  let arguments = (ins StrAttr:$name, I32ElementsAttr:$values);
  let results = (outs TTL_NodeTable:$result);
  let assemblyFormat = "$name $values attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getRowLength() {
      return ::llvm::cast<::mlir::ShapedType>(getValues().getType()).getShape()[1];
    }
  }];
}

def TTL_NodeValueOp : TTL_Op<"node_value", [Pure]> {
  let summary = "Number `index` of this node's row of a table";
  let arguments = (ins TTL_NodeTable:$table, Index:$index);
  let results = (outs Index:$result);
  let assemblyFormat = "$table `[` $index `]` attr-dict";
}

def TTL_LandingSlotOp : TTL_Op<"landing_slot", [Pure]> {
  let summary = "Landing slot `index` of a net";
  let arguments = (ins TTL_Landing:$landing, Index:$index);
  let results = (outs TTL_Slot:$result);
  let assemblyFormat = "$landing `[` $index `]` attr-dict `:` type($landing) `->` type($result)";
}

def TTL_BufferSlotOp : TTL_Op<"buffer_slot", [Pure]> {
  let summary = "Slot `index` modulo the number of slots of a circular buffer, held or not";
  let arguments = (ins TTL_CircularBuffer:$cb, Index:$index);
  let results = (outs TTL_Slot:$result);
  let assemblyFormat = "$cb `[` $index `]` attr-dict `:` type($cb) `->` type($result)";
}

def TTL_CounterOp : TTL_Op<"counter", [Pure]> {
  let summary = "Word `index` of these counters, on this node";
  let arguments = (ins TTL_Counters:$counters, Index:$index);
  let results = (outs TTL_Semaphore:$result);
  let assemblyFormat =
      "$counters `[` $index `]` attr-dict `:` type($counters) `->` type($result)";
}

class TTL_SendBaseOp<string mnemonic> : TTL_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def TTL_SendOp : TTL_SendBaseOp<"send"> {
  let summary = "Start to write a block into this slot on another node";
  let description = [{
    In `ttl.send %blk, %slot to core(%x, %y)`, `%x` and `%y` are column and row of the compute
    grid. A wait for the handle waits until the data have left the block.
  }];
  let arguments = (ins TTL_Block:$src, TTL_Slot:$dst, Index:$x, Index:$y);
  let results = (outs TTL_TransferHandle:$xf);
  let assemblyFormat =
      "$src `,` $dst `to` `core` `(` $x `,` $y `)` attr-dict `:` type($src) `,` type($dst)";
}

def TTL_SendMulticastOp : TTL_SendBaseOp<"send_multicast"> {
  let summary = "Start to write a block into this slot on a rectangle of nodes";
  let description = [{
    Corners are columns and rows of the compute grid, inclusive. `num_dests`
    is the number of nodes written. With `loopback` this node is one of them; without
    `loopback` it is skipped if it is inside the rectangle.
  }];
  let arguments = (ins TTL_Block:$src, TTL_Slot:$dst, Index:$x0, Index:$y0, Index:$x1, Index:$y1,
                       Index:$num_dests, UnitAttr:$loopback);
  let results = (outs TTL_TransferHandle:$xf);
  let assemblyFormat = [{
    $src `,` $dst `to` `cores` `(` $x0 `,` $y0 `)` `to` `(` $x1 `,` $y1 `)` `dests` $num_dests
    (`loopback` $loopback^)? attr-dict `:` type($src) `,` type($dst)
  }];
}

def TTL_ReceiveOp : TTL_Op<"receive", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start to copy the data that landed in a slot into a block";
  let arguments = (ins TTL_Slot:$src, TTL_Block:$dst, OptionalAttr<I32Attr>:$transfer_id);
  let results = (outs TTL_TransferHandle:$xf);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_PIPEOPS_TD
