//===- NameHeldBlocks.cpp - ttl-name-held-blocks ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread that works ahead acquires a block in one iteration and releases it
// in a later one, so its loop carries the block. But later passes need blocks that one
// op makes, which names the buffer.
//
// 1. Find the blocks that each data movement thread holds, oldest first, at the start
//    of loops and after loops and branches (ProtocolStates.h).
// 2. Insert a ttl.held_block there for each block that the loop or branch carries. It
//    names the block by its place among the held ones.
// 3. Remove blocks from the values that loops and branches carry.
//
// Needs threads that ttl-verify-protocol accepts: every path holds the same blocks
// in the same order. Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "passes/common/CarriedValues.h"
#include "passes/ttl/ProtocolStates.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLNAMEHELDBLOCKS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isBlock(Type type) { return isa<ttl::BlockType>(type); }

// A carried block and its place among those that the thread holds.
struct Carried {
  Value block;
  BlockQueue queue;
  uint32_t older; // number of held blocks of the queue that are older
};

// Returns the place of a block. If no path leads to `point`, as in the body of a loop that never
// runs, any place is right.
std::optional<Carried> placeOf(Value block, const ProtocolStates::Point *point) {
  if (point)
    for (auto &[queue, blocks] : point->any->held)
      for (auto [older, held] : llvm::enumerate(blocks))
        if (held.block == block)
          return Carried{block, queue, static_cast<uint32_t>(older)};
  Operation *acquire = originsOf(block).front();
  if (!isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(acquire))
    return std::nullopt;
  return Carried{block, queueOf(acquire), 0};
}

// Returns all arguments and results of loops and branches that are blocks.
SmallVector<Carried> findCarried(Operation *thread, ProtocolStates &states) {
  SmallVector<Carried> carried;
  auto add = [&](ValueRange values, const ProtocolStates::Point *point) {
    for (Value value : values)
      if (isBlock(value.getType()))
        if (std::optional<Carried> place = placeOf(value, point))
          carried.push_back(*place);
  };
  thread->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return;
    for (Region &region : op->getRegions())
      if (!region.empty())
        add(region.getArguments(), states.atStart(region.front()));
    add(op->getResults(), states.after(op));
  });
  return carried;
}

void name(const Carried &carried) {
  OpBuilder builder(carried.block.getContext());
  builder.setInsertionPointAfterValue(carried.block);
  bool reserved = carried.queue.second;
  Value named = ttl::HeldBlockOp::create(builder, carried.block.getLoc(), carried.block.getType(),
                                         carried.queue.first, carried.older, reserved);
  Value block = carried.block;
  block.replaceAllUsesWith(named);
}

struct NameHeldBlocks : ttjit::impl::TTLNameHeldBlocksBase<NameHeldBlocks> {
  void runOnOperation() override {
    getOperation().walk([&](ttl::DataMovementThreadOp thread) {
      if (failed(run(thread)))
        signalPassFailure();
    });
  }

  LogicalResult run(ttl::DataMovementThreadOp thread) {
    WalkResult carries = thread.walk([](Operation *op) {
      bool found = isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) &&
                   llvm::any_of(op->getResultTypes(), isBlock);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!carries.wasInterrupted())
      return success();
    ProtocolStates states(thread);
    // Visit the last first: each op is inserted before those of the same point.
    SmallVector<Carried> all = findCarried(thread, states);
    for (const Carried &carried : llvm::reverse(all))
      name(carried);
    numNamed += all.size();
    return dropCarried(thread, isBlock);
  }
};

} // namespace
