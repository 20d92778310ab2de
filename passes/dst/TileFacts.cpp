//===- TileFacts.cpp - what tile operations need of DST registers -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/TileFacts.h"

#include "hw/facts/TileOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<Value> ttjit::dstOperands(Operation *op) {
  auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op);
  llvm::SetVector<Value, SmallVector<Value>> operands;
  for (Value operand : op->getOperands().drop_front(fromL1 ? fromL1.getNumL1Operands() : 0))
    if (isa<ttcore::TileType>(operand.getType()))
      operands.insert(operand);
  return operands.takeVector();
}

unsigned ttjit::registersFor(SmallVector<unsigned> operands) {
  llvm::sort(operands, std::greater<>());
  unsigned registers = 1;
  for (auto [held, operand] : llvm::enumerate(operands))
    registers = std::max<unsigned>(registers, operand + held);
  return registers;
}

Value ttjit::inPlaceOperand(Operation *op) {
  if (auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op))
    return fromL1.getAccumulator();
  if (auto onFPU = dyn_cast<ttl::FPUBinaryTilesOp>(op))
    return onFPU.getAcc();
  auto row = dyn_cast<ttcore::TileOpInterface>(op);
  return row && hw::factsOf(row.getTileOp()).isInPlace() ? op->getOperand(0) : Value();
}

bool ttjit::needsFreshRegister(Operation *op) {
  auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(op);
  return fromL1 && fromL1.accumulates() && !fromL1.getAccumulator();
}

bool ttjit::needsPair(Operation *op) {
  auto row = dyn_cast<ttcore::TileOpInterface>(op);
  return row && hw::factsOf(row.getTileOp()).kind == hw::TileOpKind::Mask;
}

bool ttjit::hasRegisters(ttl::ComputeOp compute) {
  return llvm::any_of(compute.getBody().front().getOps<ttl::DSTResultOpInterface>(),
                      [](ttl::DSTResultOpInterface op) { return op.getRegister().has_value(); });
}

bool ttjit::hasDSTMarkers(ttl::ComputeOp compute) {
  return llvm::any_of(compute.getBody().front(), [](Operation &op) {
    return isa<ttl::RequireDSTOp, ttl::AcquireDSTOp, ttl::ReleaseDSTOp>(op);
  });
}

int64_t ttjit::numTiles(ttl::ComputeOp compute) {
  int64_t tiles = 1;
  for (auto [i, extent] : llvm::enumerate(compute.getIterationDomain()))
    if (!compute.isReduction(i))
      tiles *= extent;
  return tiles;
}

bool ttjit::readsOtherTilesOfOutputs(ttl::ComputeOp compute) {
  unsigned inputs = compute.getInputs().size();
  for (auto [i, input] : llvm::enumerate(compute.getInputs()))
    for (auto [o, output] : llvm::enumerate(compute.getOutputs()))
      if (input == output && compute.getIndexingMap(i) != compute.getIndexingMap(inputs + o))
        return true;
  return false;
}

Value ttjit::refillRegister(OpBuilder &builder, Location loc, Type tile, FloatAttr start, int reg) {
  if (!start)
    start = builder.getF32FloatAttr(0.0f);
  Value number = arith::ConstantOp::create(builder, loc, start);
  return ttl::TileFillOp::create(builder, loc, tile, number, builder.getI32IntegerAttr(reg));
}

Value ttjit::refillRegister(ttl::FreshTileOp op) {
  OpBuilder builder(op);
  auto start = op->getAttrOfType<FloatAttr>(kFreshStartAttr);
  Value fill = refillRegister(builder, op.getLoc(), op.getType(), start, *op.getRegister());
  op.replaceAllUsesWith(fill);
  op.erase();
  return fill;
}
