//===- ReplacedCopies.cpp - copies whose handles are replaced -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a variable holds the handle of a copy, and one branch of a condition assigns the
// handle of another copy to the variable. Behind the condition the program waits for
// whichever copy the variable holds, so no op waits for the first copy in that branch.
//
// 1. Find the copies whose handles are only returned by branches. Where one branch of an
//    scf.if uses the handle and the other does not, the other replaced it.
// 2. Wait for the copy there: before the first copy of the branch that moves the same block,
//    or at the end of the branch. Warn.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/ReplacedCopies.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Copies.h"
#include "passes/common/Describe.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the conditions around the uses of the handle, up to the copy's own IR block; nothing if a
// use is anything else than the value of a branch.
static std::optional<SetVector<Operation *>> conditionsAround(ttl::CopyOp copy) {
  SetVector<Operation *> conditions;
  for (Operation *user : copy.getXf().getUsers()) {
    if (!isa<scf::YieldOp>(user))
      return std::nullopt;
    for (; user->getBlock() != copy->getBlock(); user = user->getParentOp()) {
      auto condition = dyn_cast<scf::IfOp>(user->getParentOp());
      if (!condition || condition.getElseRegion().empty())
        return std::nullopt;
      conditions.insert(condition);
    }
  }
  return conditions;
}

static bool usesHandle(Region &branch, ttl::CopyOp copy) {
  return llvm::any_of(copy.getXf().getUsers(),
                      [&](Operation *user) { return branch.isAncestor(user->getParentRegion()); });
}

static void completeIn(Region &branch, ttl::CopyOp copy) {
  Block &block = branch.front();
  Operation *before = block.getTerminator();
  for (auto other : block.getOps<ttl::CopyOp>())
    if (blockOf(other) == blockOf(copy)) {
      before = other;
      break;
    }
  OpBuilder builder(before);
  auto wait = ttl::WaitOp::create(builder, copy.getLoc(), copy.getXf());
  if (auto next = dyn_cast<ttl::CopyOp>(before); next && fillsBlock(next) && fillsBlock(copy))
    wait->setAttr(kOverwrittenAttr, builder.getUnitAttr());
  emitWarning(WarningKind::Transfer, copy)
      << "the handle of this copy is replaced in the branch in " << describeLine(before->getLoc())
      << " before anything waits for it, so the copy is completed there: wait for "
         "it before the assignment";
}

void ttjit::completeReplacedCopies(Operation *thread) {
  SmallVector<std::pair<Region *, ttl::CopyOp>> replaced;
  thread->walk([&](ttl::CopyOp copy) {
    std::optional<SetVector<Operation *>> conditions = conditionsAround(copy);
    if (pipeOf(copy) || !conditions)
      return;
    for (Operation *condition : *conditions)
      for (Region &branch : condition->getRegions())
        if (!usesHandle(branch, copy))
          replaced.push_back({&branch, copy});
  });
  for (auto [branch, copy] : replaced)
    completeIn(*branch, copy);
}
