//===- Cleanup.cpp - erases unused ops that the walk made ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/Cleanup.h"

#include "ir/Locations/ShownValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ttjit::frontend {

// Returns whether a debugger shows the op's result, a number, by the name of a variable.
static bool isShown(Operation *op) {
  return llvm::any_of(op->getResults(), [](OpResult result) {
    return result.getType().isIntOrIndexOrFloat() && getValueNumber(result.getLoc());
  });
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

// Returns the op without the results; null if there are none to drop.
static Operation *dropResults(scf::IfOp op) {
  SmallVector<unsigned> used = usedResults(op);
  if (used.size() == op.getNumResults())
    return nullptr;
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
  return next;
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

// Returns the numbers of the carried variables that are not dead.
template <typename LoopOp> static SmallVector<unsigned> usedCarried(LoopOp loop) {
  SmallVector<unsigned> used;
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (!isDead(loop, number))
      used.push_back(number);
  return used;
}

static Operation *dropCarried(scf::ForOp loop) {
  SmallVector<unsigned> used = usedCarried(loop);
  if (used.size() == loop.getNumResults())
    return nullptr;
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
  return next;
}

// Drops the unused carried variables of a while loop. Its condition and its body have the same
// variables as arguments.
static Operation *dropCarried(scf::WhileOp loop) {
  SmallVector<unsigned> used = usedCarried(loop);
  if (used.size() == loop.getNumResults())
    return nullptr;
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
  return next;
}

//===--------------------------------------------------------------------------===//
// The ops that may have become unused
//===--------------------------------------------------------------------------===//

namespace {
// Visits each op once, users before what they use, and again each op that an erased op
// used.
class Cleanup {
public:
  void run(Operation *kernel) {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { pending.insert(op); });
    while (!pending.empty())
      visit(pending.pop_back_val());
  }

private:
  void visit(Operation *op) {
    if (op->getNumRegions() == 0)
      return eraseIfDead(op);
    SmallVector<Operation *> makers = makersOf(op, passedOn(op));
    Operation *next = TypeSwitch<Operation *, Operation *>(op)
                          .Case([](scf::IfOp branch) { return dropResults(branch); })
                          .Case([](scf::ForOp loop) { return dropCarried(loop); })
                          .Case([](scf::WhileOp loop) { return dropCarried(loop); })
                          .Default(nullptr);
    if (!next)
      return;
    pending.insert(next);
    pending.insert_range(makers);
  }

  // Erases an op that is dead. Loops are kept: a loop that never ends has an effect.
  void eraseIfDead(Operation *op) {
    if (!isOpTriviallyDead(op) || isShown(op))
      return;
    SmallVector<Operation *> makers = makersOf(op, op->getOperands());
    op->erase();
    pending.insert_range(makers);
  }

  // Returns the values that a loop or branch gets, and those that it hands to its results and to
  // its next iteration.
  static SmallVector<Value> passedOn(Operation *op) {
    SmallVector<Value> values(op->getOperands());
    if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
      for (Region &region : op->getRegions())
        if (!region.empty())
          llvm::append_range(values, region.front().getTerminator()->getOperands());
    return values;
  }

  // Returns the ops, without `op`, that define the values or have them as arguments of regions.
  static SmallVector<Operation *> makersOf(Operation *op, ValueRange values) {
    SmallVector<Operation *> makers;
    for (Value value : values) {
      Operation *maker = value.getDefiningOp();
      maker = maker ? maker : value.getParentBlock()->getParentOp();
      if (maker != op)
        makers.push_back(maker);
    }
    return makers;
  }

  llvm::SmallSetVector<Operation *, 32> pending;
};
} // namespace

void eraseUnused(Operation *kernel) { Cleanup().run(kernel); }

void eraseInside(Operation *op) {
  op->walk<WalkOrder::PostOrder>([](Operation *inner) {
    for (Region &region : inner->getRegions()) {
      region.dropAllReferences();
      region.getBlocks().clear();
    }
  });
}

} // namespace ttjit::frontend
