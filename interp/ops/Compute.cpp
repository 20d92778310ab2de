//===- Compute.cpp - DST sections and tiles -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/ops/ApiCall.h"
#include "interp/ops/Values.h"

#include "ir/TTKernel/TTKernel.h"

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir::tt;

// Any row of hw/facts/TileOps.def: its number, then the registers. A unary one has
// one register: its result's.
static llvm::Error callRow(mlir::Operation *op, llvm::ArrayRef<SlotNumber> registers,
                           FunctionCompiler &compiler) {
  hw::TileOp row = llvm::cast<ttcore::TileOpInterface>(op).getTileOp();
  bool unary = hw::factsOf(row).operands == 1;
  llvm::SmallVector<SlotNumber, 4> operands{
      compiler.constantSlot(Slot::of(static_cast<int32_t>(row)))};
  llvm::append_range(operands, unary ? registers.take_back() : registers);
  compiler.emit(op, unary ? apiHandler<ttl_hw_sfpu_unary> : apiHandler<ttl_hw_sfpu_binary>,
                operands);
  return llvm::Error::success();
}

// A row at whatever level: of blocks, of tiles, or a call on registers.
static llvm::Error rowOp(mlir::Operation *op, FunctionCompiler &compiler) {
  if (!llvm::isa<ttkernel::TTKernelDialect>(op->getDialect())) {
    hw::TileOp row = llvm::cast<ttcore::TileOpInterface>(op).getTileOp();
    bool inPlace = hw::factsOf(row).operands == 1;
    return compileTileOp(op, compiler, callRow,
                         inPlace ? ResultIn::FirstOperand : ResultIn::OwnRegister);
  }
  llvm::SmallVector<SlotNumber, 3> registers;
  for (mlir::Value operand : op->getOperands())
    registers.push_back(compiler.slotOf(operand));
  return callRow(op, registers, compiler);
}

void interp::addComputeOps(OpTable &table) {
  using namespace mlir::tt::ttkernel;
  table.add<TileRegsAcquireOp>(callApi<ttl_hw_tile_regs_acquire>);
  table.add<TileRegsCommitOp>(callApi<ttl_hw_tile_regs_commit>);
  table.add<TileRegsWaitOp>(callApi<ttl_hw_tile_regs_wait>);
  table.add<TileRegsReleaseOp>(callApi<ttl_hw_tile_regs_release>);
  table.add<CopyTileOp>(callApi<ttl_hw_copy_tile>);
  table.add<PackTileOp>(callApi<ttl_hw_pack_tile>);
  table.add<PackReconfigL1AccOp>(callApi<ttl_hw_pack_reconfig_l1_acc>);
  table.add<CopyDestValuesOp>(callApi<ttl_hw_copy_dest_values>);
  table.add<FillTileOp>(callApi<ttl_hw_fill_tile>);
  table.add<MatmulTilesOp>(callApi<ttl_hw_matmul_tiles>);
  // Initialisations first: those of tile operations are rows of the table too.
  table.addTrait<IsInit>(doNothing);
  table.addInterface<ttcore::TileOpInterface>(rowOp);
}
