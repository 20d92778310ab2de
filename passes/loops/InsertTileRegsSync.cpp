//===- InsertTileRegsSync.cpp - ttl-insert-tile-regs-sync ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: math and packer share the DST registers in sections. Math acquires a section
// and commits it; the packer waits for it, packs and releases it.
//
// 1. In each block find the groups of tile operations: ops that compute (with the loops
//    of products and reductions), followed by packs. A loop marked `ttl.in_section`
//    only accumulates and belongs to the group around it.
// 2. Insert tile_regs_acquire before the first op of a group, commit and wait before
//    its first pack, and release after its last op.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/loops/Passes.h"

#include "passes/common/Threads.h"
#include "passes/dst/TileFacts.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLINSERTTILEREGSSYNC
#include "passes/loops/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool definesTile(Operation &op) {
  return op.getNumResults() == 1 && isa<ttcore::TileType>(op.getResult(0).getType());
}

// Returns whether the op is part of the math of a group. A loop over k only adds to registers; a
// loop over tiles contains whole groups.
bool isMath(Operation &op) {
  if (definesTile(op) || op.hasTrait<ttl::UpdatesTile>() || op.hasAttr(kInSectionAttr))
    return true;
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && llvm::any_of(*loop.getBody(), isMath) &&
         llvm::none_of(*loop.getBody(), definesTile);
}

class GroupFinder {
public:
  // `sections` counts the sections that are made.
  explicit GroupFinder(unsigned &sections) : sections(sections) {}

  void run(Block &block) {
    for (Operation &op : block) {
      if (isMath(op)) {
        math(&op);
        continue;
      }
      if (isa<ttl::PackTileOp, ttl::PackTileBlockOp>(op))
        packed(&op);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          GroupFinder(sections).run(inner);
    }
    close();
  }

private:
  void math(Operation *op) {
    op->removeAttr(kInSectionAttr);
    if (lastPack)
      close();
    if (!first)
      first = op;
  }

  void packed(Operation *op) {
    if (!lastPack)
      firstPack = op;
    lastPack = op;
  }

  void close() {
    if (!lastPack)
      return;
    OpBuilder builder(first ? first : firstPack);
    ttkernel::TileRegsAcquireOp::create(builder, firstPack->getLoc());
    builder.setInsertionPoint(firstPack);
    ttkernel::TileRegsCommitOp::create(builder, firstPack->getLoc());
    ttkernel::TileRegsWaitOp::create(builder, firstPack->getLoc());
    builder.setInsertionPointAfter(lastPack);
    ttkernel::TileRegsReleaseOp::create(builder, lastPack->getLoc());
    first = firstPack = lastPack = nullptr;
    ++sections;
  }

  unsigned &sections;
  Operation *first = nullptr, *firstPack = nullptr, *lastPack = nullptr;
};

struct InsertTileRegsSync : ttjit::impl::TTLInsertTileRegsSyncBase<InsertTileRegsSync> {
  void runOnOperation() override {
    std::optional<ThreadBinding> binding = bindingOf(getOperation());
    if (!binding || !binding->isCompute())
      return;
    unsigned sections = 0;
    for (Block &block : getOperation().getBody())
      GroupFinder(sections).run(block);
    numSections += sections;
  }
};

} // namespace
