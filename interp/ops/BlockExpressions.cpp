//===- BlockExpressions.cpp - expressions on whole blocks -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A block expression is computed at its op; its value is tiles of the frame.
// Compute.cpp and Tiles.cpp have the element-wise ones, together with the tile
// operations.
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/Values.h"

#include "hw/tile/TileMath.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Matmul
//===--------------------------------------------------------------------------===//

namespace {
struct MatmulDetail : Detail {
  TileNumber lhs, rhs, to;
  std::optional<TileNumber> acc;
  uint32_t rows, inner, columns;
};
} // namespace

// Each element is a chain of additions over ascending k, through the whole inner
// dimension.
static hw::Status runMatmul(const Instruction &inst, Frame &frame) {
  const auto &op = static_cast<const MatmulDetail &>(*inst.detail);
  for (uint32_t row = 0; row < op.rows; ++row)
    for (uint32_t column = 0; column < op.columns; ++column) {
      uint32_t number = row * op.columns + column;
      float *sum = frame.tile(op.to + number);
      if (op.acc)
        std::memcpy(sum, frame.tile(*op.acc + number), kTileBytes);
      for (uint32_t k = 0; k < op.inner; ++k)
        frame.thread.tiles->matmul(frame.tile(op.lhs + row * op.inner + k),
                                   frame.tile(op.rhs + k * op.columns + column), sum,
                                   /*accIsZero=*/k == 0 && !op.acc);
    }
  return hw::Status::Ok;
}

static llvm::Error matmul(ttl::BlockMatmulOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<MatmulDetail>();
  detail->lhs = loadOperand(op, op.getLhs(), compiler);
  detail->rhs = loadOperand(op, op.getRhs(), compiler);
  if (op.getAcc())
    detail->acc = compiler.tilesOf(op.getAcc());
  detail->to = compiler.tilesOf(op);
  detail->rows = ttl::getBlockShape(op.getLhs().getType())[0];
  detail->inner = ttl::getBlockShape(op.getLhs().getType())[1];
  detail->columns = ttl::getBlockShape(op.getRhs().getType())[1];
  compiler.emit(op, runMatmul, {}).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Stores and choices
//===--------------------------------------------------------------------------===//

static llvm::Error store(ttl::BlockStoreOp op, FunctionCompiler &compiler) {
  TileNumber tiles = loadOperand(op, op.getSrc(), compiler);
  auto block = cast<ttl::BlockType>(op.getDst().getType());
  emitPack(op, tiles, compiler.slotOf(op.getDst()), compiler.constantSlot(Slot::of(int64_t(0))),
           static_cast<uint32_t>(block.getTensorType().getNumElements()), op.getAccumulate(),
           compiler);
  return llvm::Error::success();
}

// Operands: condition, tiles of both choices, tiles of the result, number of tiles.
static hw::Status runSelect(const Instruction &inst, Frame &frame) {
  TileNumber from = inst.operands[inst.operand<bool>(frame, 0) ? 1 : 2];
  std::memcpy(frame.tile(inst.operands[3]), frame.tile(from), inst.operands[4] * kTileBytes);
  return hw::Status::Ok;
}

void interp::emitSelect(Operation *op, FunctionCompiler &compiler) {
  compiler.emit(op, runSelect,
                {compiler.slotOf(op->getOperand(0)), compiler.tilesOf(op->getOperand(1)),
                 compiler.tilesOf(op->getOperand(2)), compiler.tilesOf(op->getResult(0)),
                 countTiles(op->getResult(0).getType())});
}

void interp::addBlockExpressionOps(OpTable &table) {
  table.add<ttl::BlockMatmulOp, matmul>();
  table.add<ttl::BlockStoreOp, store>();
}
