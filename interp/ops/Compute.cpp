//===- Compute.cpp - DST sections and tiles -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/facts/ReduceKind.h"
#include "hw/facts/TileOps.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "ir/TTKernel/TTKernel.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

// Returns whether an operand of a tile operation is a number, not a register. In calls, registers
// are i32, and only the last operand can be an integer that is no register.
static bool isNumber(mlir::OpOperand &operand) {
  mlir::Operation *op = operand.getOwner();
  if (operand.get().getType().isF32())
    return true;
  hw::TileOp row = llvm::cast<ttcore::TileOpInterface>(op).getTileOp();
  return hw::factsOf(row).kind == hw::TileOpKind::UnaryInt &&
         operand.getOperandNumber() + 1 == op->getNumOperands();
}

static constexpr size_t kMaxNumbers = 3;

static Handler handlerOf(hw::TileOpKind kind) {
  switch (kind) {
  case hw::TileOpKind::Unary:
    return apiHandler<ttl_hw_sfpu_unary>;
  case hw::TileOpKind::UnaryParam:
    return apiHandler<ttl_hw_sfpu_unary_param>;
  case hw::TileOpKind::UnaryInt:
    return apiHandler<ttl_hw_sfpu_unary_int>;
  case hw::TileOpKind::Binary:
    return apiHandler<ttl_hw_sfpu_binary>;
  case hw::TileOpKind::Ternary:
    return apiHandler<ttl_hw_sfpu_ternary>;
  case hw::TileOpKind::Mask:
    return apiHandler<ttl_hw_sfpu_mask>;
  }
  llvm_unreachable("a kind of TileOps.def");
}

// Emits the call of any tile operation (a row of hw/facts/TileOps.def). Its arguments: the row's
// number, then registers and numbers. An operation in place has one register for operand
// and result; a masking operation also has the register of the mask.
static llvm::Error callRow(mlir::Operation *op, llvm::ArrayRef<SlotNumber> registers,
                           FunctionCompiler &compiler) {
  const hw::TileOpFacts &facts = hw::factsOf(llvm::cast<ttcore::TileOpInterface>(op).getTileOp());
  llvm::SmallVector<SlotNumber, 6> operands{
      compiler.constantSlot(Slot::of(static_cast<int32_t>(facts.op)))};
  if (facts.kind == hw::TileOpKind::Mask)
    operands.append({registers.front(), registers[1]});
  else
    llvm::append_range(operands, facts.isInPlace() ? registers.take_back() : registers);
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (isNumber(operand))
      operands.push_back(compiler.slotOf(operand.get()));
  // The API function takes three parameters: fill those that this row does not have with 0.
  if (facts.kind == hw::TileOpKind::UnaryParam)
    operands.resize(2 + kMaxNumbers, compiler.constantSlot(Slot::of(0.0f)));
  compiler.emit(op, handlerOf(facts.kind), operands);
  return llvm::Error::success();
}

static ResultIn placeOfResult(const hw::TileOpFacts &facts) {
  if (facts.kind == hw::TileOpKind::Mask)
    return ResultIn::FirstOfNeighbours;
  return facts.isInPlace() ? ResultIn::FirstOperand : ResultIn::OwnRegister;
}

// The rule of tile operations, whether on blocks, on tiles, or as calls on registers.
static llvm::Error rowOp(mlir::Operation *op, FunctionCompiler &compiler) {
  if (!llvm::isa<ttkernel::TTKernelDialect>(op->getDialect())) {
    hw::TileOp row = llvm::cast<ttcore::TileOpInterface>(op).getTileOp();
    return compileTileOp(op, compiler, callRow, placeOfResult(hw::factsOf(row)));
  }
  llvm::SmallVector<SlotNumber, 4> registers;
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (!isNumber(operand))
      registers.push_back(compiler.slotOf(operand.get()));
  return callRow(op, registers, compiler);
}

static llvm::Error reduceTile(ttkernel::ReduceTileOp op, FunctionCompiler &compiler) {
  int32_t kind = hw::ReduceKind{static_cast<hw::Pool>(op.getReduceType()),
                                static_cast<hw::TileDims>(op.getReduceDim())}
                     .number();
  llvm::SmallVector<SlotNumber, 6> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(compiler.slotOf(operand));
  operands.push_back(compiler.constantSlot(Slot::of(kind)));
  compiler.emit(op, apiHandler<ttl_hw_reduce_tile>, operands);
  return llvm::Error::success();
}

static llvm::Error unaryBcast(ttkernel::UnaryBcastOp op, FunctionCompiler &compiler) {
  auto dims = static_cast<int32_t>(ttkernel::filledDims(op.getBcastType()));
  llvm::SmallVector<SlotNumber, 4> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(compiler.slotOf(operand));
  operands.push_back(compiler.constantSlot(Slot::of(dims)));
  compiler.emit(op, apiHandler<ttl_hw_unary_bcast>, operands);
  return llvm::Error::success();
}

void interp::addComputeOps(OpTable &table) {
  using namespace mlir::tt::ttkernel;
  table.add<TileRegsAcquireOp>(callApi<ttl_hw_tile_regs_acquire>);
  table.add<TileRegsCommitOp>(callApi<ttl_hw_tile_regs_commit>);
  table.add<TileRegsWaitOp>(callApi<ttl_hw_tile_regs_wait>);
  table.add<TileRegsReleaseOp>(callApi<ttl_hw_tile_regs_release>);
  table.add<CopyTileOp>(callApi<ttl_hw_copy_tile>);
  table.add<PackTileOp>(callApi<ttl_hw_pack_tile>);
  table.add<PackTileBlockOp>(callApi<ttl_hw_pack_tile_block>);
  table.add<PackReconfigL1AccOp>(callApi<ttl_hw_pack_reconfig_l1_acc>);
  table.add<CopyDestValuesOp>(callApi<ttl_hw_copy_dest_values>);
  table.add<FillTileOp>(callApi<ttl_hw_fill_tile>);
  table.add<MatmulTilesOp>(callApi<ttl_hw_matmul_tiles>);
  table.add<ReduceTileOp, reduceTile>();
  table.add<UnaryBcastOp, unaryBcast>();
  table.add<TransposeWHTileOp>(callApi<ttl_hw_transpose_wh_tile>);
  table.add<AddTilesOp>(callApi<ttl_hw_add_tiles>);
  table.add<SubTilesOp>(callApi<ttl_hw_sub_tiles>);
  table.add<MulTilesOp>(callApi<ttl_hw_mul_tiles>);
  // Add the rule of initialisations first: initialisations of tile operations also match
  // the rule of rows.
  table.addTrait<IsInit>(doNothing);
  table.addInterface<ttcore::TileOpInterface>(rowOp);
}
