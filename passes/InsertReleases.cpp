//===- InsertReleases.cpp - ttl-insert-releases ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a block that the user releases on no path is released by the compiler
// after its last use.
//
// 1. For each acquire without any release find the last op of the acquire's own
//    block that uses the acquired block, an expression formed from it or a handle
//    of a copy of it, or that contains such a use.
// 2. Release after it, but not before an older block of the same buffer, and
//    before the end of the iteration or branch.
// 3. Warn, naming the line.
//
// Rejects nothing; blocks released on some paths only are ttl-verify-protocol's.
//===--------------------------------------------------------------------------===//

#include "passes/Support/Describe.h"
#include "passes/Support/Expressions.h"
#include "passes/Support/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTRELEASES
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isRelease(Operation *op) { return isa<ttl::CBPopOp, ttl::CBPushOp>(op); }

// Follows expressions and handles formed from the block.
Operation *lastUseOf(Operation *acquire) {
  Operation *last = acquire;
  SmallVector<Value> values = {acquire->getResult(0)};
  DenseSet<Value> seen;
  while (!values.empty()) {
    for (Operation *user : values.pop_back_val().getUsers()) {
      Operation *ancestor = acquire->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && last->isBeforeInBlock(ancestor))
        last = ancestor;
      if ((isExpression(user) || isa<ttl::CopyOp>(user)) &&
          seen.insert(user->getResult(0)).second)
        values.push_back(user->getResult(0));
    }
  }
  return last;
}

class ReleaseInserter {
public:
  void run(Block &block) {
    SmallVector<Operation *> acquires;
    for (Operation &op : block) {
      if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
        acquires.push_back(&op);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          ReleaseInserter().run(inner);
    }
    for (Operation *acquire : acquires)
      release(acquire);
  }

private:
  /// The last release so far, by buffer and kind of acquire.
  DenseMap<std::pair<Value, unsigned>, Operation *> latest;

  void release(Operation *acquire);
  void warn(Operation *acquire, Operation *last);
};

void ReleaseInserter::warn(Operation *acquire, Operation *last) {
  acquire->emitWarning() << describeBlock(acquire) << " is never released; the compiler releases "
                         << "it after its last use in " << describeLine(last->getLoc())
                         << ": write " << releaseText(acquire) << " there, or acquire it in a 'with'";
}

void ReleaseInserter::release(Operation *acquire) {
  bool isWait = isa<ttl::CBWaitOp>(acquire);
  Operation *&older = latest[{acquire->getOperand(0), isWait}];
  Value acquired = acquire->getResult(0);
  Operation *last = acquire;
  for (Operation *user : acquired.getUsers())
    if (isRelease(user)) {
      Operation *ancestor = acquire->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && (!older || older->isBeforeInBlock(ancestor)))
        older = ancestor;
      return;
    }
  last = lastUseOf(acquire);
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
}

struct InsertReleases : ttjit::impl::TTLInsertReleasesBase<InsertReleases> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>())
      for (Operation &thread : kernel.getBody().front())
        for (Region &region : thread.getRegions())
          for (Block &block : region)
            ReleaseInserter().run(block);
  }
};

} // namespace
