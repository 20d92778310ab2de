//===- InsertSynchronization.cpp - ttl-insert-synchronization -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block must not be released while a copy of it is in flight, and a
// thread must not end with copies in flight. Every wait stalls the thread.
//
// 1. A copy whose handle is never waited for is waited for directly before each
//    release of its block that the handle reaches. If none does, it is waited for
//    at the end of its own block of the program. Warn, naming the line of the
//    release.
// 2. Follow each data movement thread with the set of copies that can be in
//    flight (Support/InFlight.h), through branches, and through loops until it does
//    not grow any more.
// 3. A wait for a copy that cannot be in flight, because a barrier or a wait on
//    every path came first, is removed, as is a barrier where nothing is.
// 4. Waits of one direction that follow each other, and leave nothing of that
//    direction in flight, become one barrier: it waits for the same copies.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/sync/Passes.h"

#include "passes/common/Describe.h"
#include "passes/sync/InFlight.h"
#include "passes/common/Threads.h"

#include "mlir/IR/Dominance.h"
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
// Copies that nobody waits for
//===--------------------------------------------------------------------------===//

// Structured control flow: an op is reached if it, or what contains it, comes
// later in the copy's block.
bool reaches(ttl::CopyOp copy, Operation *op) {
  Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*op);
  return ancestor && copy->isBeforeInBlock(ancestor);
}

StringRef placeOf(ttl::CopyOp copy) {
  Operation *parent = copy->getParentOp();
  if (isa<LoopLikeOpInterface>(parent))
    return "iteration";
  return isa<ttl::DataMovementThreadOp>(parent) ? "thread" : "branch";
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
    warning << "completed at the end of the " << placeOf(copy);
  }
  warning << ": write wait() where the data is needed";
}

bool isCopyOfBlock(ttl::CopyOp copy) { return InFlight::endsByBarrier(copy); }

bool releases(Operation *op, Value block) {
  return op->walk([&](Operation *inner) {
             bool found = isa<ttl::CBPopOp, ttl::CBPushOp>(inner) && inner->getOperand(0) == block;
             return found ? WalkResult::interrupt() : WalkResult::advance();
           })
      .wasInterrupted();
}

// A barrier of the user's does, before its block is released.
bool isCompletedByBarrier(ttl::CopyOp copy) {
  Value block = copy.isRead() ? copy.getDst() : copy.getSrc();
  for (Operation *op = copy->getNextNode(); op && !releases(op, block); op = op->getNextNode())
    if (auto barrier = dyn_cast<ttl::DMABarrierOp>(op))
      if (!barrier.getId() &&
          (copy.isRead() ? barrier.waitsForReads() : barrier.waitsForWrites()))
        return true;
  return false;
}

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

/// Waits that stand together, and what is in flight before the first of them.
struct Run {
  SmallVector<ttl::WaitOp> waits;
  InFlight::Set before;
};

// The copy that this wait ends, if it is always the same one and between a tensor
// and a block. What loops hand on stays apart: a barrier would also wait for the
// copies of the next iteration.
ttl::CopyOp copyOf(ttl::WaitOp wait) {
  auto copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  return copy && InFlight::endsByBarrier(copy) ? copy : nullptr;
}

class BarrierPlacement {
public:
  explicit BarrierPlacement(Region &body) : inFlight(body), body(body) {}

  unsigned removeRedundant();
  unsigned merge();

private:
  SmallVector<Run> findRuns(bool reads);
  bool leavesNothing(const Run &run, bool reads);

  InFlight inFlight;
  Region &body;
};

// Blocks on their way between nodes are no ttl.copy any more, and each has a barrier of
// its own (passes/sync/NetLowering.cpp).
bool movesOverPipes(Region &body) {
  return body
      .walk([](Operation *op) {
        bool moves = isa<ttl::SendOp, ttl::SendMulticastOp, ttl::ReceiveOp>(op);
        return moves ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

unsigned BarrierPlacement::removeRedundant() {
  SmallVector<Operation *> redundant;
  bool keepsBarriers = movesOverPipes(body);
  body.walk([&](Operation *op) {
    if (auto wait = dyn_cast<ttl::WaitOp>(op); wait && !inFlight.mayBe(wait, wait.getXf()))
      redundant.push_back(op);
    if (auto barrier = dyn_cast<ttl::DMABarrierOp>(op);
        barrier && !keepsBarriers && !barrier.getId() &&
        llvm::none_of(inFlight.before(op), [&](ttl::CopyOp copy) {
          return copy.isRead() ? barrier.waitsForReads() : barrier.waitsForWrites();
        }))
      redundant.push_back(op);
  });
  for (Operation *op : redundant)
    op->erase();
  return redundant.size();
}

// Ops between two waits of a run may only compute.
SmallVector<Run> BarrierPlacement::findRuns(bool reads) {
  SmallVector<Run> runs;
  body.getParentOp()->walk([&](Block *block) {
    Run current;
    auto end = [&] {
      if (current.waits.size() > 1)
        runs.push_back(current);
      current = {};
    };
    for (Operation &op : *block) {
      auto wait = dyn_cast<ttl::WaitOp>(op);
      ttl::CopyOp copy = wait ? copyOf(wait) : nullptr;
      if (copy && copy.isRead() == reads) {
        if (current.waits.empty())
          current.before = inFlight.before(wait);
        current.waits.push_back(wait);
      } else if (!copy && !isMemoryEffectFree(&op)) {
        end();
      }
    }
    end();
  });
  return runs;
}

bool BarrierPlacement::leavesNothing(const Run &run, bool reads) {
  InFlight::Set waited;
  for (ttl::WaitOp wait : run.waits)
    waited.insert(copyOf(wait));
  return llvm::all_of(run.before, [&](ttl::CopyOp copy) {
    return copy.isRead() != reads || waited.contains(copy);
  });
}

unsigned BarrierPlacement::merge() {
  unsigned merged = 0;
  for (bool reads : {true, false})
    for (Run &run : findRuns(reads)) {
      if (!leavesNothing(run, reads))
        continue;
      OpBuilder builder(run.waits.front());
      SmallVector<Location> places;
      for (ttl::WaitOp wait : run.waits)
        places.push_back(wait.getLoc());
      ttl::DMABarrierOp::create(builder, FusedLoc::get(builder.getContext(), places),
                                reads ? ttl::TransferDirection::Reads
                                      : ttl::TransferDirection::Writes);
      merged += run.waits.size();
      for (ttl::WaitOp wait : run.waits)
        wait.erase();
    }
  return merged;
}

//===--------------------------------------------------------------------------===//
// The pass
//===--------------------------------------------------------------------------===//

struct InsertSynchronization
    : ttjit::impl::TTLInsertSynchronizationBase<InsertSynchronization> {
  using TTLInsertSynchronizationBase::TTLInsertSynchronizationBase;

  void runOnOperation() override {
    SmallVector<ttl::CopyOp> copies;
    getOperation().walk([&](ttl::CopyOp copy) {
      if (copy->use_empty() && isCopyOfBlock(copy) && !isCompletedByBarrier(copy))
        copies.push_back(copy);
    });
    for (ttl::CopyOp copy : copies)
      complete(copy);
    numCompleted += copies.size();
    getOperation().walk([&](ttl::DataMovementThreadOp thread) {
      numRedundant += BarrierPlacement(thread.getBody()).removeRedundant();
      if (merge)
        numMerged += BarrierPlacement(thread.getBody()).merge();
    });
  }
};

} // namespace
