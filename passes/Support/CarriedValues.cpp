//===- CarriedValues.cpp - block expressions that loops carry -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Support/CarriedValues.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static llvm::BitVector tensorsAmong(TypeRange types) {
  llvm::BitVector tensors(types.size());
  for (auto [i, type] : llvm::enumerate(types))
    tensors[i] = ttl::isBlockTensor(type);
  return tensors;
}

static SmallVector<Value> without(ValueRange values, const llvm::BitVector &drop) {
  SmallVector<Value> kept;
  for (auto [i, value] : llvm::enumerate(values))
    if (!drop[i])
      kept.push_back(value);
  return kept;
}

static SmallVector<Type> without(TypeRange types, const llvm::BitVector &drop) {
  SmallVector<Type> kept;
  for (auto [i, type] : llvm::enumerate(types))
    if (!drop[i])
      kept.push_back(type);
  return kept;
}

static void dropOperands(Operation *terminator, unsigned first, const llvm::BitVector &drop) {
  llvm::BitVector operands(terminator->getNumOperands());
  for (unsigned i : drop.set_bits())
    operands.set(first + i);
  terminator->eraseOperands(operands);
}

static void dropArguments(Block &block, unsigned first, const llvm::BitVector &drop) {
  llvm::BitVector arguments(block.getNumArguments());
  for (unsigned i : drop.set_bits())
    arguments.set(first + i);
  block.eraseArguments(arguments);
}

// Gives `fresh` the regions and remaining results of `old`.
static void replace(Operation *old, Operation *fresh, const llvm::BitVector &drop) {
  fresh->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(old->getRegions(), fresh->getRegions()))
    to.takeBody(from);
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(old->getResults())) {
    if (drop[i])
      result.dropAllUses(); // an outer loop carried it on; it is rebuilt later
    else
      result.replaceAllUsesWith(fresh->getResult(next++));
  }
  old->erase();
}

static void rebuild(scf::ForOp loop) {
  llvm::BitVector drop = tensorsAmong(loop.getResultTypes());
  dropOperands(loop.getBody()->getTerminator(), 0, drop);
  dropArguments(*loop.getBody(), 1, drop);
  OpBuilder builder(loop);
  auto fresh = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(),
                                  without(loop.getInitArgs(), drop));
  replace(loop, fresh, drop);
}

static void rebuild(scf::IfOp conditional) {
  llvm::BitVector drop = tensorsAmong(conditional.getResultTypes());
  dropOperands(conditional.thenYield(), 0, drop);
  dropOperands(conditional.elseYield(), 0, drop);
  OpBuilder builder(conditional);
  auto fresh = scf::IfOp::create(builder, conditional.getLoc(),
                                 without(conditional.getResultTypes(), drop),
                                 conditional.getCondition(), /*withElseRegion=*/true);
  replace(conditional, fresh, drop);
}

static void rebuild(scf::WhileOp loop) {
  llvm::BitVector dropBefore = tensorsAmong(ValueRange(loop.getBeforeArguments()).getTypes());
  llvm::BitVector dropAfter = tensorsAmong(loop.getResultTypes());
  dropOperands(loop.getConditionOp(), 1, dropAfter);
  dropOperands(loop.getYieldOp(), 0, dropBefore);
  SmallVector<Value> inits = without(loop.getInits(), dropBefore);
  dropArguments(*loop.getBeforeBody(), 0, dropBefore);
  dropArguments(*loop.getAfterBody(), 0, dropAfter);
  OpBuilder builder(loop);
  auto fresh = scf::WhileOp::create(builder, loop.getLoc(),
                                    without(loop.getResultTypes(), dropAfter), inits);
  replace(loop, fresh, dropAfter);
}

void ttjit::dropBlockTensors(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    auto whileOp = dyn_cast<scf::WhileOp>(op);
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      return;
    if (tensorsAmong(op->getResultTypes()).any() ||
        (whileOp && tensorsAmong(ValueRange(whileOp.getBeforeArguments()).getTypes()).any()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      rebuild(loop);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      rebuild(loop);
    else
      rebuild(cast<scf::IfOp>(op));
  }
}
