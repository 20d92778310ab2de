//===- UnwaitedCopies.cpp - copies that nobody waits for ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/UnwaitedCopies.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Copies.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns whether the copy's handle is visible at `op`: the op, or an op that contains it, comes
// later in the copy's IR block.
static bool reaches(ttl::CopyOp copy, Operation *op) {
  Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*op);
  return ancestor && copy->isBeforeInBlock(ancestor);
}

static StringRef placeOf(ttl::CopyOp copy) {
  Operation *parent = copy->getParentOp();
  if (isa<LoopLikeOpInterface>(parent))
    return "iteration";
  if (isa<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent))
    return "callback";
  return isa<ttl::DataMovementThreadOp>(parent) ? "thread" : "branch";
}

// Inserts a wait directly behind the copy. A thread that counts its blocks needs it there, because
// any of its releases may release the copy's block.
static void waitAtOnce(ttl::CopyOp copy) {
  OpBuilder builder(copy.getContext());
  builder.setInsertionPointAfter(copy);
  ttl::WaitOp::create(builder, copy.getLoc(), copy.getXf());
}

static void waitAtEnd(ttl::CopyOp copy) {
  Block *block = copy->getBlock();
  OpBuilder builder(copy.getContext());
  if (block->mightHaveTerminator())
    builder.setInsertionPoint(block->getTerminator());
  else
    builder.setInsertionPointToEnd(block);
  ttl::WaitOp::create(builder, copy.getLoc(), copy.getXf());
}

// Inserts waits before releases; returns the last release that got a wait.
static Operation *waitBeforeReleases(ttl::CopyOp copy) {
  Operation *release = nullptr;
  for (Operation *user : llvm::make_early_inc_range(blockOf(copy).getUsers())) {
    if (!isa<ttl::CBPopOp, ttl::CBPushOp>(user) || !reaches(copy, user))
      continue;
    OpBuilder builder(user);
    ttl::WaitOp::create(builder, fuse(user->getLoc(), copy.getLoc()), copy.getXf());
    release = user;
  }
  return release;
}

void ttjit::completeUnwaited(ttl::CopyOp copy) {
  Operation *release = waitBeforeReleases(copy);
  InFlightDiagnostic warning = emitWarning(WarningKind::Transfer, copy)
                               << "this copy is never waited for; it is ";
  if (release) {
    warning << "completed before " << describeBlock(acquireOf(blockOf(copy))) << " is released in "
            << describeLine(release->getLoc());
  } else if (isCountedBlock(blockOf(copy))) {
    waitAtOnce(copy);
    warning << "completed at once";
  } else {
    waitAtEnd(copy);
    warning << "completed at the end of the " << placeOf(copy);
  }
  warning << ": write wait() where the data is needed";
}
