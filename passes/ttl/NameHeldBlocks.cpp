//===- NameHeldBlocks.cpp - ttl-name-held-blocks --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread that works ahead acquires a block in one iteration and releases
// it in a later one, so its loop hands the block on; but what follows wants every
// block to be made by one op that names its buffer.
//
// 1. Follow each data movement thread with the blocks it holds, oldest first.
// 2. Where a loop or branch hands on a block, ttl.held_block names it by its place
//    among them: at the start of the loop's body, and behind loop and branch.
// 3. Nothing carries blocks any more.
//
// Needs threads that ttl-verify-protocol accepts: every path holds the same blocks
// in the same order. Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "passes/ttl/BlockStates.h"
#include "passes/common/CarriedValues.h"
#include "passes/common/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLNAMEHELDBLOCKS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isBlock(Type type) { return isa<ttl::BlockType>(type); }

class HeldBlockNames {
public:
  void visit(Block &block);
  unsigned getNumNamed() const { return numNamed; }

private:
  using Queue = BlockStates::Queue;
  using Held = llvm::MapVector<Queue, SmallVector<Value>>;

  void visitLoop(scf::ForOp loop);
  void visitBranch(scf::IfOp branch);
  void rename(Value from, Value to);
  void nameAgain(OpBuilder &builder, ValueRange values);

  Held held;
  unsigned numNamed = 0;
};

void HeldBlockNames::rename(Value from, Value to) {
  for (auto &[queue, values] : held)
    llvm::replace(values, from, to);
}

// Gives each block of `values` an op that makes it.
void HeldBlockNames::nameAgain(OpBuilder &builder, ValueRange values) {
  for (Value value : values)
    for (auto &[queue, blocks] : held) {
      auto *place = llvm::find(blocks, value);
      if (place == blocks.end())
        continue;
      bool reserved = !queue.second;
      Value named = ttl::HeldBlockOp::create(builder, value.getLoc(), value.getType(), queue.first,
                                             static_cast<uint32_t>(place - blocks.begin()),
                                             reserved);
      value.replaceAllUsesWith(named);
      ++numNamed;
      *place = named;
    }
}

void HeldBlockNames::visitLoop(scf::ForOp loop) {
  for (auto [init, argument] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs()))
    rename(init, argument);
  Held entry = held;
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  SmallVector<Value> arguments(loop.getRegionIterArgs());
  nameAgain(builder, arguments);
  visit(*loop.getBody());
  held = std::move(entry);
  for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
    rename(argument, result);
  builder.setInsertionPointAfter(loop);
  nameAgain(builder, loop.getResults());
}

void HeldBlockNames::visitBranch(scf::IfOp branch) {
  Held before = held;
  visit(branch.getThenRegion().front());
  Held afterThen = std::exchange(held, std::move(before));
  if (!branch.getElseRegion().empty())
    visit(branch.getElseRegion().front());
  held = std::move(afterThen);
  if (branch.getNumResults() == 0)
    return;
  for (auto [value, result] : llvm::zip(branch.thenYield().getResults(), branch.getResults()))
    rename(value, result);
  OpBuilder builder(branch.getContext());
  builder.setInsertionPointAfter(branch);
  nameAgain(builder, branch.getResults());
}

void HeldBlockNames::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
      held[BlockStates::queueOf(&op)].push_back(op.getResult(0));
    else if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
      for (auto &[queue, values] : held)
        llvm::erase(values, op.getOperand(0));
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      visitLoop(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      visitBranch(branch);
    else
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
  }
}

struct NameHeldBlocks : ttjit::impl::TTLNameHeldBlocksBase<NameHeldBlocks> {
  void runOnOperation() override {
    getOperation().walk([&](ttl::DataMovementThreadOp thread) {
      bool carries = thread
                         .walk([](Operation *op) {
                           return llvm::any_of(op->getResultTypes(), isBlock) &&
                                          isa<scf::ForOp, scf::IfOp>(op)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
      if (!carries)
        return;
      HeldBlockNames names;
      names.visit(thread.getBody().front());
      numNamed += names.getNumNamed();
      dropCarried(thread, isBlock);
    });
  }
};

} // namespace
