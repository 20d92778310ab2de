//===- InsertSynchronization.cpp - ttl-insert-synchronization -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block must not be released while a copy of it is in flight, and a
// thread must not end with copies in flight. Every wait stalls the thread.
//
// 1. For a copy whose handle is never waited for, insert a wait directly before each
//    release of its block that the handle reaches. If it reaches none, insert the wait
//    at the end of the copy's own IR block. Warn, with the line of the release.
// 2. Find the copies that can be in flight before each op of a data movement thread
//    (InFlight.h).
// 3. Remove each wait for a copy that cannot be in flight, because a barrier or another
//    wait comes first on every path. Remove each barrier if no copy can be in flight.
// 4. Merge waits of one direction that follow each other into one barrier, if no other
//    copy of that direction is in flight: the barrier waits for the same copies.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/sync/Passes.h"

#include "passes/common/Copies.h"
#include "passes/common/InFlight.h"
#include "passes/common/WaitRuns.h"
#include "passes/sync/UnwaitedCopies.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTSYNCHRONIZATION
#include "passes/sync/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

//===--------------------------------------------------------------------------===//
// Copies without a wait
//===--------------------------------------------------------------------------===//

// Returns whether barriers of the user complete the copy before its block is released and before
// the thread ends.
bool isCompletedByBarrier(ttl::CopyOp copy, InFlight &inFlight) {
  auto isInFlight = [&](const InFlight::Copies *copies) {
    return copies && copies->contains(copy);
  };
  return !isInFlight(inFlight.atEnd()) &&
         llvm::none_of(blockOf(copy).getUsers(), [&](Operation *user) {
           return isa<ttl::CBPopOp, ttl::CBPushOp>(user) && isInFlight(inFlight.before(user));
         });
}

unsigned completeCopies(ttl::DataMovementThreadOp thread) {
  SmallVector<ttl::CopyOp> unwaited;
  thread.walk([&](ttl::CopyOp copy) {
    if (copy->use_empty() && endsByBarrier(copy))
      unwaited.push_back(copy);
  });
  if (unwaited.empty())
    return 0;
  InFlight inFlight(thread);
  llvm::erase_if(unwaited, [&](ttl::CopyOp copy) { return isCompletedByBarrier(copy, inFlight); });
  for (ttl::CopyOp copy : unwaited)
    completeUnwaited(copy);
  return unwaited.size();
}

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

// Returns the copy that this wait completes, if it is always the same one and between a
// tensor and a block. Handles that loops carry are excluded: a barrier would also wait
// for the copies of the next iteration.
ttl::CopyOp copyOf(ttl::WaitOp wait) {
  auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  return copy && endsByBarrier(copy) ? copy : nullptr;
}

// Sends and receives are no ttl.copy any more, and each has its own barrier
// (passes/sync/NetLowering.cpp).
bool movesOverPipes(ttl::DataMovementThreadOp thread) {
  return thread
      .walk([](Operation *op) {
        bool moves = isa<ttl::SendOp, ttl::SendMulticastOp, ttl::ReceiveOp>(op);
        return moves ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool isRedundant(ttl::DMABarrierOp barrier, InFlight &inFlight) {
  const InFlight::Copies *copies = inFlight.before(barrier);
  return !barrier.getId() && copies &&
         llvm::none_of(*copies, [&](auto &entry) { return completes(barrier, entry.first); });
}

unsigned removeRedundant(ttl::DataMovementThreadOp thread) {
  InFlight inFlight(thread);
  SmallVector<Operation *> redundant;
  bool keepsBarriers = movesOverPipes(thread);
  thread.walk([&](Operation *op) {
    auto wait = dyn_cast<ttl::WaitOp>(op);
    auto barrier = dyn_cast<ttl::DMABarrierOp>(op);
    if ((wait && !inFlight.mayBe(wait)) ||
        (barrier && !keepsBarriers && isRedundant(barrier, inFlight)))
      redundant.push_back(op);
  });
  for (Operation *op : redundant)
    op->erase();
  return redundant.size();
}

// Finds runs of waits in which all ops between two waits only compute.
SmallVector<WaitRun> findRuns(ttl::DataMovementThreadOp thread, bool reads) {
  SmallVector<WaitRun> runs;
  auto isChosen = [&](ttl::WaitOp wait) {
    ttl::CopyOp copy = copyOf(wait);
    return copy && copy.isRead() == reads;
  };
  auto mayStandBetween = [](Operation *op) {
    auto wait = dyn_cast<ttl::WaitOp>(op);
    return (wait && copyOf(wait)) || isMemoryEffectFree(op);
  };
  thread->walk([&](Block *block) {
    llvm::append_range(runs, findWaitRuns(*block, isChosen, mayStandBetween));
  });
  return runs;
}

// Returns whether no other copy of this direction is in flight before the run.
bool waitsForAll(const WaitRun &run, bool reads, InFlight &inFlight) {
  DenseSet<ttl::CopyOp> waited;
  for (ttl::WaitOp wait : run)
    waited.insert(copyOf(wait));
  const InFlight::Copies *copies = inFlight.before(run.front());
  return copies && llvm::all_of(*copies, [&](auto entry) {
           return entry.first.isRead() != reads || waited.contains(entry.first);
         });
}

unsigned mergeRuns(ttl::DataMovementThreadOp thread) {
  InFlight inFlight(thread);
  SmallVector<std::pair<WaitRun, bool>> chosen;
  for (bool reads : {true, false})
    for (WaitRun &run : findRuns(thread, reads))
      if (waitsForAll(run, reads, inFlight))
        chosen.emplace_back(std::move(run), reads);
  unsigned merged = 0;
  IRRewriter rewriter(thread.getContext());
  for (auto &[run, reads] : chosen) {
    mergeWaits(rewriter, run, reads);
    merged += run.size();
  }
  return merged;
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

struct InsertSynchronization : ttjit::impl::TTLInsertSynchronizationBase<InsertSynchronization> {
  using TTLInsertSynchronizationBase::TTLInsertSynchronizationBase;

  void runOnOperation() override {
    getOperation().walk([&](ttl::DataMovementThreadOp thread) {
      numCompleted += completeCopies(thread);
      numRedundant += removeRedundant(thread);
      if (merge)
        numMerged += mergeRuns(thread);
    });
  }
};

} // namespace
