//===- LowerCompute.cpp - ttl-lower-compute -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the compute API needs an init call before each kind of operation. Unpacker,
// matrix engine, SFPU and packer keep their configuration until the next init.
//
// 1. Insert one full configuration at the start of the thread. It depends on the first
//    operation that reads L1: init_sfpu for copies, mm_init, transpose_wh_init, or the
//    general one for reductions and broadcasts.
// 2. Turn tile ops into calls on DST registers and tile numbers.
// 3. Move broadcasts to the start of their sections (BroadcastFirst). Convert uint16 and uint8
//    behind unpacks and in front of packs (NarrowIntegers).
// 4. In program order, insert an init before each call whose part of the hardware is
//    not known to be set up for it: the unpacker (buffers, operation, formats), the
//    SFPU (operation) or the packer (format). Undo reductions and broadcasts before any
//    other operation.
// 5. Insert an init that no iteration of a loop changes before the loop. A part whose
//    setup the loop changes is unknown at the start of an iteration (ComputeSetup).
//
// Rejects tiles without a DST register: ttl-assign-dst does not handle hand-written
// loops.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "hw/facts/TileOps.h"
#include "passes/common/Arithmetic.h"
#include "passes/common/StageChecks.h"
#include "passes/ttkernel/BroadcastFirst.h"
#include "passes/ttkernel/ComputeSetup.h"
#include "passes/ttkernel/KernelArguments.h"
#include "passes/ttkernel/NarrowIntegers.h"

#include "llvm/ADT/TypeSwitch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERCOMPUTE
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

class ComputeThreadLowering {
public:
  explicit ComputeThreadLowering(ThreadBinding binding)
      : binding(binding), function(binding.function), arguments(binding),
        arithmetic(binding.function) {}

  // Lowers tile operations and adds the inits they need. Fails if an op that is not
  // lowered still uses a tile.
  LogicalResult run();
  unsigned numLowered = 0;

private:
  void lower(ttl::GetTileOp op);
  void lower(ttl::TileFillOp op);
  void lower(ttl::CopyDestValuesOp op);
  void lower(ttl::MatmulTilesOp op);
  void lower(ttl::ReduceTileOp op);
  void lower(ttl::BcastTileOp op);
  void lower(ttl::TransposeTileOp op);
  void lower(ttl::FPUBinaryTilesOp op);
  void lower(ttl::PackTileOp op);
  void lower(ttl::PackTileBlockOp op);
  void lowerRow(ttcore::TileOpInterface op);

  Value reg(Value tile) { return arithmetic.i32(*ttl::getRegister(tile)); }
  Value tileNumber(OpBuilder &builder, Operation *op, Value block, Value index) {
    if (auto at = block.getDefiningOp<ttl::BlockAtOp>())
      index = arithmetic.add(builder, op->getLoc(), at.getPages(), index);
    return arithmetic.toI32(builder, op->getLoc(), index);
  }

  ThreadBinding binding;
  func::FuncOp function;
  KernelArguments arguments;
  Arithmetic arithmetic;
};

void ComputeThreadLowering::lower(ttl::GetTileOp op) {
  OpBuilder builder(op);
  Value buffer = arguments.bufferOfBlock(op.getBlock());
  Value tile = tileNumber(builder, op, op.getBlock(), op.getIndex());
  ttkernel::createCall<ttkernel::CopyTileOp>(builder, op.getLoc(), buffer, tile, reg(op));
}

void ComputeThreadLowering::lower(ttl::TileFillOp op) {
  OpBuilder builder(op);
  bool isInteger = ttl::getComputedType(op.getType()) != ttcore::DataType::Float32;
  ttkernel::createCall<ttkernel::FillTileOp>(builder, op.getLoc(), reg(op), op.getValue(),
                                             isInteger);
}

void ComputeThreadLowering::lower(ttl::CopyDestValuesOp op) {
  OpBuilder builder(op);
  Value to = reg(op), from = reg(op.getInput());
  ttkernel::createCall<ttkernel::CopyDestValuesOp>(builder, op.getLoc(), to, from);
}

void ComputeThreadLowering::lower(ttl::MatmulTilesOp op) {
  OpBuilder builder(op);
  Value lhs = arguments.bufferOfBlock(op.getLhs()), rhs = arguments.bufferOfBlock(op.getRhs());
  Value lhsTile = tileNumber(builder, op, op.getLhs(), op.getLhsIndex());
  Value rhsTile = tileNumber(builder, op, op.getRhs(), op.getRhsIndex());
  ttkernel::createCall<ttkernel::MatmulTilesOp>(builder, op.getLoc(), lhs, rhs, lhsTile, rhsTile,
                                                reg(op.getInto()));
}

void ComputeThreadLowering::lower(ttl::ReduceTileOp op) {
  OpBuilder builder(op);
  bool isSum = op.getType() == ttl::ReduceType::Sum;
  ttkernel::ReduceDim dim = op.getDims().size() == 2 ? ttkernel::ReduceDim::Scalar
                            : op.getDims()[0] == 1   ? ttkernel::ReduceDim::Row
                                                     : ttkernel::ReduceDim::Col;
  Value input = arguments.bufferOfBlock(op.getInput());
  Value scaling = arguments.bufferOfBlock(op.getScaling());
  Value inputTile = tileNumber(builder, op, op.getInput(), op.getIndex());
  Value scalingTile = tileNumber(builder, op, op.getScaling(), op.getScalingIndex());
  ttkernel::createCall<ttkernel::ReduceTileOp>(
      builder, op.getLoc(), input, scaling, inputTile, scalingTile, reg(op.getInto()),
      isSum ? ttkernel::ReduceType::Sum : ttkernel::ReduceType::Max, dim);
}

void ComputeThreadLowering::lower(ttl::BcastTileOp op) {
  OpBuilder builder(op);
  ttkernel::BcastType type = op.getDims().size() == 2 ? ttkernel::BcastType::Scalar
                             : op.getDims()[0] == 1   ? ttkernel::BcastType::Col
                                                      : ttkernel::BcastType::Row;
  Value buffer = arguments.bufferOfBlock(op.getBlock());
  Value tile = tileNumber(builder, op, op.getBlock(), op.getIndex());
  ttkernel::createCall<ttkernel::UnaryBcastOp>(builder, op.getLoc(), buffer, tile, reg(op), type);
}

void ComputeThreadLowering::lower(ttl::TransposeTileOp op) {
  OpBuilder builder(op);
  Value buffer = arguments.bufferOfBlock(op.getBlock());
  Value tile = tileNumber(builder, op, op.getBlock(), op.getIndex());
  ttkernel::createCall<ttkernel::TransposeWHTileOp>(builder, op.getLoc(), buffer, tile, reg(op));
}

void ComputeThreadLowering::lower(ttl::FPUBinaryTilesOp op) {
  static constexpr StringRef calls[] = {ttkernel::AddTilesOp::getOperationName(),
                                        ttkernel::SubTilesOp::getOperationName(),
                                        ttkernel::MulTilesOp::getOperationName()};
  OpBuilder builder(op);
  OperationState call(op.getLoc(), calls[static_cast<int>(op.getKind())]);
  call.addOperands({arguments.bufferOfBlock(op.getLhs()), arguments.bufferOfBlock(op.getRhs()),
                    tileNumber(builder, op, op.getLhs(), op.getLhsIndex()),
                    tileNumber(builder, op, op.getRhs(), op.getRhsIndex()), reg(op)});
  ttkernel::createCall(builder, call);
}

// Lowers a pack of a block. pack_tile_block packs into the tiles after the last push. If older
// blocks are held, the tiles are elsewhere and are packed one by one.
void ComputeThreadLowering::lower(ttl::PackTileBlockOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value buffer = arguments.bufferOfBlock(op.getBlock());
  if (!op.getBlock().getDefiningOp<ttl::BlockAtOp>()) {
    Value first = reg(op.getTiles().front());
    ttkernel::createCall<ttkernel::PackTileBlockOp>(builder, loc, first, buffer,
                                                    arithmetic.i32(op.getTiles().size()));
    return;
  }
  Value first = tileNumber(builder, op, op.getBlock(), op.getIndex());
  for (auto [i, tile] : llvm::enumerate(op.getTiles())) {
    Value number = arithmetic.add(builder, loc, first, arithmetic.i32(i));
    ttkernel::createCall<ttkernel::PackTileOp>(builder, loc, reg(tile), buffer, number);
  }
}

void ComputeThreadLowering::lower(ttl::PackTileOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  if (op.getAccumulate())
    ttkernel::createCall<ttkernel::PackReconfigL1AccOp>(builder, loc, op.getAccumulate());
  Value buffer = arguments.bufferOfBlock(op.getBlock());
  Value number = tileNumber(builder, op, op.getBlock(), op.getIndex());
  ttkernel::createCall<ttkernel::PackTileOp>(builder, loc, reg(op.getTile()), buffer, number);
  if (op.getAccumulate())
    ttkernel::createCall<ttkernel::PackReconfigL1AccOp>(builder, loc, arithmetic.i32(0));
}

// Lowers an op of a row. The order of the arguments: the register of the result (first for calls in
// place, last for others), the registers of the operands, then numbers.
void ComputeThreadLowering::lowerRow(ttcore::TileOpInterface op) {
  OpBuilder builder(op);
  const hw::TileOpFacts &facts = hw::factsOf(op.getTileOp());
  OperationState state(op->getLoc(), std::string("ttkernel.") + facts.call);
  OperandRange tiles = op->getOperands().take_front(facts.operands);
  for (Value operand : facts.isInPlace() ? tiles.drop_front() : tiles)
    state.addOperands(reg(operand));
  if (facts.isInPlace())
    state.operands.insert(state.operands.begin(), reg(op->getResult(0)));
  else
    state.addOperands(reg(op->getResult(0)));
  state.addOperands(op->getOperands().drop_front(facts.operands));
  bool isUnsigned = ttl::getComputedType(op->getResult(0).getType()) == ttcore::DataType::UInt32;
  if (isUnsigned && hw::movesIntegers(op.getTileOp()))
    state.addAttribute(ttkernel::kUnsignedAttr, builder.getUnitAttr());
  ttkernel::createCall(builder, state);
}

LogicalResult ComputeThreadLowering::run() {
  SmallVector<Operation *> old;
  function.walk([&](Operation *op) {
    bool lowered =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case<ttl::GetTileOp, ttl::TileFillOp, ttl::CopyDestValuesOp, ttl::MatmulTilesOp,
                  ttl::ReduceTileOp, ttl::BcastTileOp, ttl::TransposeTileOp, ttl::FPUBinaryTilesOp,
                  ttl::PackTileOp, ttl::PackTileBlockOp>([&](auto tileOp) {
              lower(tileOp);
              return true;
            })
            .Case<ttl::FreshTileOp, ttl::DSTTileOp>([](auto) { return true; })
            .Case([&](ttcore::TileOpInterface row) {
              bool ours = isa<ttl::TTLDialect>(row->getDialect());
              if (ours)
                lowerRow(row);
              return ours;
            })
            .Default(false);
    if (lowered)
      old.push_back(op);
  });
  numLowered = old.size();
  if (failed(eraseLowered(old, "ttl-lower-to-loops")))
    return failure();
  if (numLowered) {
    moveBroadcastsFirst(binding);
    convertNarrowIntegers(function);
  }
  OpBuilder builder(function.getContext());
  arguments.setToPrologueEnd(builder);
  if (numLowered)
    insertComputeSetup(function, builder);
  return success();
}

LogicalResult checkRegisters(func::FuncOp function) {
  auto check = [](Operation *op, Value tile) -> WalkResult {
    if (!isa<ttcore::TileType>(tile.getType()) || ttl::getRegister(tile))
      return WalkResult::advance();
    return op->emitOpError(
        "needs a tile in a DST register: ttl-assign-dst assigns "
        "registers in ttl.compute only, so write {dst_idx = ... : i32} elsewhere");
  };
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (!isa<ttl::TTLDialect>(op->getDialect()))
      return WalkResult::advance();
    for (Value result : op->getResults())
      if (check(op, result).wasInterrupted())
        return WalkResult::interrupt();
    for (Value operand : op->getOperands())
      if (check(op, operand).wasInterrupted())
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkThread(ThreadBinding &binding) {
  return success(succeeded(requireBufferIndices(binding.program)) &&
                 succeeded(requireAcquires(binding.function)) &&
                 succeeded(checkRegisters(binding.function)) &&
                 succeeded(ttkernel::verifyCalls(binding.function)));
}

struct LowerCompute : ttjit::impl::TTLLowerComputeBase<LowerCompute> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding || !binding->isCompute())
      return;
    if (failed(checkThread(*binding)))
      return signalPassFailure();
    ComputeThreadLowering lowering(*binding);
    if (failed(lowering.run()))
      return signalPassFailure();
    numLowered += lowering.numLowered;
    getOperation().walk([&](Operation *op) { numInits += ttkernel::isInit(op); });
  }
};

} // namespace
