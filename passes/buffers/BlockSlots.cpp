//===- BlockSlots.cpp - which slot of its buffer a block is ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BlockSlots.h"

#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

BlockQueue ttjit::queueOf(Operation *acquire) {
  return {acquire->getOperand(0), isReserved(acquire)};
}

int64_t ttjit::blocksOf(BlockQueue queue) {
  return cast<ttl::CircularBufferType>(queue.first.getType()).getBufferFactor();
}

void BlockSlots::acquire(Operation &op) {
  QueueState &queue = state[queueOf(&op)];
  if (auto other = dyn_cast<ttl::HeldBlockOp>(op)) {
    numbers[&op] = queue.blocks[other.getOlder()];
    return;
  }
  numbers[&op] = nextBlock;
  queue.blocks.push_back(nextBlock++);
  held[&op] = queue.blocks.size();
}

// The front moves on by one slot.
void BlockSlots::release(Operation &op) {
  Operation *acquire = acquireOf(op.getOperand(0));
  BlockQueue key = queueOf(acquire);
  QueueState &queue = state[key];
  llvm::erase(queue.blocks, numbers.lookup(acquire));
  int64_t last = blocksOf(key) - 1;
  uint64_t wrapped = queue.slots >> last & 1;
  queue.slots = (queue.slots & ~(uint64_t(1) << last)) << 1 | wrapped;
}

void BlockSlots::use(Operation &user, Value block) {
  Operation *acquire = acquireOf(block);
  BlockQueue key = queueOf(acquire);
  QueueState &queue = state[key];
  int64_t older = llvm::find(queue.blocks, numbers.lookup(acquire)) - queue.blocks.begin();
  if (older == 0)
    return;
  Use &known = behindOthers[{&user, block}];
  known.queue = key;
  known.older = older;
  known.slots |= queue.slots;
}

bool BlockSlots::joinSlots(const State &other) {
  bool changed = false;
  for (auto &[queue, from] : other) {
    uint64_t &slots = state[queue].slots;
    changed |= (slots | from.slots) != slots;
    slots |= from.slots;
  }
  return changed;
}

void BlockSlots::visit(Block &block) {
  for (Operation &op : block)
    visit(op);
}

// Until no further slot is possible where an iteration begins.
void BlockSlots::visitLoop(Operation &op) {
  if (auto it = entries.find(&op); it != entries.end())
    joinSlots(it->second);
  State entry, afterCondition;
  do {
    entry = state;
    for (Region &region : op.getRegions()) {
      for (Block &block : region)
        visit(block);
      if (region.getRegionNumber() == 0)
        afterCondition = state;
    }
    std::swap(state, entry);
  } while (joinSlots(entry));
  entries[&op] = state;
  if (isa<scf::WhileOp>(op))
    state = afterCondition;
}

void BlockSlots::visit(Operation &op) {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(op))
    return acquire(op);
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
    return release(op);
  for (Value operand : op.getOperands())
    if (isa<ttl::BlockType>(operand.getType()))
      use(op, operand);
  auto conditional = dyn_cast<scf::IfOp>(op);
  if (!conditional)
    return op.getNumRegions() ? visitLoop(op) : void();
  State before = state;
  visit(*conditional.thenBlock());
  State afterThen = std::exchange(state, std::move(before));
  if (conditional.elseBlock())
    visit(*conditional.elseBlock());
  joinSlots(afterThen);
}

void BlockSlots::run(func::FuncOp function) {
  for (Block &block : function.getBody())
    visit(block);
}
