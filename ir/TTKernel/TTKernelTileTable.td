//===- TTKernelTileTable.td - classes of the SFPU's calls ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each row of hw/facts/TileOps.def is one call of the SFPU and its initialisation. The rows
// of a kind share a class of ir/TTKernel/TTKernelTileClasses.td. Parameters are f32 here;
// TT-Metalium's calls take their bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_TILETABLE_TD
#define TTJIT_IR_TTKERNEL_TILETABLE_TD

include "ir/TTKernel/TTKernelBase.td"

class TTKernel_SFPUInit<string call>
    : TTKernel_InitOp<call # "_init", [TTCore_TileOpInterface]> {
  let summary = "Switch the SFPU to " # call;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::mlir::tt::ttcore::rowOf(*this); }";
}
class TTKernel_SharedSFPUInit<string init, string calls> : TTKernel_InitOp<init> {
  let summary = "Switch the SFPU to any of " # calls;
}
class TTKernel_SFPURow<string call> : TTKernel_DeviceOp<call, [TTCore_TileOpInterface]> {
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::mlir::tt::ttcore::rowOf(*this); }";
}
class TTKernel_SFPUUnary<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst], in place";
  let arguments = (ins I32:$dst);
}
class TTKernel_SFPUUnaryParam<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst], with parameters, in place";
  let arguments = (ins I32:$dst, Variadic<F32>:$params);
}
class TTKernel_SFPUUnaryInt<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst], with an integer parameter, in place";
  let arguments = (ins I32:$dst, I32:$param);
}
class TTKernel_SFPUBinary<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst0] and DST[dst1], to DST[odst]";
  let arguments = (ins I32:$dst0, I32:$dst1, I32:$odst);
}
class TTKernel_SFPUTernary<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst0], DST[dst1] and DST[dst2], to DST[odst]";
  let arguments = (ins I32:$dst0, I32:$dst1, I32:$dst2, I32:$odst);
}
class TTKernel_SFPUMask<string call> : TTKernel_SFPURow<call> {
  let summary = !subst("_tile", "", call) # " of DST[dst], in place; dst_mask is dst + 1";
  let arguments = (ins I32:$dst, I32:$dst_mask);
}

#endif // TTJIT_IR_TTKERNEL_TILETABLE_TD
