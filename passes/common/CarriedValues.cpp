//===- CarriedValues.cpp - values that loops carry and that have to go -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/CarriedValues.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

using TypeFilter = llvm::function_ref<bool(Type)>;

static llvm::BitVector chosenAmong(TypeRange types, TypeFilter isChosen) {
  llvm::BitVector chosen(types.size());
  for (auto [i, type] : llvm::enumerate(types))
    chosen[i] = isChosen(type);
  return chosen;
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

static void rebuild(scf::ForOp loop, TypeFilter isChosen) {
  llvm::BitVector drop = chosenAmong(loop.getResultTypes(), isChosen);
  dropOperands(loop.getBody()->getTerminator(), 0, drop);
  dropArguments(*loop.getBody(), 1, drop);
  OpBuilder builder(loop);
  auto fresh = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(),
                                  without(loop.getInitArgs(), drop));
  replace(loop, fresh, drop);
}

static void rebuild(scf::IfOp conditional, TypeFilter isChosen) {
  llvm::BitVector drop = chosenAmong(conditional.getResultTypes(), isChosen);
  dropOperands(conditional.thenYield(), 0, drop);
  dropOperands(conditional.elseYield(), 0, drop);
  OpBuilder builder(conditional);
  auto fresh = scf::IfOp::create(builder, conditional.getLoc(),
                                 without(conditional.getResultTypes(), drop),
                                 conditional.getCondition(), /*withElseRegion=*/true);
  replace(conditional, fresh, drop);
}

static void rebuild(scf::WhileOp loop, TypeFilter isChosen) {
  llvm::BitVector dropBefore = chosenAmong(ValueRange(loop.getBeforeArguments()).getTypes(), isChosen);
  llvm::BitVector dropAfter = chosenAmong(loop.getResultTypes(), isChosen);
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

void ttjit::dropCarried(Operation *root, TypeFilter isChosen) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    auto whileOp = dyn_cast<scf::WhileOp>(op);
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      return;
    if (chosenAmong(op->getResultTypes(), isChosen).any() ||
        (whileOp && chosenAmong(ValueRange(whileOp.getBeforeArguments()).getTypes(), isChosen).any()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      rebuild(loop, isChosen);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      rebuild(loop, isChosen);
    else
      rebuild(cast<scf::IfOp>(op), isChosen);
  }
}

void ttjit::dropBlockTensors(Operation *root) {
  dropCarried(root, [](Type type) { return ttl::isBlockTensor(type); });
}
