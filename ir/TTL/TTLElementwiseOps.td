//===- TTLElementwiseOps.td - rows of the operation table ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One op on blocks and one on tiles for each row of hw/facts/TileOps.def. Numbers
// come after the blocks or tiles; shapes of blocks are equal.
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_ELEMENTWISEOPS_TD
#define TTJIT_IR_TTL_ELEMENTWISEOPS_TD

include "ir/TTL/TTLBlockOps.td"
include "ir/TTL/TTLComputeOps.td"

class TTL_BlockRow<string row, string id>
    : TTL_BlockComputeOp<"block_" # row, [TTCore_TileOpInterface]> {
  let hasVerifier = 1;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}

class TTL_BlockUnaryOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # " of each element";
  let arguments = (ins TTL_BlockOperand:$input);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}
class TTL_BlockUnaryParamOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # " of each element, with numbers";
  let arguments = (ins TTL_BlockOperand:$input, Variadic<F32>:$params);
  let assemblyFormat = "$input `,` $params attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockUnaryIntOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # " of each element, with an integer";
  let arguments = (ins TTL_BlockOperand:$input, I32:$param);
  let assemblyFormat = "$input `,` $param attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockBinaryOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # " of two blocks, element by element";
  let arguments = (ins TTL_BlockOperand:$lhs, TTL_BlockOperand:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockTernaryOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # " of three blocks, element by element";
  let arguments = (ins TTL_BlockOperand:$first, TTL_BlockOperand:$second,
                       TTL_BlockOperand:$third);
  let assemblyFormat =
      "$first `,` $second `,` $third attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockMaskingOp<string row, string id> : TTL_BlockRow<row, id> {
  let summary = row # ": replace the elements of a block where the mask is 1";
  let arguments = (ins TTL_BlockOperand:$data, TTL_BlockOperand:$mask);
  let assemblyFormat = "$data `,` $mask attr-dict `:` functional-type(operands, $result)";
}

def TTL_BlockAbsOp : TTL_BlockUnaryOp<"abs", "Abs">;
def TTL_BlockAcosOp : TTL_BlockUnaryOp<"acos", "Acos">;
def TTL_BlockAcoshOp : TTL_BlockUnaryOp<"acosh", "Acosh">;
def TTL_BlockAsinOp : TTL_BlockUnaryOp<"asin", "Asin">;
def TTL_BlockAsinhOp : TTL_BlockUnaryOp<"asinh", "Asinh">;
def TTL_BlockAtanOp : TTL_BlockUnaryOp<"atan", "Atan">;
def TTL_BlockAtanhOp : TTL_BlockUnaryOp<"atanh", "Atanh">;
def TTL_BlockCeilOp : TTL_BlockUnaryOp<"ceil", "Ceil">;
def TTL_BlockCosOp : TTL_BlockUnaryOp<"cos", "Cos">;
def TTL_BlockCoshOp : TTL_BlockUnaryOp<"cosh", "Cosh">;
def TTL_BlockEqzOp : TTL_BlockUnaryOp<"eqz", "Eqz">;
def TTL_BlockErfOp : TTL_BlockUnaryOp<"erf", "Erf">;
def TTL_BlockErfcOp : TTL_BlockUnaryOp<"erfc", "Erfc">;
def TTL_BlockExpOp : TTL_BlockUnaryOp<"exp", "Exp">;
def TTL_BlockExp2Op : TTL_BlockUnaryOp<"exp2", "Exp2">;
def TTL_BlockExpm1Op : TTL_BlockUnaryOp<"expm1", "Expm1">;
def TTL_BlockFloorOp : TTL_BlockUnaryOp<"floor", "Floor">;
def TTL_BlockFracOp : TTL_BlockUnaryOp<"frac", "Frac">;
def TTL_BlockGeluOp : TTL_BlockUnaryOp<"gelu", "Gelu">;
def TTL_BlockGezOp : TTL_BlockUnaryOp<"gez", "Gez">;
def TTL_BlockGtzOp : TTL_BlockUnaryOp<"gtz", "Gtz">;
def TTL_BlockHardSigmoidOp : TTL_BlockUnaryOp<"hardsigmoid", "HardSigmoid">;
def TTL_BlockIsInfOp : TTL_BlockUnaryOp<"isinf", "IsInf">;
def TTL_BlockIsNanOp : TTL_BlockUnaryOp<"isnan", "IsNan">;
def TTL_BlockLezOp : TTL_BlockUnaryOp<"lez", "Lez">;
def TTL_BlockLogOp : TTL_BlockUnaryOp<"log", "Log">;
def TTL_BlockLog1pOp : TTL_BlockUnaryOp<"log1p", "Log1p">;
def TTL_BlockLtzOp : TTL_BlockUnaryOp<"ltz", "Ltz">;
def TTL_BlockNegOp : TTL_BlockUnaryOp<"neg", "Neg">;
def TTL_BlockNezOp : TTL_BlockUnaryOp<"nez", "Nez">;
def TTL_BlockRecipOp : TTL_BlockUnaryOp<"recip", "Recip">;
def TTL_BlockReluOp : TTL_BlockUnaryOp<"relu", "Relu">;
def TTL_BlockRsqrtOp : TTL_BlockUnaryOp<"rsqrt", "Rsqrt">;
def TTL_BlockSigmoidOp : TTL_BlockUnaryOp<"sigmoid", "Sigmoid">;
def TTL_BlockSignOp : TTL_BlockUnaryOp<"sign", "Sign">;
def TTL_BlockSignBitOp : TTL_BlockUnaryOp<"signbit", "SignBit">;
def TTL_BlockSiluOp : TTL_BlockUnaryOp<"silu", "Silu">;
def TTL_BlockSinOp : TTL_BlockUnaryOp<"sin", "Sin">;
def TTL_BlockSinhOp : TTL_BlockUnaryOp<"sinh", "Sinh">;
def TTL_BlockSoftSignOp : TTL_BlockUnaryOp<"softsign", "SoftSign">;
def TTL_BlockSqrtOp : TTL_BlockUnaryOp<"sqrt", "Sqrt">;
def TTL_BlockSquareOp : TTL_BlockUnaryOp<"square", "Square">;
def TTL_BlockTanOp : TTL_BlockUnaryOp<"tan", "Tan">;
def TTL_BlockTanhOp : TTL_BlockUnaryOp<"tanh", "Tanh">;
def TTL_BlockTruncOp : TTL_BlockUnaryOp<"trunc", "Trunc">;

def TTL_BlockAddUnaryOp : TTL_BlockUnaryParamOp<"add_unary", "AddUnary">;
def TTL_BlockSubUnaryOp : TTL_BlockUnaryParamOp<"sub_unary", "SubUnary">;
def TTL_BlockMulUnaryOp : TTL_BlockUnaryParamOp<"mul_unary", "MulUnary">;
def TTL_BlockDivUnaryOp : TTL_BlockUnaryParamOp<"div_unary", "DivUnary">;
def TTL_BlockRsubUnaryOp : TTL_BlockUnaryParamOp<"rsub_unary", "RsubUnary">;
def TTL_BlockMaxUnaryOp : TTL_BlockUnaryParamOp<"max_unary", "MaxUnary">;
def TTL_BlockMinUnaryOp : TTL_BlockUnaryParamOp<"min_unary", "MinUnary">;
def TTL_BlockEqUnaryOp : TTL_BlockUnaryParamOp<"eq_unary", "EqUnary">;
def TTL_BlockNeUnaryOp : TTL_BlockUnaryParamOp<"ne_unary", "NeUnary">;
def TTL_BlockLtUnaryOp : TTL_BlockUnaryParamOp<"lt_unary", "LtUnary">;
def TTL_BlockLeUnaryOp : TTL_BlockUnaryParamOp<"le_unary", "LeUnary">;
def TTL_BlockGtUnaryOp : TTL_BlockUnaryParamOp<"gt_unary", "GtUnary">;
def TTL_BlockGeUnaryOp : TTL_BlockUnaryParamOp<"ge_unary", "GeUnary">;
def TTL_BlockPowUnaryOp : TTL_BlockUnaryParamOp<"pow_unary", "PowUnary">;
def TTL_BlockCeluOp : TTL_BlockUnaryParamOp<"celu", "Celu">;
def TTL_BlockClampOp : TTL_BlockUnaryParamOp<"clamp", "Clamp">;
def TTL_BlockEluOp : TTL_BlockUnaryParamOp<"elu", "Elu">;
def TTL_BlockLeakyReluOp : TTL_BlockUnaryParamOp<"leaky_relu", "LeakyRelu">;
def TTL_BlockReluMaxOp : TTL_BlockUnaryParamOp<"relu_max", "ReluMax">;
def TTL_BlockReluMinOp : TTL_BlockUnaryParamOp<"relu_min", "ReluMin">;
def TTL_BlockSeluOp : TTL_BlockUnaryParamOp<"selu", "Selu">;
def TTL_BlockSoftplusOp : TTL_BlockUnaryParamOp<"softplus", "Softplus">;
def TTL_BlockThresholdOp : TTL_BlockUnaryParamOp<"threshold", "Threshold">;

def TTL_BlockPowIntOp : TTL_BlockUnaryIntOp<"pow_int", "PowInt">;
def TTL_BlockRoundOp : TTL_BlockUnaryIntOp<"round", "Round">;

def TTL_BlockAddOp : TTL_BlockBinaryOp<"add", "Add">;
def TTL_BlockSubOp : TTL_BlockBinaryOp<"sub", "Sub">;
def TTL_BlockMulOp : TTL_BlockBinaryOp<"mul", "Mul">;
def TTL_BlockDivOp : TTL_BlockBinaryOp<"div", "Div">;
def TTL_BlockMaxOp : TTL_BlockBinaryOp<"max", "Max">;
def TTL_BlockMinOp : TTL_BlockBinaryOp<"min", "Min">;
def TTL_BlockPowOp : TTL_BlockBinaryOp<"pow", "Pow">;
def TTL_BlockEqOp : TTL_BlockBinaryOp<"eq", "Eq">;
def TTL_BlockNeOp : TTL_BlockBinaryOp<"ne", "Ne">;
def TTL_BlockLtOp : TTL_BlockBinaryOp<"lt", "Lt">;
def TTL_BlockLeOp : TTL_BlockBinaryOp<"le", "Le">;
def TTL_BlockGtOp : TTL_BlockBinaryOp<"gt", "Gt">;
def TTL_BlockGeOp : TTL_BlockBinaryOp<"ge", "Ge">;

def TTL_BlockWhereOp : TTL_BlockTernaryOp<"where", "Where">;

def TTL_BlockMaskOp : TTL_BlockMaskingOp<"mask", "Mask">;
def TTL_BlockMaskPosinfOp : TTL_BlockMaskingOp<"mask_posinf", "MaskPosinf">;

//===------------------------------------------------------------------------------===//
// On tiles
//===------------------------------------------------------------------------------===//

class TTL_TileRow<string row, string id>
    : TTL_TileOp<"tile_" # row, [TTCore_TileOpInterface]> {
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::ttjit::hw::TileOp::" # id # "; }";
}

class TTL_TileUnaryOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of each element of a tile, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}
class TTL_TileUnaryParamOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of each element of a tile with numbers, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, Variadic<F32>:$params,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input `,` $params attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileUnaryIntOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of each element of a tile with an integer, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, I32:$param, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input `,` $param attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileBinaryOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of two tiles in DST";
  let arguments = (ins TTCore_AnyTile:$lhs, TTCore_AnyTile:$rhs, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileTernaryOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of three tiles in DST";
  let arguments = (ins TTCore_AnyTile:$first, TTCore_AnyTile:$second, TTCore_AnyTile:$third,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat =
      "$first `,` $second `,` $third attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileMaskingOp<string row, string id> : TTL_TileRow<row, id> {
  let summary = row # " of a tile, in place; the mask is in the next register";
  let arguments = (ins TTCore_AnyTile:$data, TTCore_AnyTile:$mask, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$data `,` $mask attr-dict `:` functional-type(operands, $result)";
}

def TTL_TileAbsOp : TTL_TileUnaryOp<"abs", "Abs">;
def TTL_TileAcosOp : TTL_TileUnaryOp<"acos", "Acos">;
def TTL_TileAcoshOp : TTL_TileUnaryOp<"acosh", "Acosh">;
def TTL_TileAsinOp : TTL_TileUnaryOp<"asin", "Asin">;
def TTL_TileAsinhOp : TTL_TileUnaryOp<"asinh", "Asinh">;
def TTL_TileAtanOp : TTL_TileUnaryOp<"atan", "Atan">;
def TTL_TileAtanhOp : TTL_TileUnaryOp<"atanh", "Atanh">;
def TTL_TileCeilOp : TTL_TileUnaryOp<"ceil", "Ceil">;
def TTL_TileCosOp : TTL_TileUnaryOp<"cos", "Cos">;
def TTL_TileCoshOp : TTL_TileUnaryOp<"cosh", "Cosh">;
def TTL_TileEqzOp : TTL_TileUnaryOp<"eqz", "Eqz">;
def TTL_TileErfOp : TTL_TileUnaryOp<"erf", "Erf">;
def TTL_TileErfcOp : TTL_TileUnaryOp<"erfc", "Erfc">;
def TTL_TileExpOp : TTL_TileUnaryOp<"exp", "Exp">;
def TTL_TileExp2Op : TTL_TileUnaryOp<"exp2", "Exp2">;
def TTL_TileExpm1Op : TTL_TileUnaryOp<"expm1", "Expm1">;
def TTL_TileFloorOp : TTL_TileUnaryOp<"floor", "Floor">;
def TTL_TileFracOp : TTL_TileUnaryOp<"frac", "Frac">;
def TTL_TileGeluOp : TTL_TileUnaryOp<"gelu", "Gelu">;
def TTL_TileGezOp : TTL_TileUnaryOp<"gez", "Gez">;
def TTL_TileGtzOp : TTL_TileUnaryOp<"gtz", "Gtz">;
def TTL_TileHardSigmoidOp : TTL_TileUnaryOp<"hardsigmoid", "HardSigmoid">;
def TTL_TileIsInfOp : TTL_TileUnaryOp<"isinf", "IsInf">;
def TTL_TileIsNanOp : TTL_TileUnaryOp<"isnan", "IsNan">;
def TTL_TileLezOp : TTL_TileUnaryOp<"lez", "Lez">;
def TTL_TileLogOp : TTL_TileUnaryOp<"log", "Log">;
def TTL_TileLog1pOp : TTL_TileUnaryOp<"log1p", "Log1p">;
def TTL_TileLtzOp : TTL_TileUnaryOp<"ltz", "Ltz">;
def TTL_TileNegOp : TTL_TileUnaryOp<"neg", "Neg">;
def TTL_TileNezOp : TTL_TileUnaryOp<"nez", "Nez">;
def TTL_TileRecipOp : TTL_TileUnaryOp<"recip", "Recip">;
def TTL_TileReluOp : TTL_TileUnaryOp<"relu", "Relu">;
def TTL_TileRsqrtOp : TTL_TileUnaryOp<"rsqrt", "Rsqrt">;
def TTL_TileSigmoidOp : TTL_TileUnaryOp<"sigmoid", "Sigmoid">;
def TTL_TileSignOp : TTL_TileUnaryOp<"sign", "Sign">;
def TTL_TileSignBitOp : TTL_TileUnaryOp<"signbit", "SignBit">;
def TTL_TileSiluOp : TTL_TileUnaryOp<"silu", "Silu">;
def TTL_TileSinOp : TTL_TileUnaryOp<"sin", "Sin">;
def TTL_TileSinhOp : TTL_TileUnaryOp<"sinh", "Sinh">;
def TTL_TileSoftSignOp : TTL_TileUnaryOp<"softsign", "SoftSign">;
def TTL_TileSqrtOp : TTL_TileUnaryOp<"sqrt", "Sqrt">;
def TTL_TileSquareOp : TTL_TileUnaryOp<"square", "Square">;
def TTL_TileTanOp : TTL_TileUnaryOp<"tan", "Tan">;
def TTL_TileTanhOp : TTL_TileUnaryOp<"tanh", "Tanh">;
def TTL_TileTruncOp : TTL_TileUnaryOp<"trunc", "Trunc">;

def TTL_TileAddUnaryOp : TTL_TileUnaryParamOp<"add_unary", "AddUnary">;
def TTL_TileSubUnaryOp : TTL_TileUnaryParamOp<"sub_unary", "SubUnary">;
def TTL_TileMulUnaryOp : TTL_TileUnaryParamOp<"mul_unary", "MulUnary">;
def TTL_TileDivUnaryOp : TTL_TileUnaryParamOp<"div_unary", "DivUnary">;
def TTL_TileRsubUnaryOp : TTL_TileUnaryParamOp<"rsub_unary", "RsubUnary">;
def TTL_TileMaxUnaryOp : TTL_TileUnaryParamOp<"max_unary", "MaxUnary">;
def TTL_TileMinUnaryOp : TTL_TileUnaryParamOp<"min_unary", "MinUnary">;
def TTL_TileEqUnaryOp : TTL_TileUnaryParamOp<"eq_unary", "EqUnary">;
def TTL_TileNeUnaryOp : TTL_TileUnaryParamOp<"ne_unary", "NeUnary">;
def TTL_TileLtUnaryOp : TTL_TileUnaryParamOp<"lt_unary", "LtUnary">;
def TTL_TileLeUnaryOp : TTL_TileUnaryParamOp<"le_unary", "LeUnary">;
def TTL_TileGtUnaryOp : TTL_TileUnaryParamOp<"gt_unary", "GtUnary">;
def TTL_TileGeUnaryOp : TTL_TileUnaryParamOp<"ge_unary", "GeUnary">;
def TTL_TilePowUnaryOp : TTL_TileUnaryParamOp<"pow_unary", "PowUnary">;
def TTL_TileCeluOp : TTL_TileUnaryParamOp<"celu", "Celu">;
def TTL_TileClampOp : TTL_TileUnaryParamOp<"clamp", "Clamp">;
def TTL_TileEluOp : TTL_TileUnaryParamOp<"elu", "Elu">;
def TTL_TileLeakyReluOp : TTL_TileUnaryParamOp<"leaky_relu", "LeakyRelu">;
def TTL_TileReluMaxOp : TTL_TileUnaryParamOp<"relu_max", "ReluMax">;
def TTL_TileReluMinOp : TTL_TileUnaryParamOp<"relu_min", "ReluMin">;
def TTL_TileSeluOp : TTL_TileUnaryParamOp<"selu", "Selu">;
def TTL_TileSoftplusOp : TTL_TileUnaryParamOp<"softplus", "Softplus">;
def TTL_TileThresholdOp : TTL_TileUnaryParamOp<"threshold", "Threshold">;

def TTL_TilePowIntOp : TTL_TileUnaryIntOp<"pow_int", "PowInt">;
def TTL_TileRoundOp : TTL_TileUnaryIntOp<"round", "Round">;

def TTL_TileAddOp : TTL_TileBinaryOp<"add", "Add">;
def TTL_TileSubOp : TTL_TileBinaryOp<"sub", "Sub">;
def TTL_TileMulOp : TTL_TileBinaryOp<"mul", "Mul">;
def TTL_TileDivOp : TTL_TileBinaryOp<"div", "Div">;
def TTL_TileMaxOp : TTL_TileBinaryOp<"max", "Max">;
def TTL_TileMinOp : TTL_TileBinaryOp<"min", "Min">;
def TTL_TilePowOp : TTL_TileBinaryOp<"pow", "Pow">;
def TTL_TileEqOp : TTL_TileBinaryOp<"eq", "Eq">;
def TTL_TileNeOp : TTL_TileBinaryOp<"ne", "Ne">;
def TTL_TileLtOp : TTL_TileBinaryOp<"lt", "Lt">;
def TTL_TileLeOp : TTL_TileBinaryOp<"le", "Le">;
def TTL_TileGtOp : TTL_TileBinaryOp<"gt", "Gt">;
def TTL_TileGeOp : TTL_TileBinaryOp<"ge", "Ge">;

def TTL_TileWhereOp : TTL_TileTernaryOp<"where", "Where">;

def TTL_TileMaskOp : TTL_TileMaskingOp<"mask", "Mask">;
def TTL_TileMaskPosinfOp : TTL_TileMaskingOp<"mask_posinf", "MaskPosinf">;

#endif // TTJIT_IR_TTL_ELEMENTWISEOPS_TD
