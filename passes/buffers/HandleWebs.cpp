//===- HandleWebs.cpp - where the handles of transfers go -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/HandleWebs.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool isHandle(Value value) { return isa<ttl::TransferHandleType>(value.getType()); }

static void *keyOf(Value value) { return value.getAsOpaquePointer(); }

//===--------------------------------------------------------------------------===//
// Webs
//===--------------------------------------------------------------------------===//

// The loop hands on its own handles, each once, or those of copies that its body
// starts in every iteration.
bool HandleWebs::rotates(scf::ForOp loop, unsigned number) {
  Value yielded = loop.getYieldedValues()[number];
  if (llvm::count(loop.getYieldedValues(), yielded) > 1)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(yielded))
    return argument.getOwner() == loop.getBody();
  return yielded.getDefiningOp<ttl::CopyOp>() && yielded.getParentBlock() == loop.getBody();
}

void HandleWebs::connect(scf::ForOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isHandle(argument))
      for (Value other : {loop.getInitArgs()[i], loop.getYieldedValues()[i],
                          Value(loop.getResult(i))})
        classes.unionSets(keyOf(argument), keyOf(other));
}

void HandleWebs::connect(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return connect(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto [i, result] : llvm::enumerate(branch.getResults()))
      if (isHandle(result))
        for (Region &region : branch->getRegions())
          classes.unionSets(keyOf(result),
                            keyOf(region.front().getTerminator()->getOperand(i)));
    return;
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return;
  auto unite = [&](ValueRange values, ValueRange others) {
    for (auto [value, other] : llvm::zip(values, others))
      if (isHandle(value))
        classes.unionSets(keyOf(value), keyOf(other));
  };
  unite(loop.getInits(), loop.getBeforeArguments());
  unite(loop.getYieldOp().getResults(), loop.getBeforeArguments());
  unite(loop.getConditionOp().getArgs(), loop.getAfterArguments());
  unite(loop.getConditionOp().getArgs(), loop.getResults());
}

HandleWebs::HandleWebs(func::FuncOp function) {
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isHandle(result))
        classes.insert(keyOf(result));
    connect(op);
  });
  function.walk([&](Operation *op) {
    if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
      HandleWeb &web = of(copy.getXf());
      web.copies.push_back(copy);
      (copy.isRead() ? web.reads : web.writes) = true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
        if (isHandle(argument) && !rotates(loop, i))
          of(argument).isFollowed = false;
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      for (Value value : loop.getResults())
        if (isHandle(value))
          of(value).isFollowed = false;
  });
  for (auto &[leader, web] : webs)
    web.isFollowed &= !(web.reads && web.writes);
}

HandleWeb &HandleWebs::of(Value handle) {
  if (HandleWeb *web = rebuilt.lookup(handle))
    return *web;
  return webs[classes.getOrInsertLeaderValue(keyOf(handle))];
}

void HandleWebs::eachUnfollowed(llvm::function_ref<void(HandleWeb &)> visit) {
  for (auto &[leader, web] : webs)
    if (!web.isFollowed)
      visit(web);
}

// Results of the new loop stand where those of the old one stood; arguments move.
void HandleWebs::forget(scf::ForOp loop) {
  forgotten.clear();
  for (BlockArgument argument : loop.getRegionIterArgs())
    forgotten.push_back(isHandle(argument) ? &of(argument) : nullptr);
}

void HandleWebs::remember(scf::ForOp loop) {
  for (auto [i, web] : llvm::enumerate(forgotten))
    if (web) {
      rebuilt[loop.getRegionIterArg(i)] = web;
      rebuilt[loop.getResult(i)] = web;
    }
}

//===--------------------------------------------------------------------------===//
// The way of one handle
//===--------------------------------------------------------------------------===//

Operation *ttjit::laterOf(Operation *a, Operation *b) { return a->isBeforeInBlock(b) ? b : a; }

Operation *ttjit::lastWait(Value handle, Block *block) {
  Operation *last = block->findAncestorOpInBlock(*handle.getDefiningOp());
  SmallVector<Value> names = {handle};
  DenseSet<Value> seen;
  auto follow = [&](Value name) {
    if (seen.insert(name).second)
      names.push_back(name);
  };
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (Operation *ancestor = block->findAncestorOpInBlock(*user))
        last = laterOf(last, ancestor);
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        follow(loop.getTiedLoopResult(&use));
        follow(loop.getTiedLoopRegionIterArg(&use));
      } else if (isa<scf::YieldOp>(user) && isa<scf::ForOp, scf::IfOp>(user->getParentOp())) {
        follow(user->getParentOp()->getResult(use.getOperandNumber()));
      }
    }
  return last;
}

Operation *ttjit::escapingBranch(ttl::CopyOp copy) {
  for (Operation *user : copy->getUsers())
    if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
      return user->getParentOp();
  return nullptr;
}
