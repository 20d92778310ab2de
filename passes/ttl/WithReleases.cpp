//===- WithReleases.cpp - releases at the end of with statements --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the end of a with statement releases its block, but the program may release the
// block inside the statement before, on all paths or on some. So may a reset, which drops it.
//
// 1. Follow the statements between the acquire and the end of the with statement.
// 2. Where one branch of a condition releases the block and the other does not, release
//    it at the end of the other one.
// 3. Remove the release at the end if every path released the block before.
//
// Releases inside loops and callbacks are left: ttl-verify-protocol reports them.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/WithReleases.h"

#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTLResetOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The with statement of one block.
class WithStatement {
public:
  explicit WithStatement(Operation *release) : release(release), block(release->getOperand(0)) {}

  void complete();

private:
  bool isReleasedIn(Block::iterator begin, Block::iterator end);
  bool isReleasedIn(scf::IfOp branch);
  void releaseAtEnd(scf::IfOp branch, Region &region);

  Operation *release;
  Value block;
};

void WithStatement::releaseAtEnd(scf::IfOp branch, Region &region) {
  OpBuilder builder(branch);
  if (region.empty()) {
    builder.createBlock(&region);
    scf::YieldOp::create(builder, branch.getLoc());
  }
  builder.setInsertionPoint(region.front().getTerminator());
  builder.clone(*release)->removeAttr(ttl::kEndsWithAttr);
}

bool WithStatement::isReleasedIn(scf::IfOp branch) {
  SmallVector<Region *> without;
  for (Region &region : branch->getRegions())
    if (region.empty() || !isReleasedIn(region.front().begin(), region.front().end()))
      without.push_back(&region);
  if (without.size() == 1)
    releaseAtEnd(branch, *without.front());
  return without.size() < 2;
}

// Returns whether every path through the ops releases the block, after releases were added.
bool WithStatement::isReleasedIn(Block::iterator begin, Block::iterator end) {
  for (Operation &op : llvm::make_range(begin, end)) {
    bool isRelease = isa<ttl::CBPopOp, ttl::CBPushOp>(op) && op.getOperand(0) == block;
    auto branch = dyn_cast<scf::IfOp>(op);
    auto reset = dyn_cast<ttl::CBResetOp>(op);
    bool drops =
        reset && llvm::is_contained(reset.getBuffers(), block.getDefiningOp()->getOperand(0));
    if (isRelease || drops || (branch && isReleasedIn(branch)))
      return true;
  }
  return false;
}

void WithStatement::complete() {
  Operation *acquire = block.getDefiningOp();
  bool isFollowed = isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(acquire) &&
                    acquire->getBlock() == release->getBlock() && acquire->isBeforeInBlock(release);
  if (isFollowed && isReleasedIn(std::next(acquire->getIterator()), release->getIterator()))
    release->erase();
  else
    release->removeAttr(ttl::kEndsWithAttr);
}

} // namespace

void ttjit::completeWithReleases(Operation *thread) {
  SmallVector<Operation *> releases;
  thread->walk([&](Operation *op) {
    if (op->hasAttr(ttl::kEndsWithAttr))
      releases.push_back(op);
  });
  for (Operation *release : releases)
    WithStatement(release).complete();
}
