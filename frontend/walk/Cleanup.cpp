//===- Cleanup.cpp - erases unused ops that the walk made -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Cleanup.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace ttjit::frontend {

static bool eraseDeadOps(Operation *root) {
  bool changed = false;
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    // Loops are kept: a loop that never ends has an effect.
    if (op->getNumRegions() != 0 || !isOpTriviallyDead(op))
      return;
    op->erase();
    changed = true;
  });
  return changed;
}

// Returns the numbers of the op's results that have uses.
static SmallVector<unsigned> usedResults(Operation *op) {
  SmallVector<unsigned> used;
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      used.push_back(result.getResultNumber());
  return used;
}

template <typename Range> static SmallVector<Value> pick(Range values, ArrayRef<unsigned> numbers) {
  return llvm::map_to_vector(numbers, [&](unsigned number) -> Value { return values[number]; });
}

static void replaceResults(Operation *op, Operation *by, ArrayRef<unsigned> used) {
  for (auto [i, number] : llvm::enumerate(used))
    op->getResult(number).replaceAllUsesWith(by->getResult(i));
  op->erase();
}

static bool dropResults(scf::IfOp op) {
  SmallVector<unsigned> used = usedResults(op);
  if (used.size() == op.getNumResults())
    return false;
  OpBuilder builder(op);
  SmallVector<Value> results = pick(op.getResults(), used);
  auto next = scf::IfOp::create(builder, op.getLoc(), TypeRange(ValueRange(results)),
                                op.getCondition(), /*addThenBlock=*/false,
                                /*addElseBlock=*/false);
  for (auto [from, to] : llvm::zip(op->getRegions(), next->getRegions())) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    yield->setOperands(pick(yield->getOperands(), used));
  }
  replaceResults(op, next, used);
  return true;
}

// Returns whether only the next iteration of the loop uses the carried variable, and only to pass
// it on.
static bool isDead(scf::ForOp loop, unsigned number) {
  BlockArgument argument = loop.getRegionIterArg(number);
  Operation *yield = loop.getBody()->getTerminator();
  return loop.getResult(number).use_empty() &&
         llvm::all_of(argument.getUses(), [&](OpOperand &use) {
           return use.getOwner() == yield && use.getOperandNumber() == number;
         });
}

static bool dropCarried(scf::ForOp loop) {
  SmallVector<unsigned> used;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (!isDead(loop, number))
      used.push_back(number);
  if (used.size() == loop.getNumResults())
    return false;
  OpBuilder builder(loop);
  auto next = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                 loop.getStep(), pick(loop.getInitArgs(), used));
  next.getRegion().takeBody(loop.getRegion());
  Operation *yield = next.getBody()->getTerminator();
  yield->setOperands(pick(yield->getOperands(), used));
  for (unsigned number = loop.getNumResults(); number-- > 0;)
    if (!llvm::is_contained(used, number))
      next.getBody()->eraseArgument(1 + number); // argument 0 is the induction variable
  replaceResults(loop, next, used);
  return true;
}

// Returns whether only the condition and the next iteration of a while loop use the carried
// variable, and only to pass it on.
static bool isDead(scf::WhileOp loop, unsigned number) {
  auto onlyUse = [](BlockArgument argument, Operation *op, unsigned operand) {
    return llvm::all_of(argument.getUses(), [&](OpOperand &use) {
      return use.getOwner() == op && use.getOperandNumber() == operand;
    });
  };
  return loop.getResult(number).use_empty() &&
         onlyUse(loop.getBeforeArguments()[number], loop.getConditionOp(), number + 1) &&
         onlyUse(loop.getAfterArguments()[number], loop.getYieldOp(), number);
}

// Drops the unused carried variables of a while loop. Its condition and its body have the same
// variables as arguments.
static bool dropCarried(scf::WhileOp loop) {
  SmallVector<unsigned> used;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (!isDead(loop, number))
      used.push_back(number);
  if (used.size() == loop.getNumResults())
    return false;
  OpBuilder builder(loop);
  SmallVector<Value> inits = pick(loop.getInits(), used);
  auto next = scf::WhileOp::create(builder, loop.getLoc(), ValueRange(inits).getTypes(), inits);
  scf::ConditionOp condition = loop.getConditionOp();
  condition.getArgsMutable().assign(pick(condition.getArgs(), used));
  scf::YieldOp yield = loop.getYieldOp();
  yield->setOperands(pick(yield.getOperands(), used));
  for (auto [from, to] : llvm::zip(loop->getRegions(), next->getRegions())) {
    to.takeBody(from);
    to.front().eraseArguments(
        [&](BlockArgument argument) { return !llvm::is_contained(used, argument.getArgNumber()); });
  }
  replaceResults(loop, next, used);
  return true;
}

// Outer ops come first in this order. When an outer op drops a result, inner ops may drop the
// result that it yielded.
static bool dropUnusedResults(Operation *kernel) {
  SmallVector<Operation *> ops;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      ops.push_back(op);
  });
  bool changed = false;
  for (Operation *op : ops) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      changed |= dropResults(branch);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      changed |= dropCarried(loop);
    else
      changed |= dropCarried(cast<scf::WhileOp>(op));
  }
  return changed;
}

void eraseUnused(Operation *kernel) {
  bool changed = true;
  while (changed) {
    changed = eraseDeadOps(kernel);
    changed |= dropUnusedResults(kernel);
  }
}

} // namespace ttjit::frontend
