//===- TTLTileOps.cpp - tile operations that read L1 --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

unsigned TileMatmulOp::getNumL1Operands() { return 2; }
bool TileMatmulOp::accumulates() { return true; }
Value TileMatmulOp::getAccumulator() { return getAcc(); }
void TileMatmulOp::setAccumulator(Value tile) { getAccMutable().assign(tile); }
float TileMatmulOp::getStart() { return 0.0f; }

Value TileMatmulOp::createStep(OpBuilder &builder, ValueRange blocks, ValueRange indices,
                               Value into) {
  MatmulTilesOp::create(builder, getLoc(), blocks[0], indices[0], blocks[1], indices[1], into);
  return into;
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

static LogicalResult verifyTileDims(Operation *op, ArrayRef<int64_t> dims) {
  if (dims == ArrayRef<int64_t>({0}) || dims == ArrayRef<int64_t>({1}) ||
      dims == ArrayRef<int64_t>({0, 1}))
    return success();
  return op->emitOpError("dims must be [0], [1] or [0, 1], found ") << shapeText(dims);
}

LogicalResult ReduceTileOp::verify() { return verifyTileDims(*this, getDims()); }
LogicalResult BcastTileOp::verify() { return verifyTileDims(*this, getDims()); }

template <typename OpTy>
static Value createReduceStep(OpTy op, ReduceType type, OpBuilder &builder, ValueRange blocks,
                              ValueRange indices, Value into) {
  ReduceTileOp::create(builder, op.getLoc(), type, blocks[0], indices[0], blocks[1], indices[1],
                       into, op.getDims());
  return into;
}

static float startOfSum(Type) { return 0.0f; }

// Returns the smallest value, where a maximum starts; for integers the float with the same bits.
static float startOfMax(Type tile) {
  ttcore::DataType type = getComputedType(tile);
  return type == ttcore::DataType::Float32 ? -std::numeric_limits<float>::infinity()
         : type == ttcore::DataType::Int32
             ? llvm::bit_cast<float>(std::numeric_limits<int32_t>::min())
             : 0.0f;
}

#define TTL_TILE_REDUCTION(Name, start)                                                            \
  LogicalResult TileReduce##Name##Op::verify() { return verifyTileDims(*this, getDims()); }        \
  unsigned TileReduce##Name##Op::getNumL1Operands() { return 2; }                                  \
  bool TileReduce##Name##Op::accumulates() { return true; }                                        \
  Value TileReduce##Name##Op::getAccumulator() { return getAcc(); }                                \
  void TileReduce##Name##Op::setAccumulator(Value tile) { getAccMutable().assign(tile); }          \
  float TileReduce##Name##Op::getStart() { return start(getType()); }                              \
  Value TileReduce##Name##Op::createStep(OpBuilder &builder, ValueRange blocks,                    \
                                         ValueRange indices, Value into) {                         \
    return createReduceStep(*this, ReduceType::Name, builder, blocks, indices, into);              \
  }
TTL_TILE_REDUCTION(Sum, startOfSum)
TTL_TILE_REDUCTION(Max, startOfMax)
#undef TTL_TILE_REDUCTION

//===--------------------------------------------------------------------------===//
// Broadcasts and transposes write a register of their own
//===--------------------------------------------------------------------------===//

#define TTL_TILE_FROM_L1(Name)                                                                     \
  unsigned Tile##Name##Op::getNumL1Operands() { return 1; }                                        \
  bool Tile##Name##Op::accumulates() { return false; }                                             \
  Value Tile##Name##Op::getAccumulator() { return {}; }                                            \
  void Tile##Name##Op::setAccumulator(Value) { llvm_unreachable("accumulates nothing"); }          \
  float Tile##Name##Op::getStart() { return 0.0f; }
TTL_TILE_FROM_L1(Bcast)
TTL_TILE_FROM_L1(Transpose)
#undef TTL_TILE_FROM_L1

LogicalResult TileBcastOp::verify() { return verifyTileDims(*this, getDims()); }

Value TileBcastOp::createStep(OpBuilder &builder, ValueRange blocks, ValueRange indices, Value) {
  return BcastTileOp::create(builder, getLoc(), getType(), blocks[0], indices[0], getDimsAttr(),
                             getDstIdxAttr());
}

Value TileTransposeOp::createStep(OpBuilder &builder, ValueRange blocks, ValueRange indices,
                                  Value) {
  return TransposeTileOp::create(builder, getLoc(), getType(), blocks[0], indices[0],
                                 getDstIdxAttr());
}
