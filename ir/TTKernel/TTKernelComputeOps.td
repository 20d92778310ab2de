//===- TTKernelComputeOps.td - compute API ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DST indices and tile indices are i32. Tile indices are relative to the front
// of the buffer (copy_tile, matmul_tiles) or to its reserved region (pack_tile).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_COMPUTEOPS_TD
#define TTJIT_IR_TTKERNEL_COMPUTEOPS_TD

include "ir/TTKernel/TTKernelBase.td"

//===--------------------------------------------------------------------------===//
// DST life cycle
//===--------------------------------------------------------------------------===//

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
  let summary = "The packer clears the section and returns it";
}

//===--------------------------------------------------------------------------===//
// Start-up and switches
//===--------------------------------------------------------------------------===//

def TTKernel_InitSFPUOp : TTKernel_InitOp<"init_sfpu"> {
  let summary = "Full configuration for operations on tiles that are copied to DST and packed";
  let arguments = (ins TTKernel_CB:$icb, TTKernel_CB:$ocb);
}
def TTKernel_MMInitOp : TTKernel_InitOp<"mm_init"> {
  let summary = "Full configuration for matmul_tiles";
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, TTKernel_CB:$out);
}
def TTKernel_MMInitShortOp : TTKernel_InitOp<"mm_init_short"> {
  let summary = "Switch back to matmul_tiles after other operations";
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1);
}
def TTKernel_CopyTileInitOp : TTKernel_InitOp<"copy_tile_init"> {
  let summary = "Switch to copy_tile from this buffer";
  let arguments = (ins TTKernel_CB:$cb);
}
def TTKernel_CopyDestValuesInitOp : TTKernel_InitOp<"copy_dest_values_init"> {
  let summary = "Switch to copy_dest_values";
}
def TTKernel_FillTileInitOp : TTKernel_InitOp<"fill_tile_init"> {
  let summary = "Switch to fill_tile";
}
def TTKernel_ReconfigDataFormatOp : TTKernel_InitOp<"reconfig_data_format"> {
  let summary = "Switch the formats of SrcA and SrcB to those of these buffers";
  let arguments = (ins TTKernel_CB:$srca, TTKernel_CB:$srcb);
}
def TTKernel_ReconfigDataFormatSrcAOp : TTKernel_InitOp<"reconfig_data_format_srca"> {
  let summary = "Switch the format of SrcA to that of this buffer";
  let arguments = (ins TTKernel_CB:$srca);
}
def TTKernel_PackReconfigDataFormatOp : TTKernel_InitOp<"pack_reconfig_data_format"> {
  let summary = "Switch the packer's output format to that of this buffer";
  let arguments = (ins TTKernel_CB:$out);
}
def TTKernel_PackReconfigL1AccOp : TTKernel_DeviceOp<"pack_reconfig_l1_acc"> {
  let summary = "Make the packer add to the content of L1 (not 0) or overwrite it (0)";
  let arguments = (ins I32:$enable);
}

//===--------------------------------------------------------------------------===//
// Moving tiles
//===--------------------------------------------------------------------------===//

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
  let summary = "Set every element of DST[dst] to value";
  let description = "With `integer` the elements are the int32 that has the bits of `value`.";
  let arguments = (ins I32:$dst, F32:$value, UnitAttr:$integer);
}

//===--------------------------------------------------------------------------===//
// Matrix engine
//===--------------------------------------------------------------------------===//

def TTKernel_MatmulTilesOp : TTKernel_DeviceOp<"matmul_tiles"> {
  let summary = "DST[dst] += tile of in0 x tile of in1";
  let description = [{
    A register that was not written since tile_regs_acquire counts as +0. Each element is a
    chain of fma over ascending k.
  }];
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, I32:$index0, I32:$index1, I32:$dst);
}

//===--------------------------------------------------------------------------===//
// Reductions, broadcasts, transposes: one tile from L1
//===--------------------------------------------------------------------------===//

def TTKernel_ComputeKernelHWStartupOp : TTKernel_InitOp<"compute_kernel_hw_startup"> {
  let summary = "Full configuration for operations that have no other one";
  let arguments = (ins TTKernel_CB:$in0, TTKernel_CB:$in1, TTKernel_CB:$out);
}

def TTKernel_ReduceInitOp : TTKernel_InitOp<"reduce_init"> {
  let summary = "Switch to reduce_tile; the packer masks its output until reduce_uninit";
  let arguments = (ins TTKernel_CB:$in, TTKernel_CB:$scaling, TTKernel_CB:$out,
                       TTKernel_ReduceTypeAttr:$reduce_type, TTKernel_ReduceDimAttr:$reduce_dim);
}
def TTKernel_ReduceUninitOp : TTKernel_InitOp<"reduce_uninit"> {
  let summary = "Let the packer write whole tiles again";
}
def TTKernel_ReduceTileOp : TTKernel_DeviceOp<"reduce_tile"> {
  let summary = "Combine DST[dst] with the reduction of a tile";
  let description = [{
    A sum is fma(tile's sum, scaling, DST[dst]), where a register that was not written since
    tile_regs_acquire counts as +0. A tile is summed by halves, the innermost dimension first.
    A maximum is the greater of DST[dst] and the tile's maximum times scaling. Scaling is
    element (0, 0) of its tile. The result is in column 0 (reduce_dim_row), row 0
    (reduce_dim_col) or element (0, 0) (reduce_dim_scalar); the rest is zero.
  }];
  let arguments = (ins TTKernel_CB:$in, TTKernel_CB:$scaling, I32:$index, I32:$scaling_index,
                       I32:$dst, TTKernel_ReduceTypeAttr:$reduce_type,
                       TTKernel_ReduceDimAttr:$reduce_dim);
}

def TTKernel_UnaryBcastInitOp : TTKernel_InitOp<"unary_bcast_init"> {
  let summary = "Switch to unary_bcast of this kind";
  let arguments = (ins TTKernel_CB:$in, TTKernel_CB:$out, TTKernel_BcastTypeAttr:$bcast_type);
}
def TTKernel_UnaryBcastUninitOp : TTKernel_InitOp<"unary_bcast_uninit"> {
  let summary = "Undo the changes of unary_bcast_init in the unpacker";
  let arguments = (ins TTKernel_CB:$in, TTKernel_BcastTypeAttr:$bcast_type);
}
def TTKernel_UnaryBcastOp : TTKernel_DeviceOp<"unary_bcast"> {
  let summary = "Fill DST[dst] with column 0, row 0 or element (0, 0) of a tile";
  let arguments = (ins TTKernel_CB:$in, I32:$index, I32:$dst, TTKernel_BcastTypeAttr:$bcast_type);
}

def TTKernel_TransposeWHInitOp : TTKernel_InitOp<"transpose_wh_init"> {
  let summary = "Full configuration for transpose_wh_tile";
  let arguments = (ins TTKernel_CB:$in, TTKernel_CB:$out);
}
def TTKernel_TransposeWHInitShortOp : TTKernel_InitOp<"transpose_wh_init_short"> {
  let summary = "Switch to transpose_wh_tile from this buffer";
  let arguments = (ins TTKernel_CB:$in);
}
def TTKernel_TransposeWHTileOp : TTKernel_DeviceOp<"transpose_wh_tile"> {
  let summary = "DST[dst] = a tile with rows and columns exchanged";
  let arguments = (ins TTKernel_CB:$in, I32:$index, I32:$dst);
}

#endif // TTJIT_IR_TTKERNEL_COMPUTEOPS_TD
