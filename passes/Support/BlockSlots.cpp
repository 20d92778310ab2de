//===- BlockSlots.cpp - which slot of its buffer a block is ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Support/BlockSlots.h"

#include "passes/Support/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static std::pair<Value, unsigned> queueOf(Operation *acquire) {
  return {acquire->getOperand(0), isa<ttl::CBWaitOp>(acquire)};
}

static int64_t blocksOf(Value buffer) {
  return cast<ttl::CircularBufferType>(buffer.getType()).getBufferFactor();
}

void BlockSlots::acquire(Operation &op) {
  QueueState &queue = state[queueOf(&op)];
  queue.blocks.push_back(&op);
  held[&op] = queue.blocks.size();
}

// The front moves on by one slot.
void BlockSlots::release(Operation &op) {
  Operation *acquire = acquireOf(op.getOperand(0));
  QueueState &queue = state[queueOf(acquire)];
  llvm::erase(queue.blocks, acquire);
  int64_t blocks = blocksOf(acquire->getOperand(0));
  uint32_t last = queue.slots >> (blocks - 1) & 1;
  queue.slots = (queue.slots & ~(1u << (blocks - 1))) << 1 | last;
}

LogicalResult BlockSlots::use(Operation &user, Value block) {
  Operation *acquire = acquireOf(block);
  QueueState &queue = state[queueOf(acquire)];
  int64_t older = llvm::find(queue.blocks, acquire) - queue.blocks.begin();
  int64_t blocks = blocksOf(acquire->getOperand(0));
  if (older == 0)
    return success();
  // Slots from which `older` steps stay below `blocks`.
  uint32_t allowed = (1u << (blocks - older)) - 1;
  if (queue.slots & ~allowed) {
    InFlightDiagnostic diagnostic =
        user.emitError() << "uses a block of which " << older
                         << " older ones are held, and which can stand at the start of its buffer "
                            "while these stand at its end: make block_count ("
                         << blocks << ") a multiple of the blocks held together";
    diagnostic.attachNote(acquire->getLoc()) << "acquired here";
    return diagnostic;
  }
  auto type = cast<ttl::CircularBufferType>(acquire->getOperand(0).getType());
  offsets[{&user, block}] = older * type.getPagesPerBlock();
  return success();
}

bool BlockSlots::joinSlots(const State &other) {
  bool changed = false;
  for (auto &[queue, from] : other) {
    uint32_t &slots = state[queue].slots;
    changed |= (slots | from.slots) != slots;
    slots |= from.slots;
  }
  return changed;
}

LogicalResult BlockSlots::visit(Block &block) {
  for (Operation &op : block)
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult BlockSlots::visit(Operation &op) {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op)) {
    acquire(op);
    return success();
  }
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op)) {
    release(op);
    return success();
  }
  for (Value operand : op.getOperands())
    if (isa<ttl::BlockType>(operand.getType()) && failed(use(op, operand)))
      return failure();
  if (op.getNumRegions() == 0)
    return success();

  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    State before = state;
    if (failed(visit(*conditional.thenBlock())))
      return failure();
    State afterThen = std::exchange(state, std::move(before));
    if (conditional.elseBlock() && failed(visit(*conditional.elseBlock())))
      return failure();
    joinSlots(afterThen);
    return success();
  }
  // A loop: until no further slot is possible where an iteration begins.
  if (auto it = entries.find(&op); it != entries.end())
    joinSlots(it->second);
  State entry;
  do {
    entry = state;
    for (Region &region : op.getRegions())
      for (Block &block : region)
        if (failed(visit(block)))
          return failure();
    std::swap(state, entry);
  } while (joinSlots(entry));
  entries[&op] = state;
  return success();
}

LogicalResult BlockSlots::run(func::FuncOp function) {
  for (Block &block : function.getBody())
    if (failed(visit(block)))
      return failure();
  return success();
}
