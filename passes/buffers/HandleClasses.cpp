//===- HandleClasses.cpp - classes of transfer handles ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/HandleClasses.h"

#include "passes/common/DataFlow.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool isHandle(Value value) { return isa<ttl::TransferHandleType>(value.getType()); }

static void *keyOf(Value value) { return value.getAsOpaquePointer(); }

//===--------------------------------------------------------------------------===//
// Classes
//===--------------------------------------------------------------------------===//

// Returns whether an iteration passes each handle of this class to the next one at most once, or
// passes the handle of a copy that every iteration starts.
bool HandleClasses::rotates(scf::ForOp loop, unsigned number) {
  Value yielded = loop.getYieldedValues()[number];
  if (llvm::count(loop.getYieldedValues(), yielded) > 1)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(yielded))
    return argument.getOwner() == loop.getBody();
  return yielded.getDefiningOp<ttl::CopyOp>() && yielded.getParentBlock() == loop.getBody();
}

void HandleClasses::connect(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  for (auto &[operand, inputs] : mapping)
    for (Value input : inputs)
      if (isHandle(input))
        equivalent.unionSets(keyOf(operand->get()), keyOf(input));
}

void HandleClasses::addTransfer(Operation *op) {
  if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
    HandleClass &handles = of(copy.getXf());
    handles.copies.push_back(copy);
    (copy.isRead() ? handles.reads : handles.writes) = true;
  } else if (isa<ttl::SendOp, ttl::SendMulticastOp, ttl::ReceiveOp>(op)) {
    // A receive is a copy: it reads the slot in which the data landed.
    HandleClass &handles = of(op->getResult(0));
    (isa<ttl::ReceiveOp>(op) ? handles.reads : handles.writes) = true;
    handles.isFollowed = false;
  }
}

void HandleClasses::findUnfollowed(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (isHandle(argument) && !rotates(loop, i))
        of(argument).isFollowed = false;
  } else if (isa<RegionBranchOpInterface>(op) && !isa<scf::IfOp>(op)) {
    SmallVector<Value> values(op->getResults());
    for (Region &region : op->getRegions())
      llvm::append_range(values, region.getArguments());
    for (Value value : values)
      if (isHandle(value))
        of(value).isFollowed = false;
  }
}

HandleClasses::HandleClasses(func::FuncOp function) {
  function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isHandle(result))
        equivalent.insert(keyOf(result));
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      connect(branch);
  });
  function.walk([&](Operation *op) {
    addTransfer(op);
    findUnfollowed(op);
  });
  for (auto &[leader, handles] : classes)
    handles.isFollowed &= !(handles.reads && handles.writes);
}

HandleClass &HandleClasses::of(Value handle) {
  if (HandleClass *handles = rebuilt.lookup(handle))
    return *handles;
  return classes[equivalent.getOrInsertLeaderValue(keyOf(handle))];
}

void HandleClasses::eachUnfollowed(llvm::function_ref<void(HandleClass &)> visit) {
  for (auto &[leader, handles] : classes)
    if (!handles.isFollowed)
      visit(handles);
}

void HandleClasses::forget(Operation *op) {
  forgotten.clear();
  for (Value result : op->getResults())
    forgotten.push_back(isHandle(result) ? &of(result) : nullptr);
}

// Puts the loop's results into the classes of its arguments.
void HandleClasses::remember(Operation *op) {
  for (auto [i, known] : llvm::enumerate(forgotten)) {
    if (!known)
      continue;
    rebuilt[op->getResult(i)] = known;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      rebuilt[loop.getRegionIterArg(i)] = known;
  }
}

//===--------------------------------------------------------------------------===//
// One handle
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
      for (Value name : forwardedTo(use))
        follow(name);
    }
  return last;
}

Operation *ttjit::escapingBranch(ttl::CopyOp copy) {
  for (Operation *user : copy->getUsers())
    if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
      return user->getParentOp();
  return nullptr;
}
