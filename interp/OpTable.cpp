//===- OpTable.cpp - the interpreter's table of rules -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "interp/OpTable.h"

using namespace ttjit::interp;

Rule OpTable::find(mlir::Operation *op) const {
  if (Rule rule = byOp.lookup(op->getName().getTypeID()))
    return rule;
  for (const Family &family : families)
    if (family.contains(op))
      return family.rule;
  return nullptr;
}

static OpTable makeTable() {
  OpTable table;
  addScalarOps(table);
  addFloatOps(table);
  addCheckedOps(table);
  addControlFlowOps(table);
  addBufferOps(table);
  addDataMovementOps(table);
  addComputeOps(table);
  addTestOps(table);
  addNodeOps(table);
  addBlockOps(table);
  addBlockExpressionOps(table);
  addTileOps(table);
  addComputeRegionOps(table);
  addReductionOps(table);
  addTransferOps(table);
  addPipeOps(table);
  addMailboxOps(table);
  addHostOps(table);
  addResetOps(table);
  return table;
}

const OpTable &ttjit::interp::opTable() {
  static const OpTable table = makeTable();
  return table;
}
