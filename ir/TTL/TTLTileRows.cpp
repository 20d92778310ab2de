//===- TTLTileRows.cpp - ops of the rows of hw/facts/TileOps.def --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLAssembly.h"
#include "ir/TTL/TTLElementwiseOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

#define GET_OP_CLASSES
#include "ir/TTL/TTLTileClasses.cpp.inc"

void ttl::registerTileRows(TTLDialect *dialect) {
  for (const ttjit::hw::TileOpFacts &row : ttjit::hw::kTileOps) {
    ttcore::registerTileRow<BlockUnaryOp, BlockUnaryParamOp, BlockUnaryIntOp, BlockBinaryOp,
                            BlockTernaryOp, BlockMaskOp>(*dialect, std::string("block_") + row.name,
                                                         row.op);
    ttcore::registerTileRow<TileUnaryOp, TileUnaryParamOp, TileUnaryIntOp, TileBinaryOp,
                            TileTernaryOp, TileMaskOp>(*dialect, std::string("tile_") + row.name,
                                                       row.op);
  }
}

static Value createRow(OpBuilder &builder, Location loc, const Twine &name, Type result,
                       ValueRange operands) {
  OperationState state(loc, name.str(), operands, result);
  return builder.create(state)->getResult(0);
}

Value ttl::createBlockRow(OpBuilder &builder, Location loc, ttjit::hw::TileOp row, Type result,
                          ValueRange operands) {
  return createRow(builder, loc, Twine("ttl.block_") + ttjit::hw::factsOf(row).name, result,
                   operands);
}

Value ttl::createTileRow(OpBuilder &builder, Location loc, ttjit::hw::TileOp row, Type result,
                         ValueRange operands) {
  return createRow(builder, loc, Twine("ttl.tile_") + ttjit::hw::factsOf(row).name, result,
                   operands);
}
