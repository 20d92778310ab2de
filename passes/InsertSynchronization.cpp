//===- InsertSynchronization.cpp - ttl-insert-synchronization -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block must not be released while a copy of it is in flight, and a
// thread must not end with copies in flight.
//
// 1. A copy whose handle is never waited for is waited for directly before each
//    release of its block that the handle reaches.
// 2. If none does, it is waited for at the end of its own block of the program.
// 3. Warn, naming the line of the release.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/Support/Describe.h"
#include "passes/Support/Threads.h"

#include "mlir/IR/Dominance.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTSYNCHRONIZATION
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// Structured control flow: an op is reached if it, or what contains it, comes
// later in the copy's block.
bool reaches(ttl::CopyOp copy, Operation *op) {
  Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*op);
  return ancestor && copy->isBeforeInBlock(ancestor);
}

void waitAtEnd(ttl::CopyOp copy) {
  Block *block = copy->getBlock();
  OpBuilder builder(copy.getContext());
  if (block->mightHaveTerminator())
    builder.setInsertionPoint(block->getTerminator());
  else
    builder.setInsertionPointToEnd(block);
  ttl::WaitOp::create(builder, copy.getLoc(), copy.getXf());
}

void complete(ttl::CopyOp copy) {
  Value block = copy.isRead() ? copy.getDst() : copy.getSrc();
  Operation *acquire = acquireOf(block);
  Operation *firstRelease = nullptr;
  for (Operation *user : llvm::make_early_inc_range(block.getUsers())) {
    if (!isa<ttl::CBPopOp, ttl::CBPushOp>(user) || !reaches(copy, user))
      continue;
    OpBuilder builder(user);
    ttl::WaitOp::create(builder, fuse(user->getLoc(), copy.getLoc()), copy.getXf());
    firstRelease = user;
  }
  InFlightDiagnostic warning = copy.emitWarning() << "this copy is never waited for; it is ";
  if (firstRelease) {
    warning << "completed before " << describeBlock(acquire) << " is released in "
            << describeLine(firstRelease->getLoc());
  } else {
    waitAtEnd(copy);
    warning << "completed at the end of the " << (copy->getParentOfType<LoopLikeOpInterface>()
                                                      ? "iteration or branch"
                                                      : "thread");
  }
  warning << ": write wait() where the data is needed";
}

struct InsertSynchronization
    : ttjit::impl::TTLInsertSynchronizationBase<InsertSynchronization> {
  void runOnOperation() override {
    SmallVector<ttl::CopyOp> copies;
    getOperation().walk([&](ttl::CopyOp copy) {
      if (copy->use_empty())
        copies.push_back(copy);
    });
    for (ttl::CopyOp copy : copies)
      complete(copy);
  }
};

} // namespace
