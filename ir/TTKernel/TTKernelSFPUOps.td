//===- TTKernelSFPUOps.td - rows of the operation table ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the SFPU: the rows of hw/facts/TileOps.def. Numbers are f32 here and
// their bits in Metalium.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTKERNEL_SFPUOPS_TD
#define TTJIT_IR_TTKERNEL_SFPUOPS_TD

include "ir/TTKernel/TTKernelBase.td"

class TTKernel_SFPUInit<string call, string id>
    : TTKernel_InitOp<call # "_init", [TTCore_TileOpInterface]> {
  let summary = "Switch the SFPU to " # call;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
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
  let summary = !subst("_tile", "", call) # " of DST[dst] with numbers, in place";
  let arguments = (ins I32:$dst, Variadic<F32>:$params);
}
class TTKernel_SFPUUnaryInt<string call, string id> : TTKernel_SFPURow<call, id> {
  let summary = !subst("_tile", "", call) # " of DST[dst] with an integer, in place";
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

def TTKernel_AbsTileInitOp : TTKernel_SFPUInit<"abs_tile", "Abs">;
def TTKernel_AbsTileOp : TTKernel_SFPUUnary<"abs_tile", "Abs">;
def TTKernel_AcosTileInitOp : TTKernel_SFPUInit<"acos_tile", "Acos">;
def TTKernel_AcosTileOp : TTKernel_SFPUUnary<"acos_tile", "Acos">;
def TTKernel_AcoshTileInitOp : TTKernel_SFPUInit<"acosh_tile", "Acosh">;
def TTKernel_AcoshTileOp : TTKernel_SFPUUnary<"acosh_tile", "Acosh">;
def TTKernel_AsinTileInitOp : TTKernel_SFPUInit<"asin_tile", "Asin">;
def TTKernel_AsinTileOp : TTKernel_SFPUUnary<"asin_tile", "Asin">;
def TTKernel_AsinhTileInitOp : TTKernel_SFPUInit<"asinh_tile", "Asinh">;
def TTKernel_AsinhTileOp : TTKernel_SFPUUnary<"asinh_tile", "Asinh">;
def TTKernel_AtanTileInitOp : TTKernel_SFPUInit<"atan_tile", "Atan">;
def TTKernel_AtanTileOp : TTKernel_SFPUUnary<"atan_tile", "Atan">;
def TTKernel_AtanhTileInitOp : TTKernel_SFPUInit<"atanh_tile", "Atanh">;
def TTKernel_AtanhTileOp : TTKernel_SFPUUnary<"atanh_tile", "Atanh">;
def TTKernel_RoundingOpTileInitOp : TTKernel_InitOp<"rounding_op_tile_init"> {
  let summary = "Switch the SFPU to ceil_tile, floor_tile, frac_tile, round_tile and trunc_tile";
}
def TTKernel_CeilTileOp : TTKernel_SFPUUnary<"ceil_tile", "Ceil">;
def TTKernel_CosTileInitOp : TTKernel_SFPUInit<"cos_tile", "Cos">;
def TTKernel_CosTileOp : TTKernel_SFPUUnary<"cos_tile", "Cos">;
def TTKernel_CoshTileInitOp : TTKernel_SFPUInit<"cosh_tile", "Cosh">;
def TTKernel_CoshTileOp : TTKernel_SFPUUnary<"cosh_tile", "Cosh">;
def TTKernel_EqzTileInitOp : TTKernel_SFPUInit<"eqz_tile", "Eqz">;
def TTKernel_EqzTileOp : TTKernel_SFPUUnary<"eqz_tile", "Eqz">;
def TTKernel_ErfTileInitOp : TTKernel_SFPUInit<"erf_tile", "Erf">;
def TTKernel_ErfTileOp : TTKernel_SFPUUnary<"erf_tile", "Erf">;
def TTKernel_ErfcTileInitOp : TTKernel_SFPUInit<"erfc_tile", "Erfc">;
def TTKernel_ErfcTileOp : TTKernel_SFPUUnary<"erfc_tile", "Erfc">;
def TTKernel_ExpTileInitOp : TTKernel_SFPUInit<"exp_tile", "Exp">;
def TTKernel_ExpTileOp : TTKernel_SFPUUnary<"exp_tile", "Exp">;
def TTKernel_Exp2TileInitOp : TTKernel_SFPUInit<"exp2_tile", "Exp2">;
def TTKernel_Exp2TileOp : TTKernel_SFPUUnary<"exp2_tile", "Exp2">;
def TTKernel_Expm1TileInitOp : TTKernel_SFPUInit<"expm1_tile", "Expm1">;
def TTKernel_Expm1TileOp : TTKernel_SFPUUnary<"expm1_tile", "Expm1">;
def TTKernel_FloorTileOp : TTKernel_SFPUUnary<"floor_tile", "Floor">;
def TTKernel_FracTileOp : TTKernel_SFPUUnary<"frac_tile", "Frac">;
def TTKernel_GeluTileInitOp : TTKernel_SFPUInit<"gelu_tile", "Gelu">;
def TTKernel_GeluTileOp : TTKernel_SFPUUnary<"gelu_tile", "Gelu">;
def TTKernel_GezTileInitOp : TTKernel_SFPUInit<"gez_tile", "Gez">;
def TTKernel_GezTileOp : TTKernel_SFPUUnary<"gez_tile", "Gez">;
def TTKernel_GtzTileInitOp : TTKernel_SFPUInit<"gtz_tile", "Gtz">;
def TTKernel_GtzTileOp : TTKernel_SFPUUnary<"gtz_tile", "Gtz">;
def TTKernel_HardsigmoidTileInitOp : TTKernel_SFPUInit<"hardsigmoid_tile", "HardSigmoid">;
def TTKernel_HardsigmoidTileOp : TTKernel_SFPUUnary<"hardsigmoid_tile", "HardSigmoid">;
def TTKernel_IsinfTileInitOp : TTKernel_SFPUInit<"isinf_tile", "IsInf">;
def TTKernel_IsinfTileOp : TTKernel_SFPUUnary<"isinf_tile", "IsInf">;
def TTKernel_IsnanTileInitOp : TTKernel_SFPUInit<"isnan_tile", "IsNan">;
def TTKernel_IsnanTileOp : TTKernel_SFPUUnary<"isnan_tile", "IsNan">;
def TTKernel_LezTileInitOp : TTKernel_SFPUInit<"lez_tile", "Lez">;
def TTKernel_LezTileOp : TTKernel_SFPUUnary<"lez_tile", "Lez">;
def TTKernel_LogTileInitOp : TTKernel_SFPUInit<"log_tile", "Log">;
def TTKernel_LogTileOp : TTKernel_SFPUUnary<"log_tile", "Log">;
def TTKernel_Log1pTileInitOp : TTKernel_SFPUInit<"log1p_tile", "Log1p">;
def TTKernel_Log1pTileOp : TTKernel_SFPUUnary<"log1p_tile", "Log1p">;
def TTKernel_LtzTileInitOp : TTKernel_SFPUInit<"ltz_tile", "Ltz">;
def TTKernel_LtzTileOp : TTKernel_SFPUUnary<"ltz_tile", "Ltz">;
def TTKernel_NegativeTileInitOp : TTKernel_SFPUInit<"negative_tile", "Neg">;
def TTKernel_NegativeTileOp : TTKernel_SFPUUnary<"negative_tile", "Neg">;
def TTKernel_NezTileInitOp : TTKernel_SFPUInit<"nez_tile", "Nez">;
def TTKernel_NezTileOp : TTKernel_SFPUUnary<"nez_tile", "Nez">;
def TTKernel_RecipTileInitOp : TTKernel_SFPUInit<"recip_tile", "Recip">;
def TTKernel_RecipTileOp : TTKernel_SFPUUnary<"recip_tile", "Recip">;
def TTKernel_ReluTileInitOp : TTKernel_SFPUInit<"relu_tile", "Relu">;
def TTKernel_ReluTileOp : TTKernel_SFPUUnary<"relu_tile", "Relu">;
def TTKernel_RsqrtTileInitOp : TTKernel_SFPUInit<"rsqrt_tile", "Rsqrt">;
def TTKernel_RsqrtTileOp : TTKernel_SFPUUnary<"rsqrt_tile", "Rsqrt">;
def TTKernel_SigmoidTileInitOp : TTKernel_SFPUInit<"sigmoid_tile", "Sigmoid">;
def TTKernel_SigmoidTileOp : TTKernel_SFPUUnary<"sigmoid_tile", "Sigmoid">;
def TTKernel_SignTileInitOp : TTKernel_SFPUInit<"sign_tile", "Sign">;
def TTKernel_SignTileOp : TTKernel_SFPUUnary<"sign_tile", "Sign">;
def TTKernel_SignbitTileInitOp : TTKernel_SFPUInit<"signbit_tile", "SignBit">;
def TTKernel_SignbitTileOp : TTKernel_SFPUUnary<"signbit_tile", "SignBit">;
def TTKernel_SiluTileInitOp : TTKernel_SFPUInit<"silu_tile", "Silu">;
def TTKernel_SiluTileOp : TTKernel_SFPUUnary<"silu_tile", "Silu">;
def TTKernel_SinTileInitOp : TTKernel_SFPUInit<"sin_tile", "Sin">;
def TTKernel_SinTileOp : TTKernel_SFPUUnary<"sin_tile", "Sin">;
def TTKernel_SinhTileInitOp : TTKernel_SFPUInit<"sinh_tile", "Sinh">;
def TTKernel_SinhTileOp : TTKernel_SFPUUnary<"sinh_tile", "Sinh">;
def TTKernel_SoftsignTileInitOp : TTKernel_SFPUInit<"softsign_tile", "SoftSign">;
def TTKernel_SoftsignTileOp : TTKernel_SFPUUnary<"softsign_tile", "SoftSign">;
def TTKernel_SqrtTileInitOp : TTKernel_SFPUInit<"sqrt_tile", "Sqrt">;
def TTKernel_SqrtTileOp : TTKernel_SFPUUnary<"sqrt_tile", "Sqrt">;
def TTKernel_SquareTileInitOp : TTKernel_SFPUInit<"square_tile", "Square">;
def TTKernel_SquareTileOp : TTKernel_SFPUUnary<"square_tile", "Square">;
def TTKernel_TanTileInitOp : TTKernel_SFPUInit<"tan_tile", "Tan">;
def TTKernel_TanTileOp : TTKernel_SFPUUnary<"tan_tile", "Tan">;
def TTKernel_TanhTileInitOp : TTKernel_SFPUInit<"tanh_tile", "Tanh">;
def TTKernel_TanhTileOp : TTKernel_SFPUUnary<"tanh_tile", "Tanh">;
def TTKernel_TruncTileOp : TTKernel_SFPUUnary<"trunc_tile", "Trunc">;

def TTKernel_BinopWithScalarTileInitOp : TTKernel_InitOp<"binop_with_scalar_tile_init"> {
  let summary = "Switch the SFPU to {add,sub,mul,div,rsub}_unary_tile";
}
def TTKernel_AddUnaryTileOp : TTKernel_SFPUUnaryParam<"add_unary_tile", "AddUnary">;
def TTKernel_SubUnaryTileOp : TTKernel_SFPUUnaryParam<"sub_unary_tile", "SubUnary">;
def TTKernel_MulUnaryTileOp : TTKernel_SFPUUnaryParam<"mul_unary_tile", "MulUnary">;
def TTKernel_DivUnaryTileOp : TTKernel_SFPUUnaryParam<"div_unary_tile", "DivUnary">;
def TTKernel_RsubUnaryTileOp : TTKernel_SFPUUnaryParam<"rsub_unary_tile", "RsubUnary">;
def TTKernel_UnaryMaxTileInitOp : TTKernel_SFPUInit<"unary_max_tile", "MaxUnary">;
def TTKernel_UnaryMaxTileOp : TTKernel_SFPUUnaryParam<"unary_max_tile", "MaxUnary">;
def TTKernel_UnaryMinTileInitOp : TTKernel_SFPUInit<"unary_min_tile", "MinUnary">;
def TTKernel_UnaryMinTileOp : TTKernel_SFPUUnaryParam<"unary_min_tile", "MinUnary">;
def TTKernel_UnaryEqTileInitOp : TTKernel_SFPUInit<"unary_eq_tile", "EqUnary">;
def TTKernel_UnaryEqTileOp : TTKernel_SFPUUnaryParam<"unary_eq_tile", "EqUnary">;
def TTKernel_UnaryNeTileInitOp : TTKernel_SFPUInit<"unary_ne_tile", "NeUnary">;
def TTKernel_UnaryNeTileOp : TTKernel_SFPUUnaryParam<"unary_ne_tile", "NeUnary">;
def TTKernel_UnaryLtTileInitOp : TTKernel_SFPUInit<"unary_lt_tile", "LtUnary">;
def TTKernel_UnaryLtTileOp : TTKernel_SFPUUnaryParam<"unary_lt_tile", "LtUnary">;
def TTKernel_UnaryLeTileInitOp : TTKernel_SFPUInit<"unary_le_tile", "LeUnary">;
def TTKernel_UnaryLeTileOp : TTKernel_SFPUUnaryParam<"unary_le_tile", "LeUnary">;
def TTKernel_UnaryGtTileInitOp : TTKernel_SFPUInit<"unary_gt_tile", "GtUnary">;
def TTKernel_UnaryGtTileOp : TTKernel_SFPUUnaryParam<"unary_gt_tile", "GtUnary">;
def TTKernel_UnaryGeTileInitOp : TTKernel_SFPUInit<"unary_ge_tile", "GeUnary">;
def TTKernel_UnaryGeTileOp : TTKernel_SFPUUnaryParam<"unary_ge_tile", "GeUnary">;
def TTKernel_PowerTileInitOp : TTKernel_SFPUInit<"power_tile", "PowUnary">;
def TTKernel_PowerTileOp : TTKernel_SFPUUnaryParam<"power_tile", "PowUnary">;
def TTKernel_CeluTileInitOp : TTKernel_SFPUInit<"celu_tile", "Celu">;
def TTKernel_CeluTileOp : TTKernel_SFPUUnaryParam<"celu_tile", "Celu">;
def TTKernel_ClampTileInitOp : TTKernel_SFPUInit<"clamp_tile", "Clamp">;
def TTKernel_ClampTileOp : TTKernel_SFPUUnaryParam<"clamp_tile", "Clamp">;
def TTKernel_EluTileInitOp : TTKernel_SFPUInit<"elu_tile", "Elu">;
def TTKernel_EluTileOp : TTKernel_SFPUUnaryParam<"elu_tile", "Elu">;
def TTKernel_LeakyReluTileInitOp : TTKernel_SFPUInit<"leaky_relu_tile", "LeakyRelu">;
def TTKernel_LeakyReluTileOp : TTKernel_SFPUUnaryParam<"leaky_relu_tile", "LeakyRelu">;
def TTKernel_ReluMaxTileInitOp : TTKernel_SFPUInit<"relu_max_tile", "ReluMax">;
def TTKernel_ReluMaxTileOp : TTKernel_SFPUUnaryParam<"relu_max_tile", "ReluMax">;
def TTKernel_ReluMinTileInitOp : TTKernel_SFPUInit<"relu_min_tile", "ReluMin">;
def TTKernel_ReluMinTileOp : TTKernel_SFPUUnaryParam<"relu_min_tile", "ReluMin">;
def TTKernel_SeluTileInitOp : TTKernel_SFPUInit<"selu_tile", "Selu">;
def TTKernel_SeluTileOp : TTKernel_SFPUUnaryParam<"selu_tile", "Selu">;
def TTKernel_SoftplusTileInitOp : TTKernel_SFPUInit<"softplus_tile", "Softplus">;
def TTKernel_SoftplusTileOp : TTKernel_SFPUUnaryParam<"softplus_tile", "Softplus">;
def TTKernel_ThresholdTileInitOp : TTKernel_SFPUInit<"threshold_tile", "Threshold">;
def TTKernel_ThresholdTileOp : TTKernel_SFPUUnaryParam<"threshold_tile", "Threshold">;

def TTKernel_PowerIterativeTileInitOp : TTKernel_SFPUInit<"power_iterative_tile", "PowInt">;
def TTKernel_PowerIterativeTileOp : TTKernel_SFPUUnaryInt<"power_iterative_tile", "PowInt">;
def TTKernel_RoundTileOp : TTKernel_SFPUUnaryInt<"round_tile", "Round">;

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
def TTKernel_PowerBinaryTileInitOp : TTKernel_SFPUInit<"power_binary_tile", "Pow">;
def TTKernel_PowerBinaryTileOp : TTKernel_SFPUBinary<"power_binary_tile", "Pow">;
def TTKernel_EqBinaryTileInitOp : TTKernel_SFPUInit<"eq_binary_tile", "Eq">;
def TTKernel_EqBinaryTileOp : TTKernel_SFPUBinary<"eq_binary_tile", "Eq">;
def TTKernel_NeBinaryTileInitOp : TTKernel_SFPUInit<"ne_binary_tile", "Ne">;
def TTKernel_NeBinaryTileOp : TTKernel_SFPUBinary<"ne_binary_tile", "Ne">;
def TTKernel_LtBinaryTileInitOp : TTKernel_SFPUInit<"lt_binary_tile", "Lt">;
def TTKernel_LtBinaryTileOp : TTKernel_SFPUBinary<"lt_binary_tile", "Lt">;
def TTKernel_LeBinaryTileInitOp : TTKernel_SFPUInit<"le_binary_tile", "Le">;
def TTKernel_LeBinaryTileOp : TTKernel_SFPUBinary<"le_binary_tile", "Le">;
def TTKernel_GtBinaryTileInitOp : TTKernel_SFPUInit<"gt_binary_tile", "Gt">;
def TTKernel_GtBinaryTileOp : TTKernel_SFPUBinary<"gt_binary_tile", "Gt">;
def TTKernel_GeBinaryTileInitOp : TTKernel_SFPUInit<"ge_binary_tile", "Ge">;
def TTKernel_GeBinaryTileOp : TTKernel_SFPUBinary<"ge_binary_tile", "Ge">;

def TTKernel_WhereTileInitOp : TTKernel_SFPUInit<"where_tile", "Where">;
def TTKernel_WhereTileOp : TTKernel_SFPUTernary<"where_tile", "Where">;

def TTKernel_MaskTileInitOp : TTKernel_SFPUInit<"mask_tile", "Mask">;
def TTKernel_MaskTileOp : TTKernel_SFPUMask<"mask_tile", "Mask">;
def TTKernel_MaskPosinfTileOp : TTKernel_SFPUMask<"mask_posinf_tile", "MaskPosinf">;

#endif // TTJIT_IR_TTKERNEL_SFPUOPS_TD
