//===- DeferredReleases.cpp - releases out of order ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a buffer is a ring, so its slots are freed in the order of their blocks. A program
// may release a younger block before an older one that was acquired in the same list of
// statements.
//
// 1. Find, for each acquire of a list of statements, the op of the list that contains its
//    last release.
// 2. If an older block of the same queue is released later, move the release of the younger
//    one behind that release. The slot of the younger block stays in use until then.
//
// Leaves releases inside other loops and branches than the acquire, and releases of blocks
// that are used afterwards: ttl-verify-protocol reports them.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/DeferredReleases.h"

#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// An acquired block, and the op in the list of statements after which it is released.
struct Released {
  Operation *acquire;
  Operation *end;
};

Operation *lastRelease(Operation *acquire) {
  Operation *last = nullptr;
  for (Operation *user : acquire->getResult(0).getUsers()) {
    if (!isa<ttl::CBPopOp, ttl::CBPushOp>(user))
      continue;
    Operation *place = acquire->getBlock()->findAncestorOpInBlock(*user);
    if (place && (!last || last->isBeforeInBlock(place)))
      last = place;
  }
  return last;
}

bool isUsedAfter(Operation *acquire, Operation *release) {
  return llvm::any_of(acquire->getResult(0).getUsers(), [&](Operation *user) {
    Operation *place = acquire->getBlock()->findAncestorOpInBlock(*user);
    return !place || release->isBeforeInBlock(place);
  });
}

void defer(Block &block) {
  llvm::MapVector<BlockQueue, Released> latest;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    bool isAcquire = isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && !isCountedAcquire(&op);
    Operation *end = isAcquire ? lastRelease(&op) : nullptr;
    if (!end)
      continue;
    Released &older = latest[queueOf(&op)];
    bool mayMove = isa<ttl::CBPopOp, ttl::CBPushOp>(end) && !isUsedAfter(&op, end);
    if (older.end && end->isBeforeInBlock(older.end) && mayMove) {
      end->moveAfter(older.end);
      end->setAttr(ttl::kDeferredAttr,
                   StringAttr::get(op.getContext(), describeBlock(older.acquire)));
    }
    if (!older.end || older.end->isBeforeInBlock(end))
      older = {&op, end};
  }
}

} // namespace

void ttjit::deferReleases(Operation *thread) {
  SmallVector<Block *> blocks;
  thread->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    defer(*block);
}
