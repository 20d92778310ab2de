//===- TTKernelComputeOps.td - compute API -------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DST indices and tile indices are i32; tile indices are relative to the front
// of the buffer (copy_tile, matmul_tiles) or to its reserved region (pack_tile).
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_COMPUTEOPS_TD
#define TTJIT_IR_TTKERNEL_COMPUTEOPS_TD

include "ir/TTKernel/TTKernelBase.td"

//===------------------------------------------------------------------------------===//
// DST life cycle
//===------------------------------------------------------------------------------===//

def TTKernel_TileRegsAcquireOp : TTKernel_DeviceOp<"tile_regs_acquire"> {
  let summary = "Math waits for a free DST section";
}
def TTKernel_TileRegsCommitOp : TTKernel_DeviceOp<"tile_regs_commit"> {
  let summary = "Math hands the section to the packer";
}
def TTKernel_TileRegsWaitOp : TTKernel_DeviceOp<"tile_regs_wait"> {
  let summary = "The packer waits for a committed section";
}
def TTKernel_TileRegsReleaseOp : TTKernel_DeviceOp<"tile_regs_release"> {
  let summary = "The packer returns the section, cleared";
}

//===------------------------------------------------------------------------------===//
// Start-up and switches
//===------------------------------------------------------------------------------===//

def TTKernel_InitSFPUOp : TTKernel_InitOp<"init_sfpu"> {
  let arguments = (ins TTKernel_CB:$icb, TTKernel_CB:$ocb);
}
def TTKernel_MMInitOp : TTKernel_InitOp<"mm_init"> {
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, TTKernel_CB:$out);
}
def TTKernel_MMInitShortOp : TTKernel_InitOp<"mm_init_short"> {
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1);
}
def TTKernel_CopyTileInitOp : TTKernel_InitOp<"copy_tile_init"> {
  let arguments = (ins TTKernel_CB:$cb);
}
def TTKernel_CopyDestValuesInitOp : TTKernel_InitOp<"copy_dest_values_init">;
def TTKernel_FillTileInitOp : TTKernel_InitOp<"fill_tile_init">;
def TTKernel_ReconfigDataFormatOp : TTKernel_InitOp<"reconfig_data_format"> {
  let summary = "Switch the formats of SrcA and SrcB to those of these buffers";
  let arguments = (ins TTKernel_CB:$srca, TTKernel_CB:$srcb);
}
def TTKernel_ReconfigDataFormatSrcAOp : TTKernel_InitOp<"reconfig_data_format_srca"> {
  let arguments = (ins TTKernel_CB:$srca);
}
def TTKernel_PackReconfigDataFormatOp : TTKernel_InitOp<"pack_reconfig_data_format"> {
  let arguments = (ins TTKernel_CB:$out);
}
def TTKernel_PackReconfigL1AccOp : TTKernel_DeviceOp<"pack_reconfig_l1_acc"> {
  let summary = "Non-zero: the packer adds to what stands in L1 until switched off with 0";
  let arguments = (ins I32:$enable);
}

//===------------------------------------------------------------------------------===//
// Moving tiles
//===------------------------------------------------------------------------------===//

def TTKernel_CopyTileOp : TTKernel_DeviceOp<"copy_tile"> {
  let summary = "DST[dst] = tile `index` from the front of the buffer";
  let arguments = (ins TTKernel_CB:$cb, I32:$index, I32:$dst);
}
def TTKernel_PackTileOp : TTKernel_DeviceOp<"pack_tile"> {
  let summary = "Slot `index` of the reserved region = DST[dst], rounded (out-of-order form)";
  let arguments = (ins I32:$dst, TTKernel_CB:$cb, I32:$index);
}
def TTKernel_CopyDestValuesOp : TTKernel_DeviceOp<"copy_dest_values"> {
  let summary = "DST[dst0] = DST[dst1]; the printer swaps the order for newer headers";
  let arguments = (ins I32:$dst0, I32:$dst1);
}
def TTKernel_FillTileOp : TTKernel_DeviceOp<"fill_tile"> {
  let summary = "Every element of DST[dst] = value";
  let arguments = (ins I32:$dst, F32:$value);
}

//===------------------------------------------------------------------------------===//
// Matrix engine
//===------------------------------------------------------------------------------===//

def TTKernel_MatmulTilesOp : TTKernel_DeviceOp<"matmul_tiles"> {
  let summary = "DST[dst] += tile of in0 x tile of in1";
  let description = [{
    A register not written since tile_regs_acquire counts as +0. Each element
    chains fma over k ascending.
  }];
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, I32:$index0, I32:$index1, I32:$dst);
}

//===------------------------------------------------------------------------------===//
// SFPU: rows of hw/facts/TileOps.def
//===------------------------------------------------------------------------------===//

class TTKernel_SFPUInit<string call, string id>
    : TTKernel_InitOp<call # "_init", [TTCore_TileOpInterface]> {
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}
class TTKernel_SFPUUnary<string call, string id>
    : TTKernel_DeviceOp<call, [TTCore_TileOpInterface]> {
  let summary = "In place on DST[dst]";
  let arguments = (ins I32:$dst);
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}
class TTKernel_SFPUBinary<string call, string id>
    : TTKernel_DeviceOp<call, [TTCore_TileOpInterface]> {
  let summary = "DST[odst] = DST[dst0] op DST[dst1]";
  let arguments = (ins I32:$dst0, I32:$dst1, I32:$odst);
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}

def TTKernel_AbsTileInitOp : TTKernel_SFPUInit<"abs_tile", "Abs">;
def TTKernel_AbsTileOp : TTKernel_SFPUUnary<"abs_tile", "Abs">;
def TTKernel_ExpTileInitOp : TTKernel_SFPUInit<"exp_tile", "Exp">;
def TTKernel_ExpTileOp : TTKernel_SFPUUnary<"exp_tile", "Exp">;
def TTKernel_LogTileInitOp : TTKernel_SFPUInit<"log_tile", "Log">;
def TTKernel_LogTileOp : TTKernel_SFPUUnary<"log_tile", "Log">;
def TTKernel_NegativeTileInitOp : TTKernel_SFPUInit<"negative_tile", "Neg">;
def TTKernel_NegativeTileOp : TTKernel_SFPUUnary<"negative_tile", "Neg">;
def TTKernel_RecipTileInitOp : TTKernel_SFPUInit<"recip_tile", "Recip">;
def TTKernel_RecipTileOp : TTKernel_SFPUUnary<"recip_tile", "Recip">;
def TTKernel_ReluTileInitOp : TTKernel_SFPUInit<"relu_tile", "Relu">;
def TTKernel_ReluTileOp : TTKernel_SFPUUnary<"relu_tile", "Relu">;
def TTKernel_RsqrtTileInitOp : TTKernel_SFPUInit<"rsqrt_tile", "Rsqrt">;
def TTKernel_RsqrtTileOp : TTKernel_SFPUUnary<"rsqrt_tile", "Rsqrt">;
def TTKernel_SigmoidTileInitOp : TTKernel_SFPUInit<"sigmoid_tile", "Sigmoid">;
def TTKernel_SigmoidTileOp : TTKernel_SFPUUnary<"sigmoid_tile", "Sigmoid">;
def TTKernel_SqrtTileInitOp : TTKernel_SFPUInit<"sqrt_tile", "Sqrt">;
def TTKernel_SqrtTileOp : TTKernel_SFPUUnary<"sqrt_tile", "Sqrt">;
def TTKernel_SquareTileInitOp : TTKernel_SFPUInit<"square_tile", "Square">;
def TTKernel_SquareTileOp : TTKernel_SFPUUnary<"square_tile", "Square">;
def TTKernel_TanhTileInitOp : TTKernel_SFPUInit<"tanh_tile", "Tanh">;
def TTKernel_TanhTileOp : TTKernel_SFPUUnary<"tanh_tile", "Tanh">;

def TTKernel_AddBinaryTileInitOp : TTKernel_SFPUInit<"add_binary_tile", "Add">;
def TTKernel_AddBinaryTileOp : TTKernel_SFPUBinary<"add_binary_tile", "Add">;
def TTKernel_SubBinaryTileInitOp : TTKernel_SFPUInit<"sub_binary_tile", "Sub">;
def TTKernel_SubBinaryTileOp : TTKernel_SFPUBinary<"sub_binary_tile", "Sub">;
def TTKernel_MulBinaryTileInitOp : TTKernel_SFPUInit<"mul_binary_tile", "Mul">;
def TTKernel_MulBinaryTileOp : TTKernel_SFPUBinary<"mul_binary_tile", "Mul">;
def TTKernel_DivBinaryTileInitOp : TTKernel_SFPUInit<"div_binary_tile", "Div">;
def TTKernel_DivBinaryTileOp : TTKernel_SFPUBinary<"div_binary_tile", "Div">;
def TTKernel_BinaryMaxTileInitOp : TTKernel_SFPUInit<"binary_max_tile", "Max">;
def TTKernel_BinaryMaxTileOp : TTKernel_SFPUBinary<"binary_max_tile", "Max">;
def TTKernel_BinaryMinTileInitOp : TTKernel_SFPUInit<"binary_min_tile", "Min">;
def TTKernel_BinaryMinTileOp : TTKernel_SFPUBinary<"binary_min_tile", "Min">;

#endif // TTJIT_IR_TTKERNEL_COMPUTEOPS_TD
