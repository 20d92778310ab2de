//===- TTKernelResetOps.td - resets of buffers -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Its op is generated apart from those of TTKernelOps.td: include ir/TTKernel/TTKernelResetOps.h to
// name it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_RESETOPS_TD
#define TTJIT_IR_TTKERNEL_RESETOPS_TD

include "ir/TTKernel/TTKernelBase.td"

def TTKernel_CBResetOp : TTKernel_DeviceOp<"cb_reset"> {
  let summary = "The threads of a node meet; then the buffers are empty";
  let description = [{
    The arguments of ttl.cb_reset. `words` is the L1 address of four words, zero at the start,
    through which the threads meet on a card; the emulated device does not use them.
  }];
  let arguments = (ins I32Attr:$reset, StrAttr:$call, I32:$words, Variadic<TTKernel_CB>:$buffers);
  let assemblyFormat = [{
    $reset $call `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// A bit for each buffer; the index of each must be known.
    uint64_t getMask();
  }];
}

#endif // TTJIT_IR_TTKERNEL_RESETOPS_TD
