//===- TTLHostOps.td - elements, prints, host functions --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a kernel shows to its user or asks of the host. These ops keep their order and
// are never removed.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_HOSTOPS_TD
#define TTJIT_IR_TTL_HOSTOPS_TD

include "ir/TTL/TTLEnums.td"
include "ir/TTL/TTLTypes.td"

//===--------------------------------------------------------------------------===//
// Printing
//===--------------------------------------------------------------------------===//

class TTL_PrintingOp<string mnemonic, list<Trait> traits = []> : TTL_Op<mnemonic,
    !listconcat(traits, [MemoryEffects<[MemRead, MemRead<TTL_OutputResource>,
                                        MemWrite<TTL_OutputResource>]>])>;

def TTL_PrintOp : TTL_PrintingOp<"print"> {
  let summary = "Print text with numbers in it";
  let description = [{
    `ttl.print "i = {}, x = {:.3f}\n", %i, %x : i32, f32`. The text is a format string of
    Python: a field in braces for each operand, with what Python's format() takes after a
    colon; `{{` and `}}` are braces. Each line that a thread prints begins with its node
    and name. `thread` is the compute processor that prints on a card: unpack, math, pack.
  }];
  let arguments = (ins StrAttr:$format, Variadic<TTL_PrintedNumber>:$arguments,
                       OptionalAttr<StrAttr>:$thread);
  let assemblyFormat = "$format (`,` $arguments^ `:` type($arguments))? attr-dict";
  let hasVerifier = 1;
}

def TTL_PrintBlockOp : TTL_PrintingOp<"print_block"> {
  let summary = "Print the shape and the elements of a block";
  let description = "Does not count as a read: the block's state stays as it is.";
  let arguments = (ins TTL_Block:$block, OptionalAttr<StrAttr>:$thread);
  let assemblyFormat = "$block attr-dict `:` type($block)";
}

def TTL_PrintBufferOp : TTL_PrintingOp<"print_buffer"> {
  let summary = "Print the sizes of a circular buffer and where its pointers are";
  let arguments = (ins TTL_CircularBuffer:$cb, OptionalAttr<StrAttr>:$thread);
  let assemblyFormat = "$cb attr-dict `:` type($cb)";
}

def TTL_PrintTensorOp : TTL_PrintingOp<"print_tensor"> {
  let summary = "Print the first pages of a tensor on the device";
  let arguments = (ins TTL_TensorAccessor:$accessor, I32Attr:$num_pages);
  let assemblyFormat = "$accessor `pages` $num_pages attr-dict `:` type($accessor)";
  let hasVerifier = 1;
}

def TTL_SignpostOp : TTL_Op<"signpost", [
    MemoryEffects<[MemRead<TTL_OutputResource>, MemWrite<TTL_OutputResource>]>]> {
  let summary = "Mark a place in the thread for event logs and profilers";
  let description = [{
    `ttl.signpost point "name"`. A pair of `begin` and `end` with one name marks a region.
    No results depend on it.
  }];
  let arguments = (ins TTL_SignpostKind:$kind, StrAttr:$name);
  let assemblyFormat = "$kind $name attr-dict";
}

//===--------------------------------------------------------------------------===//
// Elements of blocks
//===--------------------------------------------------------------------------===//

class TTL_ElementOp<string mnemonic> : TTL_Op<mnemonic> {
  let description = [{
    The coordinates are positions of elements in the block, one per dimension. For a
    block of tiles the two innermost ones count rows and columns through all its tiles.
    Coordinates outside of the block are run-time faults. Data movement threads only.
  }];
  let hasVerifier = 1;
}

def TTL_ElementReadOp : TTL_ElementOp<"element_read"> {
  let summary = "One element of a block; of an integer, the number that has the same 32 bits";
  let arguments = (ins Arg<TTL_Block, "", [MemRead]>:$block, Variadic<Index>:$coords);
  let results = (outs F32:$result);
  let assemblyFormat = "$block `[` $coords `]` attr-dict `:` type($block)";
}

def TTL_ElementWriteOp : TTL_ElementOp<"element_write"> {
  let summary = "Write one element of a block, rounded to the block's format";
  let arguments = (ins F32:$value, Arg<TTL_Block, "", [MemWrite]>:$block, Variadic<Index>:$coords);
  let assemblyFormat = "$value `,` $block `[` $coords `]` attr-dict `:` type($block)";
}

//===--------------------------------------------------------------------------===//
// Functions of the host
//===--------------------------------------------------------------------------===//

def TTL_CallHostOp : TTL_Op<"call_host"> {
  let summary = "Call a function of the host";
  let description = [{
    `%r = ttl.call_host "cosf" in "libm.so.6" (%x) : (f32) -> f32` calls the C function
    `cosf` of that library. Without a library the name is one that the launcher knows.
    A block is a row-major array of fp32: for C its address, its rank and the address of
    its extents, all int32_t. What the function writes into the array of a reserved block
    is rounded into the block. `device_function` is what emitted C++ calls instead.
  }];
  let arguments = (ins StrAttr:$function, OptionalAttr<StrAttr>:$library,
                       Variadic<AnyTypeOf<[I32, F32, I1, TTL_Block]>>:$arguments,
                       OptionalAttr<StrAttr>:$device_function);
  let results = (outs Optional<AnyTypeOf<[I32, F32, I1]>>:$result);
  let assemblyFormat = [{
    $function (`in` $library^)? `(` $arguments `)` attr-dict `:`
    functional-type($arguments, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The letters of ttkernel.call_host.
    std::string getSignature();
  }];
}

#endif // TTJIT_IR_TTL_HOSTOPS_TD
