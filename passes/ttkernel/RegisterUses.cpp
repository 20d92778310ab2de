//===- RegisterUses.cpp - the DST registers that a call uses ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/RegisterUses.h"

#include "hw/facts/TileOps.h"
#include "ir/TTKernel/DeviceCalls.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static RegisterUse registersOfRow(Operation *call, hw::TileOp row) {
  const hw::TileOpFacts &facts = hw::factsOf(row);
  RegisterUse use;
  OperandRange registers =
      call->getOperands().take_front(facts.operands + (facts.isInPlace() ? 0 : 1));
  use.reads.assign(registers.begin(), registers.end());
  use.written = facts.isInPlace() ? registers.front() : registers.back();
  return use;
}

RegisterUse ttjit::registersOf(Operation *op) {
  using namespace ttkernel;
  if (!isDeviceCall(op) || isInit(op))
    return {};
  if (std::optional<hw::TileOp> row = rowOf(op))
    return registersOfRow(op, *row);
  auto accumulates = [](Value dst) { return RegisterUse{{dst}, dst}; };
  return CallSwitch<RegisterUse>(op)
      .Case<CopyTileOp>([](auto copy) { return RegisterUse{{}, copy->getOperands().back()}; })
      .Case<FillTileOp>([](auto fill) { return RegisterUse{{}, fill->getOperand(0)}; })
      .Case<CopyDestValuesOp>(
          [](auto copy) { return RegisterUse{{copy->getOperand(1)}, copy->getOperand(0)}; })
      .Case<UnaryBcastOp, TransposeWHTileOp>(
          [](auto read) { return RegisterUse{{}, read->getOperands().back()}; })
      .Case<MatmulTilesOp, ReduceTileOp, AddTilesOp, SubTilesOp, MulTilesOp>(
          [&](auto call) { return accumulates(call->getOperands().back()); })
      .Default(RegisterUse());
}
