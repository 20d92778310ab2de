//===- TTKernelTileTable.td - classes of the SFPU's calls ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each row of hw/facts/TileOps.def is one call of the SFPU and its initialisation,
// written by ir/generate-tile-ops with the classes of this file. Parameters are f32 here;
// TT-Metalium's calls take their bits.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_TILETABLE_TD
#define TTJIT_IR_TTKERNEL_TILETABLE_TD

include "ir/TTKernel/TTKernelBase.td"

class TTKernel_SFPUInit<string call, string id>
    : TTKernel_InitOp<call # "_init", [TTCore_TileOpInterface]> {
  let summary = "Switch the SFPU to " # call;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}
class TTKernel_SharedSFPUInit<string init, string calls> : TTKernel_InitOp<init> {
  let summary = "Switch the SFPU to any of " # calls;
}
class TTKernel_SFPURow<string call, string id> : TTKernel_DeviceOp<call, [TTCore_TileOpInterface]> {
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}
class TTKernel_SFPUUnary<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst], in place";
  let arguments = (ins I32:$dst);
}
class TTKernel_SFPUUnaryParam<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst], with parameters, in place";
  let arguments = (ins I32:$dst, Variadic<F32>:$params);
}
class TTKernel_SFPUUnaryInt<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst], with an integer parameter, in place";
  let arguments = (ins I32:$dst, I32:$param);
}
class TTKernel_SFPUBinary<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst0] and DST[dst1], to DST[odst]";
  let arguments = (ins I32:$dst0, I32:$dst1, I32:$odst);
}
class TTKernel_SFPUTernary<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst0], DST[dst1] and DST[dst2], to DST[odst]";
  let arguments = (ins I32:$dst0, I32:$dst1, I32:$dst2, I32:$odst);
}
class TTKernel_SFPUMask<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst], in place; dst_mask is dst + 1";
  let arguments = (ins I32:$dst, I32:$dst_mask);
}

#endif // TTJIT_IR_TTKERNEL_TILETABLE_TD
