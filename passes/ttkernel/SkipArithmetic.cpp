//===- SkipArithmetic.cpp - ttl-skip-arithmetic -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: --dry-run checks how threads use buffers, transfers and semaphores, and needs no
// results. Everything else stays as it is, the packs into blocks, too: they count as written.
//
// 1. Look at the tile operations of a thread in order, and remember the last tile_regs_acquire.
// 2. Let fill_tile write 0 to the register that an operation writes. The fill stands behind the
//    acquire if the register's number is known there, so that loops in a section compute nothing.
// 3. Erase the operation. Further operations on a filled register get no second fill.
//
// Inits stay. It rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "passes/common/Arithmetic.h"
#include "passes/common/Threads.h"

#include "hw/facts/TileOps.h"

#include "mlir/IR/Dominance.h"

#include "llvm/ADT/TypeSwitch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLSKIPARITHMETIC
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the register that a row of the table of tile operations writes.
static Value resultOf(ttcore::TileOpInterface row) {
  const hw::TileOpFacts &facts = hw::factsOf(row.getTileOp());
  return row->getOperand(facts.isInPlace() ? 0 : facts.operands);
}

// Returns the register that a tile operation writes; null if `op` is none. Operations of earlier
// stages have no registers.
static Value resultOf(Operation *op) {
  if (!isa_and_nonnull<ttkernel::TTKernelDialect>(op->getDialect()) ||
      op->hasTrait<ttkernel::IsInit>())
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<ttkernel::CopyTileOp, ttkernel::FillTileOp, ttkernel::MatmulTilesOp,
            ttkernel::ReduceTileOp, ttkernel::UnaryBcastOp, ttkernel::TransposeWHTileOp,
            ttkernel::AddTilesOp, ttkernel::SubTilesOp, ttkernel::MulTilesOp>(
          [](auto tile) { return tile.getDst(); })
      .Case([](ttkernel::CopyDestValuesOp copy) { return copy.getDst0(); })
      .Case([](ttcore::TileOpInterface row) { return resultOf(row); })
      .Default(Value());
}

namespace {
struct SkipArithmetic : ttjit::impl::TTLSkipArithmeticBase<SkipArithmetic> {
  void runOnOperation() override;

private:
  void skip(Operation *op, Value result);
  void fill(OpBuilder &builder, Location location, Value result);

  Operation *acquire = nullptr;
  SmallVector<ttkernel::FillTileOp> fills; // those behind `acquire`
  DominanceInfo *dominance = nullptr;
};
} // namespace

void SkipArithmetic::fill(OpBuilder &builder, Location location, Value result) {
  bool isFilled = llvm::any_of(fills, [&](ttkernel::FillTileOp fill) {
    return fill.getDst() == result && fill->getBlock() == builder.getInsertionBlock();
  });
  if (isFilled)
    return;
  Value zero = arith::ConstantOp::create(builder, location, builder.getF32FloatAttr(0));
  ttkernel::FillTileInitOp::create(builder, location);
  fills.push_back(
      ttkernel::FillTileOp::create(builder, location, result, zero, /*integer=*/UnitAttr()));
}

void SkipArithmetic::skip(Operation *op, Value result) {
  OpBuilder builder(op);
  bool isKnown = acquire && acquire->getBlock()->findAncestorOpInBlock(*op) &&
                 dominance->properlyDominates(result, acquire);
  if (isKnown)
    builder.setInsertionPointAfter(acquire);
  fill(builder, op->getLoc(), result);
  ++numSkipped;
  op->erase();
}

void SkipArithmetic::runOnOperation() {
  if (!bindingOf(getOperation()))
    return;
  dominance = &getAnalysis<DominanceInfo>();
  SmallVector<Operation *> ops;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (resultOf(op) || isa<ttkernel::TileRegsAcquireOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (Value result = resultOf(op)) {
      skip(op, result);
    } else {
      acquire = op;
      fills.clear();
    }
  }
  acquire = nullptr;
  fills.clear();
}
