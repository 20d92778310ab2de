//===- TTLDSTOps.cpp - registers, effects and verifiers of tile ops -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTL.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

void ttl::addTileEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<BlockType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  if (cast<DSTResultOpInterface>(op).getRegister())
    effects.emplace_back(MemoryEffects::Write::get(), DSTResource::get());
}

std::optional<int> ttl::getRegister(Value tile) {
  auto op = tile.getDefiningOp<DSTResultOpInterface>();
  return op ? op.getRegister() : std::nullopt;
}

LogicalResult AcquireDSTOp::verify() {
  if (getIndex() && static_cast<int64_t>(*getIndex()) < 0)
    return emitOpError("index must not be negative, found ") << static_cast<int64_t>(*getIndex());
  return success();
}

LogicalResult ReleaseDSTOp::verify() {
  if (!getDst().getDefiningOp<AcquireDSTOp>())
    return emitOpError("can only release a register that 'ttl.acquire_dst' took");
  return success();
}

LogicalResult RestoreTileFromL1Op::verify() {
  auto spill = getSpilled().getDefiningOp<SpillTileToL1Op>();
  if (!spill)
    return emitOpError("can only restore a tile that 'ttl.spill_tile_to_l1' stored");
  if (spill.getTile().getType() != getResult().getType())
    return emitOpError("cannot restore a tile of type ")
           << getResult().getType() << " from a spilled tile of type " << spill.getTile().getType();
  return success();
}

// The matrix engine adds products to the register. A register that no op wrote counts
// as -0, which leaves the rounded product.
unsigned TileFPUBinaryOp::getNumL1Operands() { return 2; }
bool TileFPUBinaryOp::accumulates() { return getKind() == FPUBinary::Mul; }
Value TileFPUBinaryOp::getAccumulator() { return getAcc(); }
void TileFPUBinaryOp::setAccumulator(Value tile) { getAccMutable().assign(tile); }
float TileFPUBinaryOp::getStart() { return -0.0f; }

Value TileFPUBinaryOp::createStep(OpBuilder &builder, ValueRange blocks, ValueRange indices,
                                  Value into) {
  return FPUBinaryTilesOp::create(builder, getLoc(), getType(), getKind(), blocks[0], indices[0],
                                  blocks[1], indices[1], into, getDstIdxAttr());
}

LogicalResult TileFPUBinaryOp::verify() {
  if (getAcc() && getKind() != FPUBinary::Mul)
    return emitOpError("can only add a product to an accumulator");
  for (Value operand : {getLhs(), getRhs()})
    if (!isa<BlockArgument>(operand))
      return emitOpError("reads its operands from L1, so they must be arguments of the body");
  return success();
}

LogicalResult PackTileBlockOp::verify() {
  if (getTiles().empty())
    return emitOpError("must pack at least one tile");
  std::optional<int> first = getRegister(getTiles().front());
  for (auto [i, tile] : llvm::enumerate(getTiles()))
    if (std::optional<int> own = getRegister(tile); own && first && *own != *first + int(i))
      return emitOpError("can only pack consecutive registers, found register ")
             << *own << " for tile " << i << ", but the first tile is in register " << *first;
  return success();
}
