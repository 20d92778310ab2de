//===- InFlight.cpp - copies that can be in flight ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/InFlight.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

bool InFlight::endsByBarrier(ttl::CopyOp copy) {
  return isa<ttl::TensorSliceType>(copy.getSrc().getType()) ||
         isa<ttl::TensorSliceType>(copy.getDst().getType());
}

SmallVector<ttl::CopyOp> InFlight::copiesOf(Value handle) const {
  SmallVector<ttl::CopyOp> copies;
  SmallVector<Value> names = {handle};
  DenseSet<Value> seen = {handle};
  auto follow = [&](Value name) {
    if (seen.insert(name).second)
      names.push_back(name);
  };
  while (!names.empty()) {
    Value name = names.pop_back_val();
    if (auto copy = name.getDefiningOp<ttl::CopyOp>()) {
      copies.push_back(copy);
      continue;
    }
    auto result = dyn_cast<OpResult>(name);
    Operation *op = result ? result.getOwner() : name.getParentRegion()->getParentOp();
    unsigned number = result ? result.getResultNumber()
                             : cast<BlockArgument>(name).getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned index = result ? number : number - 1; // after the induction variable
      follow(loop.getInitArgs()[index]);
      follow(loop.getYieldedValues()[index]);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      bool before = !result && name.getParentRegion() == &loop.getBefore();
      follow(before ? loop.getInits()[number] : loop.getConditionOp().getArgs()[number]);
      if (before)
        follow(loop.getYieldOp().getOperand(number));
    } else if (isa<scf::IfOp>(op)) {
      for (Region &region : op->getRegions())
        follow(region.front().getTerminator()->getOperand(number));
    } else {
      copies.push_back({});
    }
  }
  return copies;
}

// A handle that can be one of several is certainly waited for, but its copy is only
// one of them: the others stay in flight. So does what a copy started earlier, if it
// can be started again before its wait: the wait is for the last one.
void InFlight::visit(Operation &op) {
  if (isa<ttl::WaitOp, ttl::DMABarrierOp>(op)) {
    Set &here = known[&op];
    here.insert(state.begin(), state.end());
  }
  if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
    if (!state.insert(copy))
      startedAgain.insert(copy);
  } else if (auto wait = dyn_cast<ttl::WaitOp>(op)) {
    auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
    if (copy && !startedAgain.contains(copy))
      state.remove(copy);
  } else if (auto barrier = dyn_cast<ttl::DMABarrierOp>(op)) {
    if (!barrier.getId())
      state.remove_if([&](ttl::CopyOp copy) {
        return endsByBarrier(copy) &&
               (copy.isRead() ? barrier.waitsForReads() : barrier.waitsForWrites());
      });
  } else if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    Set before = state;
    visit(conditional.getThenRegion());
    Set afterThen = std::exchange(state, std::move(before));
    visit(conditional.getElseRegion());
    state.insert(afterThen.begin(), afterThen.end());
  } else if (op.getNumRegions()) {
    visitLoop(op);
  }
}

void InFlight::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      visit(op);
}

void InFlight::visitLoop(Operation &op) {
  Set &entry = entries[&op];
  entry.insert(state.begin(), state.end());
  size_t size;
  do {
    size = entries[&op].size();
    state = entries[&op];
    for (Region &region : op.getRegions())
      visit(region);
    entries[&op].insert(state.begin(), state.end());
  } while (entries[&op].size() != size);
  state = entries[&op];
}

InFlight::InFlight(Region &body) { visit(body); }

const InFlight::Set &InFlight::before(Operation *op) const { return known.at(op); }

bool InFlight::mayBe(Operation *wait, Value handle) const {
  const Set &set = before(wait);
  return llvm::any_of(copiesOf(handle),
                      [&](ttl::CopyOp copy) { return !copy || set.contains(copy); });
}
