//===- TTLElementwiseOps.h - ops of the rows of hw/facts/TileOps.def *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One op on blocks and one on tiles for each row; the rows of a kind share a class.
// ttcore::TileOpInterface gives the row of an op.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTLELEMENTWISEOPS_H
#define TTJIT_IR_TTL_TTLELEMENTWISEOPS_H

#include "ir/TTCore/TileRows.h"
#include "ir/TTL/TTL.h"

#define GET_OP_CLASSES
#include "ir/TTL/TTLTileClasses.h.inc"

namespace mlir::tt::ttl {

/// Creates the op of a row on blocks, such as ttl.block_add.
Value createBlockRow(OpBuilder &builder, Location loc, ttjit::hw::TileOp row, Type result,
                     ValueRange operands);

/// Creates the op of a row on tiles, such as ttl.tile_add.
Value createTileRow(OpBuilder &builder, Location loc, ttjit::hw::TileOp row, Type result,
                    ValueRange operands);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTLELEMENTWISEOPS_H
