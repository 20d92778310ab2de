//===- TTLTileClasses.td - classes of the tile operations' ops -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The C++ classes that the rows of hw/facts/TileOps.def share, one for each kind of row.
// ir/TTL/TTLTileRows.cpp registers the ops, such as `ttl.block_exp` and `ttl.tile_exp`. A
// class itself is no op.
//===--------------------------------------------------------------------------===//

include "ir/TTL/TTLTileTable.td"

def TTL_BlockUnaryOp : TTL_BlockUnaryRow<"unary">;
def TTL_BlockUnaryParamOp : TTL_BlockUnaryParamRow<"unary_param">;
def TTL_BlockUnaryIntOp : TTL_BlockUnaryIntRow<"unary_int">;
def TTL_BlockBinaryOp : TTL_BlockBinaryRow<"binary">;
def TTL_BlockTernaryOp : TTL_BlockTernaryRow<"ternary">;
def TTL_BlockMaskOp : TTL_BlockMaskRow<"masking">;

def TTL_TileUnaryOp : TTL_TileUnaryRow<"unary">;
def TTL_TileUnaryParamOp : TTL_TileUnaryParamRow<"unary_param">;
def TTL_TileUnaryIntOp : TTL_TileUnaryIntRow<"unary_int">;
def TTL_TileBinaryOp : TTL_TileBinaryRow<"binary">;
def TTL_TileTernaryOp : TTL_TileTernaryRow<"ternary">;
def TTL_TileMaskOp : TTL_TileMaskRow<"masking">;
