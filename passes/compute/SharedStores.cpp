//===- SharedStores.cpp - stores whose expressions share ops ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Stores that follow each other, into blocks of one shape, become one ttl.compute with an output
// for each: what their expressions have in common is computed once, in DST. A store then waits
// for the next one. That changes nothing as long as only expressions stand between the two.
//===--------------------------------------------------------------------------===//

#include "passes/compute/ComputeFormer.h"
#include "passes/compute/ReductionScale.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Each output of a tile takes a register of its own.
static constexpr size_t kMostOutputs = 2;

// Returns the store after this one, if nothing but expressions and numbers is in between.
static ttl::BlockStoreOp nextStore(ttl::BlockStoreOp store) {
  for (Operation *op = store->getNextNode(); op; op = op->getNextNode()) {
    if (auto next = dyn_cast<ttl::BlockStoreOp>(op))
      return next;
    bool isNumber = op->getNumRegions() == 0 && isMemoryEffectFree(op);
    if (op->hasTrait<OpTrait::IsTerminator>() || !(isNumber || ttl::isBlockExpression(op)))
      return {};
  }
  return {};
}

static bool isPlain(ttl::BlockStoreOp store) {
  return !store.getAccumulate() && !isReadBack(store);
}

bool ttjit::mayBeOneCompute(ttl::BlockStoreOp store, ttl::BlockStoreOp next) {
  return nextStore(store) == next && isPlain(store) && isPlain(next) &&
         store.getDst() != next.getDst() &&
         ttl::getBlockShape(store.getDst().getType()) ==
             ttl::getBlockShape(next.getDst().getType());
}

// Returns whether the two uses of the reduction's result are stores that one ttl.compute does, of
// the result or of its products with numbers.
bool ComputeFormer::isForOneCompute(Value reduction) {
  SmallVector<ttl::BlockStoreOp> stores;
  for (OpOperand &use : reduction.getUses())
    stores.push_back(storeOf(use));
  return isReduction(reduction.getDefiningOp()) && stores.size() == 2 && stores[0] && stores[1] &&
         (mayBeOneCompute(stores[0], stores[1]) || mayBeOneCompute(stores[1], stores[0]));
}

// Returns whether the two expressions, which are computed here, have an op in common that is worth
// computing once. While a reduction is set up, the packer writes zeros around every result, so it
// may pack only its results and their products with numbers.
bool ComputeFormer::shareOps(ttl::BlockStoreOp store, ttl::BlockStoreOp next) {
  SmallVector<Operation *> ours = opsOfExpressions(store.getSrc(), places);
  SmallVector<Operation *> others = opsOfExpressions(next.getSrc(), places);
  if (llvm::any_of(ours, isReduction) || llvm::any_of(others, isReduction)) {
    Operation *reduction = reductionOf(store.getSrc());
    return reduction && reduction == reductionOf(next.getSrc());
  }
  DenseSet<Operation *> known(ours.begin(), ours.end());
  return llvm::any_of(
      others, [&](Operation *op) { return known.contains(op) && !isa<ttl::BlockFillOp>(op); });
}

// Returns whether the next store will do this one, too.
bool ComputeFormer::waitsForNext(ttl::BlockStoreOp store) {
  ttl::BlockStoreOp next = nextStore(store);
  return next && waiting.size() + 1 < kMostOutputs && mayBeOneCompute(store, next) &&
         !storedEarly.contains(&next.getSrcMutable()) && shareOps(store, next);
}

// Does the store and those that waited for it.
void ComputeFormer::storeWithWaiting(ttl::BlockStoreOp store, OpBuilder &builder) {
  SmallVector<Value> values, targets;
  SmallVector<Location> locations;
  auto add = [&](ttl::BlockStoreOp each) {
    values.push_back(each.getSrc());
    targets.push_back(each.getDst());
    locations.push_back(each.getLoc());
  };
  llvm::for_each(waiting, add);
  add(store);
  Location loc = builder.getFusedLoc(locations);
  createCompute(builder, loc, values, targets, store.getAccumulate(), places);
  for (Value target : targets)
    places.erase(target);
  for (ttl::BlockStoreOp done : waiting)
    done.erase();
  waiting.clear();
}
