//===- TTKernelHostOps.td - reports and calls of the host ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_HOSTOPS_TD
#define TTJIT_IR_TTKERNEL_HOSTOPS_TD

include "ir/TTKernel/TTKernelBase.td"

//===--------------------------------------------------------------------------===//
// Printing
//===--------------------------------------------------------------------------===//

class TTKernel_HostOp<string mnemonic>
    : TTKernel_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def TTKernel_DPrintOp : TTKernel_HostOp<"dprint"> {
  let summary = "Print text with numbers in it; the format is that of ttl.print";
  let arguments = (ins StrAttr:$format, Variadic<AnyTypeOf<[I32, F32, I1]>>:$arguments,
                       OptionalAttr<StrAttr>:$thread);
  let assemblyFormat =
      "`(` $format (`,` $arguments^)? `)` attr-dict `:` functional-type($arguments, results)";
}
def TTKernel_DPrintBlockOp : TTKernel_HostOp<"dprint_block"> {
  let summary = "Print the block that begins `page` pages after the front of a buffer";
  let description = "With `reserved`: after the beginning of the reserved region.";
  let arguments = (ins TTKernel_CB:$cb, I32:$page, I32Attr:$num_pages, UnitAttr:$reserved,
                       OptionalAttr<StrAttr>:$thread);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_DPrintBufferOp : TTKernel_HostOp<"dprint_buffer"> {
  let summary = "Print the sizes of a buffer and where its pointers are";
  let arguments = (ins TTKernel_CB:$cb, OptionalAttr<StrAttr>:$thread);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_DPrintTensorOp : TTKernel_HostOp<"dprint_tensor"> {
  let summary = "Print the first pages of a tensor of this type";
  let arguments = (ins TTKernel_TensorAccessor:$accessor, I32Attr:$num_pages,
                       TypeAttr:$tensor_type);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_SignpostOp : TTKernel_HostOp<"signpost"> {
  let summary = "Mark a place for event logs and profilers";
  let description = [{
    `cost`: the ops that follow cost what the name says (tools/timing). A card does not see it.
  }];
  let arguments = (ins TTKernel_SignpostKind:$kind, StrAttr:$name);
  let assemblyFormat = "$kind $name attr-dict";
}

//===--------------------------------------------------------------------------===//
// Elements, functions of the host
//===--------------------------------------------------------------------------===//

def TTKernel_LoadElementOp : TTKernel_HostOp<"load_element"> {
  let summary = "The element of this format at an L1 address; of an integer, its 32 bits";
  let arguments = (ins I32:$address, TypeAttr:$format);
  let results = (outs F32:$value);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
def TTKernel_StoreElementOp : TTKernel_HostOp<"store_element"> {
  let summary = "Round a number to this format and write it to an L1 address";
  let arguments = (ins I32:$address, F32:$value, TypeAttr:$format);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

def TTKernel_CallHostOp : TTKernel_HostOp<"call_host"> {
  let summary = "Call a function of the host; `signature` has a letter for each argument";
  let description = [{
    Letters: `i`, `f`, `b` for an i32, f32, i1; `r` (read) and `w` (reserved) for a block, which
    is two operands, as those of dprint_block.
  }];
  let arguments = (ins StrAttr:$function, OptionalAttr<StrAttr>:$library, StrAttr:$signature,
                       Variadic<AnyTypeOf<[TTKernel_CB, I32, F32, I1]>>:$arguments,
                       OptionalAttr<StrAttr>:$device_function);
  let results = (outs Optional<AnyTypeOf<[I32, F32, I1]>>:$result);
  let assemblyFormat = [{
    $function (`in` $library^)? `as` $signature `(` $arguments `)` attr-dict `:`
    functional-type($arguments, $result)
  }];
}

#endif // TTJIT_IR_TTKERNEL_HOSTOPS_TD
