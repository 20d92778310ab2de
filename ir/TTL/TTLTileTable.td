//===- TTLTileTable.td - classes of the tile operations' ops ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each row of hw/facts/TileOps.def has one op on blocks and one on tiles. The rows of a kind
// share a class of ir/TTL/TTLTileClasses.td. Numeric operands come after blocks or tiles. All
// blocks of an op have the same shape.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TILETABLE_TD
#define TTJIT_IR_TTL_TILETABLE_TD

include "ir/TTL/TTLOpClasses.td"

class TTL_BlockRow<string row>
    : TTL_BlockComputeOp<"block_" # row, [TTCore_TileOpInterface]> {
  let hasVerifier = 1;
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::mlir::tt::ttcore::rowOf(*this); }";
}

class TTL_BlockUnaryRow<string row> : TTL_BlockRow<row> {
  let summary = row # " of each element";
  let arguments = (ins TTL_BlockOperand:$input);
  let assemblyFormat =
      "$input attr-dict custom<RowTypes>(ref($input), type($input), type($result))";
}
class TTL_BlockUnaryParamRow<string row> : TTL_BlockRow<row> {
  let summary = row # " of each element, with parameters";
  let arguments = (ins TTL_BlockOperand:$input, Variadic<F32>:$params);
  let assemblyFormat = "$input `,` $params attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockUnaryIntRow<string row> : TTL_BlockRow<row> {
  let summary = row # " of each element, with an integer parameter";
  let arguments = (ins TTL_BlockOperand:$input, I32:$param);
  let assemblyFormat = "$input `,` $param attr-dict `:` functional-type(operands, $result)";
}
class TTL_BlockBinaryRow<string row> : TTL_BlockRow<row> {
  let summary = row # " of two blocks, element by element";
  let arguments = (ins TTL_BlockOperand:$lhs, TTL_BlockOperand:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    custom<RowTypes>(ref($lhs), ref($rhs), type($lhs), type($rhs), type($result))
  }];
}
class TTL_BlockTernaryRow<string row> : TTL_BlockRow<row> {
  let summary = row # " of three blocks, element by element";
  let arguments = (ins TTL_BlockOperand:$first, TTL_BlockOperand:$second,
                       TTL_BlockOperand:$third);
  let assemblyFormat = [{
    $first `,` $second `,` $third attr-dict
    custom<RowTypes>(ref($first), ref($second), ref($third), type($first), type($second),
                     type($third), type($result))
  }];
}
class TTL_BlockMaskRow<string row> : TTL_BlockRow<row> {
  let summary = row # ": replace the elements of a block where the mask is 1";
  let arguments = (ins TTL_BlockOperand:$data, TTL_BlockOperand:$mask);
  let assemblyFormat = [{
    $data `,` $mask attr-dict
    custom<RowTypes>(ref($data), ref($mask), type($data), type($mask), type($result))
  }];
}

//===--------------------------------------------------------------------------===//
// Ops on tiles
//===--------------------------------------------------------------------------===//

class TTL_TileRow<string row>
    : TTL_TileOp<"tile_" # row, [TTCore_TileOpInterface]> {
  let extraClassDeclaration =
      "::ttjit::hw::TileOp getTileOp() { return ::mlir::tt::ttcore::rowOf(*this); }";
}

class TTL_TileUnaryRow<string row> : TTL_TileRow<row> {
  let summary = row # " of each element of a tile, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat =
      "$input attr-dict custom<RowTypes>(ref($input), type($input), type($result))";
}
class TTL_TileUnaryParamRow<string row> : TTL_TileRow<row> {
  let summary = row # " of each element of a tile, with parameters, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, Variadic<F32>:$params,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input `,` $params attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileUnaryIntRow<string row> : TTL_TileRow<row> {
  let summary = row # " of each element of a tile, with an integer parameter, in place in DST";
  let arguments = (ins TTCore_AnyTile:$input, I32:$param, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = "$input `,` $param attr-dict `:` functional-type(operands, $result)";
}
class TTL_TileBinaryRow<string row> : TTL_TileRow<row> {
  let summary = row # " of two tiles in DST";
  let arguments = (ins TTCore_AnyTile:$lhs, TTCore_AnyTile:$rhs, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    custom<RowTypes>(ref($lhs), ref($rhs), type($lhs), type($rhs), type($result))
  }];
}
class TTL_TileTernaryRow<string row> : TTL_TileRow<row> {
  let summary = row # " of three tiles in DST";
  let arguments = (ins TTCore_AnyTile:$first, TTCore_AnyTile:$second, TTCore_AnyTile:$third,
                       OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = [{
    $first `,` $second `,` $third attr-dict
    custom<RowTypes>(ref($first), ref($second), ref($third), type($first), type($second),
                     type($third), type($result))
  }];
}
class TTL_TileMaskRow<string row> : TTL_TileRow<row> {
  let summary = row # " of a tile, in place; the mask is in the next register";
  let arguments = (ins TTCore_AnyTile:$data, TTCore_AnyTile:$mask, OptionalAttr<I32Attr>:$dst_idx);
  let assemblyFormat = [{
    $data `,` $mask attr-dict
    custom<RowTypes>(ref($data), ref($mask), type($data), type($mask), type($result))
  }];
}

#endif // TTJIT_IR_TTL_TILETABLE_TD
