//===- InsertReleases.cpp - ttl-insert-releases -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block that the user releases on no path is released by the compiler
// after its last use.
//
// 1. For each acquire without any release find the last op of the acquire's own IR
//    block that uses the acquired block, an expression formed from it or a handle of a
//    copy of it, or that contains such a use.
// 2. Insert a release after that op, but not before the release of an older block of
//    the same buffer, and before the end of the iteration or branch.
// 3. Warn, with the line, unless the thread was split from a unified body.
//
// Before that, wait for copies whose handles a branch replaces (ReplacedCopies.cpp), and
// let every path release the blocks of with statements once (WithReleases.cpp).
//
// After that, move releases of younger blocks behind those of older ones
// (DeferredReleases.cpp).
//
// Leaves blocks alone that the thread counts itself (Threads.h), and reserved blocks without a use
// that a reset drops.
//
// Rejects nothing; ttl-verify-protocol reports blocks that are released on some paths
// only.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"
#include "passes/ttl/DeferredReleases.h"
#include "passes/ttl/ExternalEffects.h"
#include "passes/ttl/ReplacedCopies.h"
#include "passes/ttl/WithReleases.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTRELEASES
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isRelease(Operation *op) { return isa<ttl::CBPopOp, ttl::CBPushOp>(op); }

// Calls `follow` for the values that `use` makes of a block, an expression or a handle.
void followUse(OpOperand &use, llvm::function_ref<void(Value)> follow) {
  Operation *user = use.getOwner();
  if (ttl::isBlockExpression(user) || isa<ttl::CopyOp>(user))
    return follow(user->getResult(0));
  for (Value value : forwardedTo(use))
    follow(value);
}

// Everything formed from a block: its other names, expressions and handles.
struct Uses {
  Operation *last;    // last op in the acquire's own IR block
  Operation *release; // release in that block, or the op that contains one; null if there is none
};

// Returns whether the C++ function of the call may use blocks of the queue without stating how.
bool mayUseBlocks(ttcpp::CallOp call, BlockQueue queue) {
  return !llvm::is_contained(statedQueues(call), queue) &&
         (call.getUnknownAccess() || llvm::is_contained(call.getDependencies(), queue.first));
}

// Returns the last op in the acquire's IR block, before the next acquire of this side, that calls
// C++ which may use the block without stating how; null if there is none.
Operation *lastExternalUse(Operation *acquire) {
  BlockQueue queue = queueOf(acquire);
  Operation *last = nullptr;
  for (Operation *op = acquire->getNextNode(); op; op = op->getNextNode()) {
    bool isNext = isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && queueOf(op) == queue;
    if (isNext)
      break;
    op->walk([&](ttcpp::CallOp call) {
      if (mayUseBlocks(call, queue))
        last = op;
    });
  }
  return last;
}

Uses usesOf(Operation *acquire) {
  Uses uses{acquire, nullptr};
  SmallVector<Value> values = {acquire->getResult(0)};
  DenseSet<Value> seen;
  auto later = [&](Operation *&known, Operation *op) {
    if (op && (!known || known->isBeforeInBlock(op)))
      known = op;
  };
  later(uses.last, lastExternalUse(acquire));
  while (!values.empty()) {
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *ancestor = acquire->getBlock()->findAncestorOpInBlock(*use.getOwner());
      later(uses.last, ancestor);
      if (isRelease(use.getOwner()))
        later(uses.release, ancestor ? ancestor : acquire->getBlock()->getTerminator());
      followUse(use, [&](Value value) {
        if (seen.insert(value).second)
          values.push_back(value);
      });
    }
  }
  return uses;
}

class ReleaseInserter {
public:
  // `inserted` counts the releases that are inserted.
  explicit ReleaseInserter(unsigned &inserted) : inserted(inserted) {}

  void run(Block &block) {
    SmallVector<Operation *> acquires;
    for (Operation &op : block) {
      if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && !isCountedAcquire(&op))
        acquires.push_back(&op);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          ReleaseInserter(inserted).run(inner);
    }
    for (Operation *acquire : acquires)
      release(acquire);
  }

private:
  // The last release so far, by buffer and kind of acquire.
  DenseMap<std::pair<Value, unsigned>, Operation *> latest;

  void release(Operation *acquire);
  void warn(Operation *acquire, Operation *last);

  unsigned &inserted;
};

// Returns whether a thread was a unified body: these release no blocks, so it gets no warning.
static bool isFromUnified(Operation *op) {
  while (!ttl::isThread(op))
    op = op->getParentOp();
  return op->hasAttr(ttl::kFromUnifiedAttr);
}

void ReleaseInserter::warn(Operation *acquire, Operation *last) {
  if (isFromUnified(acquire))
    return;
  emitWarning(WarningKind::Release, acquire)
      << describeBlock(acquire) << " is never released; the compiler releases "
      << "it after its last use in " << describeLine(last->getLoc()) << ": write "
      << releaseText(acquire) << " there, or acquire it in a 'with'";
}

static bool resets(ttl::CBResetOp reset, Operation *acquire) {
  return llvm::is_contained(reset.getBuffers(), acquire->getOperand(0));
}

// Returns whether a reset after the acquire, in the same list of statements, drops its block.
static bool isReset(Operation *acquire) {
  for (Operation *op = acquire->getNextNode(); op; op = op->getNextNode())
    if (auto reset = dyn_cast<ttl::CBResetOp>(op); reset && resets(reset, acquire))
      return true;
  return false;
}

// Returns whether a reset may drop the block before its last use. ttl-verify-protocol reports that
// use.
static bool isResetBeforeLastUse(Operation *acquire, Operation *last) {
  bool found = false;
  for (Operation *op = acquire; op && !found; op = op == last ? nullptr : op->getNextNode())
    op->walk([&](ttl::CBResetOp reset) { found |= resets(reset, acquire); });
  return found;
}

void ReleaseInserter::release(Operation *acquire) {
  bool isWait = isa<ttl::CBWaitOp>(acquire);
  Operation *&older = latest[{acquire->getOperand(0), isWait}];
  Value acquired = acquire->getResult(0);
  Uses uses = usesOf(acquire);
  if (uses.release) {
    if (!older || older->isBeforeInBlock(uses.release))
      older = uses.release;
    return;
  }
  Operation *last = uses.last;
  if (last == acquire && !isWait && isReset(acquire))
    return;
  if (!isResetBeforeLastUse(acquire, last))
    warn(acquire, last);
  if (older && last->isBeforeInBlock(older))
    last = older;
  OpBuilder builder(acquire->getContext());
  if (last->hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPoint(last);
  else
    builder.setInsertionPointAfter(last);
  Location loc = fuse(last->getLoc(), acquire->getLoc());
  older = isWait ? ttl::CBPopOp::create(builder, loc, acquired).getOperation()
                 : ttl::CBPushOp::create(builder, loc, acquired).getOperation();
  ++inserted;
}

struct InsertReleases : ttjit::impl::TTLInsertReleasesBase<InsertReleases> {
  void runOnOperation() override {
    unsigned inserted = 0;
    for (auto kernel : getOperation().getOps<ttl::KernelOp>())
      for (Operation &thread : kernel.getBody().front()) {
        completeReplacedCopies(&thread);
        completeWithReleases(&thread);
        for (Region &region : thread.getRegions())
          for (Block &block : region)
            ReleaseInserter(inserted).run(block);
        deferReleases(&thread);
      }
    numReleases += inserted;
  }
};

} // namespace
