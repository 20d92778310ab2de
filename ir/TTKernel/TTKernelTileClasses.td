//===- TTKernelTileClasses.td - classes of the SFPU's calls ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The C++ classes that the rows of hw/facts/TileOps.def share, one for each kind of row, and
// those of their initialisations. ir/TTKernel/TTKernelTileRows.cpp registers the ops.
//===--------------------------------------------------------------------------===//

include "ir/TTKernel/TTKernelTileTable.td"

def TTKernel_SFPUUnaryOp : TTKernel_SFPUUnary<"sfpu_unary">;
def TTKernel_SFPUUnaryParamOp : TTKernel_SFPUUnaryParam<"sfpu_unary_param">;
def TTKernel_SFPUUnaryIntOp : TTKernel_SFPUUnaryInt<"sfpu_unary_int">;
def TTKernel_SFPUBinaryOp : TTKernel_SFPUBinary<"sfpu_binary">;
def TTKernel_SFPUTernaryOp : TTKernel_SFPUTernary<"sfpu_ternary">;
def TTKernel_SFPUMaskOp : TTKernel_SFPUMask<"sfpu_mask">;

def TTKernel_SFPUInitOp : TTKernel_SFPUInit<"sfpu">;
def TTKernel_SharedSFPUInitOp : TTKernel_SharedSFPUInit<"sfpu_shared_init", "several rows">;
