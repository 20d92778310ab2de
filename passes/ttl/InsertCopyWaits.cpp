//===- InsertCopyWaits.cpp - ttl-insert-copy-waits ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a program may leave out the wait for a copy, on all paths or on some.
//
// 1. A copy whose handle is waited for later in its own list of statements, or on every
//    path from the copy, needs no more waits.
// 2. A copy whose handle is never used completes where it stands, unless barriers complete
//    it before its block is released and before the thread ends.
// 3. A copy for which some path has no wait completes where it stands. Its waits do nothing
//    and are removed.
// 4. A receive of rule 3 whose waits are in callbacks of pipes that follow in its own list
//    of statements completes after the last of these callbacks.
// 5. A receive that ttl.wait_any looks at completes before its block is released, or at
//    the end of its list of statements.
// 6. A wait for a receive that certainly follows another wait for it is removed.
//
// Warns about rules 2 to 4, unless the thread was split from a unified body. Handles that
// loops and branches pass on are left to ttl-insert-releases and
// ttl-insert-synchronization.
//
// Rejects: a receive of rule 4 whose block is used before the wait that the pass adds.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/Copies.h"
#include "passes/common/Describe.h"
#include "passes/common/InFlight.h"
#include "passes/common/Threads.h"

#include "mlir/IR/Dominance.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTCOPYWAITS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

using Waits = SmallVector<ttl::WaitOp>;

Waits waitsOf(ttl::CopyOp copy) {
  Waits waits;
  for (Operation *user : copy.getXf().getUsers())
    if (auto wait = dyn_cast<ttl::WaitOp>(user))
      waits.push_back(wait);
  return waits;
}

bool isPassedOn(ttl::CopyOp copy) {
  return !llvm::all_of(copy.getXf().getUsers(), llvm::IsaPred<ttl::WaitOp, ttl::WaitAnyOp>);
}

bool isInWaitAny(ttl::CopyOp copy) {
  return llvm::any_of(copy.getXf().getUsers(), llvm::IsaPred<ttl::WaitAnyOp>);
}

// Returns whether every path through the ops of the block waits for the handle.
bool waitsOnAllPaths(Block &block, Value handle) {
  return llvm::any_of(block, [&](Operation &op) {
    if (auto wait = dyn_cast<ttl::WaitOp>(op))
      return wait.getXf() == handle;
    if (auto any = dyn_cast<ttl::WaitAnyOp>(op))
      return any.getXfs().size() == 1 && any.getXfs().front() == handle;
    auto branch = dyn_cast<scf::IfOp>(op);
    return branch && llvm::all_of(branch->getRegions(), [&](Region &region) {
             return !region.empty() && waitsOnAllPaths(region.front(), handle);
           });
  });
}

// Completes the copies of one thread.
class CopyCompleter {
public:
  CopyCompleter(ttl::DataMovementThreadOp thread)
      : thread(thread), isUnified(thread->hasAttr(ttl::kFromUnifiedAttr)) {}

  LogicalResult run();
  unsigned completed = 0;

private:
  bool isCompletedByBarrier(ttl::CopyOp copy, InFlight &inFlight);
  LogicalResult complete(ttl::CopyOp copy);
  void completeHere(ttl::CopyOp copy, ArrayRef<ttl::WaitOp> waits);
  void completeAtEnd(ttl::CopyOp copy);
  LogicalResult completeAfter(ttl::CopyOp copy, Operation *callback);
  void addWait(ttl::CopyOp copy, OpBuilder &builder);
  void warn(ttl::CopyOp copy, ArrayRef<ttl::WaitOp> waits);

  ttl::DataMovementThreadOp thread;
  bool isUnified;
};

void CopyCompleter::warn(ttl::CopyOp copy, ArrayRef<ttl::WaitOp> waits) {
  if (isUnified)
    return;
  InFlightDiagnostic warning = emitWarning(WarningKind::Transfer, copy);
  if (waits.empty()) {
    warning << "this copy is never waited for, so the thread completes it before the next "
               "statement: write wait()";
    return;
  }
  warning << "some path has no wait() for this copy, so the thread completes it before the next "
             "statement: wait for it on every path";
  for (ttl::WaitOp wait : waits)
    warning.attachNote(wait.getLoc()) << "this wait() does nothing";
}

void CopyCompleter::addWait(ttl::CopyOp copy, OpBuilder &builder) {
  ttl::WaitOp::create(builder, copy.getLoc(), copy.getXf());
  ++completed;
}

void CopyCompleter::completeHere(ttl::CopyOp copy, ArrayRef<ttl::WaitOp> waits) {
  warn(copy, waits);
  for (ttl::WaitOp wait : waits)
    wait.erase();
  OpBuilder builder(copy.getContext());
  builder.setInsertionPointAfter(copy);
  addWait(copy, builder);
}

// Completes a receive of a ttl.wait_any. Its lowering knows whether it was completed before.
void CopyCompleter::completeAtEnd(ttl::CopyOp copy) {
  Block *block = copy->getBlock();
  OpBuilder builder(copy.getContext());
  if (block->mightHaveTerminator())
    builder.setInsertionPoint(block->getTerminator());
  else
    builder.setInsertionPointToEnd(block);
  for (Operation *user : blockOf(copy).getUsers())
    if (isa<ttl::CBPushOp>(user) && user->getBlock() == block && copy->isBeforeInBlock(user))
      builder.setInsertionPoint(user);
  addWait(copy, builder);
}

// Returns the last callback of a pipe in the copy's own list of statements that waits for the
// copy; null if another op than these callbacks contains a wait.
Operation *lastCallback(ttl::CopyOp copy, ArrayRef<ttl::WaitOp> waits) {
  Operation *last = nullptr;
  for (ttl::WaitOp wait : waits) {
    Operation *callback = copy->getBlock()->findAncestorOpInBlock(*wait);
    if (!isa_and_present<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(callback))
      return nullptr;
    if (!last || last->isBeforeInBlock(callback))
      last = callback;
  }
  return last;
}

// Applies rule 4. An op may use the block before the new wait only after a wait of its callback.
LogicalResult CopyCompleter::completeAfter(ttl::CopyOp copy, Operation *callback) {
  Waits waits = waitsOf(copy);
  DominanceInfo dominance(thread);
  for (Operation *user : blockOf(copy).getUsers()) {
    Operation *place = copy->getBlock()->findAncestorOpInBlock(*user);
    bool isBetween = place && copy->isBeforeInBlock(place) &&
                     (place == callback || place->isBeforeInBlock(callback));
    if (!isBetween || llvm::any_of(waits, [&](ttl::WaitOp wait) {
          return dominance.properlyDominates(wait.getOperation(), user);
        }))
      continue;
    InFlightDiagnostic diagnostic =
        user->emitError("this uses the block of a receive that only some nodes have waited for: "
                        "wait for the receive before this, outside of the callbacks");
    diagnostic.attachNote(copy.getLoc()) << "the receive starts here";
    diagnostic.attachNote(callback->getLoc()) << "the last callback that waits for it is here";
    return diagnostic;
  }
  OpBuilder builder(copy.getContext());
  builder.setInsertionPointAfter(callback);
  addWait(copy, builder);
  return success();
}

LogicalResult CopyCompleter::complete(ttl::CopyOp copy) {
  Waits waits = waitsOf(copy);
  Block *block = copy->getBlock();
  if (llvm::any_of(waits, [&](ttl::WaitOp wait) { return wait->getBlock() == block; }) ||
      waitsOnAllPaths(*block, copy.getXf()))
    return success();
  if (isInWaitAny(copy)) {
    completeAtEnd(copy);
    return success();
  }
  Operation *callback = copy.isReceive() && !waits.empty() ? lastCallback(copy, waits) : nullptr;
  if (callback)
    return completeAfter(copy, callback);
  completeHere(copy, waits);
  return success();
}

bool CopyCompleter::isCompletedByBarrier(ttl::CopyOp copy, InFlight &inFlight) {
  if (!endsByBarrier(copy))
    return false;
  auto isInFlight = [&](const InFlight::Copies *copies) {
    return copies && copies->contains(copy);
  };
  return !isInFlight(inFlight.atEnd()) &&
         llvm::none_of(blockOf(copy).getUsers(), [&](Operation *user) {
           return isa<ttl::CBPopOp, ttl::CBPushOp>(user) && isInFlight(inFlight.before(user));
         });
}

// Applies rule 6: a second wait would receive the next block of the pipe.
unsigned dropRepeated(ttl::CopyOp copy) {
  Waits waits = waitsOf(copy), repeated;
  DominanceInfo dominance;
  for (ttl::WaitOp wait : waits)
    if (llvm::any_of(waits, [&](ttl::WaitOp other) {
          return dominance.properlyDominates(other.getOperation(), wait.getOperation());
        }))
      repeated.push_back(wait);
  for (ttl::WaitOp wait : repeated)
    wait.erase();
  return repeated.size();
}

LogicalResult CopyCompleter::run() {
  SmallVector<ttl::CopyOp> copies;
  bool hasBarriers = false;
  thread.walk([&](Operation *op) {
    auto copy = dyn_cast<ttl::CopyOp>(op);
    if (copy && !isPassedOn(copy))
      copies.push_back(copy);
    hasBarriers |= isa<ttl::DMABarrierOp>(op);
  });
  if (hasBarriers) {
    InFlight inFlight(thread);
    llvm::erase_if(copies, [&](ttl::CopyOp copy) {
      return copy->use_empty() && isCompletedByBarrier(copy, inFlight);
    });
  }
  for (ttl::CopyOp copy : copies) {
    if (copy.isReceive())
      dropRepeated(copy);
    if (failed(complete(copy)))
      return failure();
  }
  return success();
}

struct InsertCopyWaits : ttjit::impl::TTLInsertCopyWaitsBase<InsertCopyWaits> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](ttl::DataMovementThreadOp thread) {
      CopyCompleter completer(thread);
      if (failed(completer.run()))
        return WalkResult::interrupt();
      numCompleted += completer.completed;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
