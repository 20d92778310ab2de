//===- TTKernelFPUOps.td - element-wise FPU, block packs -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_FPUOPS_TD
#define TTJIT_IR_TTKERNEL_FPUOPS_TD

include "ir/TTKernel/TTKernelBase.td"

def TTKernel_BinaryOpInitCommonOp : TTKernel_InitOp<"binary_op_init_common"> {
  let summary = "Full configuration for element-wise operations on two buffers";
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, TTKernel_CB:$out);
}

class TTKernel_FPUBinaryInit<string call> : TTKernel_InitOp<call # "_init"> {
  let summary = "Switch to " # call # " on these buffers";
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1);
}
def TTKernel_AddTilesInitOp : TTKernel_FPUBinaryInit<"add_tiles">;
def TTKernel_SubTilesInitOp : TTKernel_FPUBinaryInit<"sub_tiles">;
def TTKernel_MulTilesInitOp : TTKernel_FPUBinaryInit<"mul_tiles">;

class TTKernel_FPUBinary<string mnemonic> : TTKernel_DeviceOp<mnemonic> {
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, I32:$index0, I32:$index1, I32:$dst);
}
def TTKernel_AddTilesOp : TTKernel_FPUBinary<"add_tiles"> {
  let summary = "DST[dst] = tile of in0 + tile of in1";
}
def TTKernel_SubTilesOp : TTKernel_FPUBinary<"sub_tiles"> {
  let summary = "DST[dst] = tile of in0 - tile of in1";
}
def TTKernel_MulTilesOp : TTKernel_FPUBinary<"mul_tiles"> {
  let summary = "DST[dst] += tile of in0 * tile of in1, element by element";
  let description = [{
    Each element is computed by one fma of both tiles and the register. A register that was
    not written since tile_regs_acquire counts as -0: the result is the rounded product.
  }];
}

def TTKernel_PackTileBlockOp : TTKernel_DeviceOp<"pack_tile_block"> {
  let summary = "Pack DST[dst], DST[dst + 1], ... into the next slots since the last push";
  let arguments = (ins I32:$dst, TTKernel_CB:$cb, I32:$numTiles);
}

#endif // TTJIT_IR_TTKERNEL_FPUOPS_TD
