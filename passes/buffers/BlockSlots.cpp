//===- BlockSlots.cpp - the buffer slot of each block -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BlockSlots.h"

#include "ir/TTL/TTLResetOps.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

int64_t ttjit::blocksOf(BlockQueue queue) {
  return cast<ttl::CircularBufferType>(queue.first.getType()).getBufferFactor();
}

namespace {

//===--------------------------------------------------------------------------===//
// State of one queue
//===--------------------------------------------------------------------------===//

// The ops that can have made one held block: its acquire, and ttl.held_block.
using Makers = SmallVector<Operation *, 2>;

struct QueueState {
  SmallVector<Makers> held; // held blocks, oldest first
  uint64_t slots = 1;       // bit i: the oldest block can be in slot i

  // Returns the position of the block among the held ones; their number if it is not
  // held.
  int64_t placeOf(Operation *maker) const {
    return llvm::find_if(held,
                         [&](const Makers &makers) { return llvm::is_contained(makers, maker); }) -
           held.begin();
  }

  // Called when `maker` runs again: the block that it made before is another one now.
  void forget(Operation *maker) {
    for (Makers &makers : held)
      llvm::erase(makers, maker);
  }

  void releaseAt(int64_t place, int64_t numBlocks);
  bool join(const QueueState &other);
};

// Removes the released block; the front then moves on by one slot.
void QueueState::releaseAt(int64_t place, int64_t numBlocks) {
  if (place < static_cast<int64_t>(held.size()))
    held.erase(held.begin() + place);
  int64_t last = numBlocks - 1;
  uint64_t wrapped = slots >> last & 1;
  slots = (slots & ~(uint64_t(1) << last)) << 1 | wrapped;
}

// Joins two paths. Verified threads hold the same number of blocks on all paths.
bool QueueState::join(const QueueState &other) {
  bool changed = (slots | other.slots) != slots || held.size() > other.held.size();
  slots |= other.slots;
  held.truncate(std::min(held.size(), other.held.size()));
  for (auto [makers, others] : llvm::zip(held, other.held))
    for (Operation *maker : others)
      if (!llvm::is_contained(makers, maker)) {
        makers.push_back(maker);
        changed = true;
      }
  return changed;
}

//===--------------------------------------------------------------------------===//
// Analysis
//===--------------------------------------------------------------------------===//

// The state of each queue; a queue that is absent has not been used.
using Queues = llvm::SmallDenseMap<BlockQueue, QueueState, 4>;

bool joinQueues(Queues &queues, const Queues &others) {
  bool changed = false;
  for (auto &[queue, other] : others)
    changed |= queues[queue].join(other);
  for (auto &[queue, state] : queues)
    if (!others.contains(queue))
      changed |= state.join(QueueState());
  return changed;
}

class SlotLattice : public dataflow::AbstractDenseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SlotLattice)
  using AbstractDenseLattice::AbstractDenseLattice;

  ChangeResult join(const AbstractDenseLattice &other) override {
    auto &from = static_cast<const SlotLattice &>(other);
    return from.queues ? join(*from.queues) : ChangeResult::NoChange;
  }

  ChangeResult join(const Queues &others) {
    bool changed = true;
    if (queues)
      changed = joinQueues(*queues, others);
    else
      queues = others;
    return changed ? ChangeResult::Change : ChangeResult::NoChange;
  }

  void print(raw_ostream &os) const override { os << (queues ? "reached" : "unreached"); }

  std::optional<Queues> queues; // nothing means that no path leads here
};

void acquire(Operation *op, Queues &queues) {
  if (isCountedAcquire(op))
    return;
  QueueState &queue = queues[queueOf(op)];
  queue.forget(op);
  if (auto other = dyn_cast<ttl::HeldBlockOp>(op)) {
    if (other.getOlder() < queue.held.size())
      queue.held[other.getOlder()].push_back(op);
    return;
  }
  queue.held.push_back({op});
}

void release(Operation *op, Queues &queues) {
  Operation *maker = acquireOf(op->getOperand(0));
  BlockQueue key = queueOf(maker);
  QueueState &queue = queues[key];
  queue.releaseAt(queue.placeOf(maker), blocksOf(key));
}

// Starts again at a reset: no block is held after it, and the next one is in slot 0.
void restart(ttl::CBResetOp reset, Queues &queues) {
  for (Value buffer : reset.getBuffers())
    for (unsigned reserved : {0, 1})
      queues[BlockQueue{buffer, reserved}] = QueueState();
}

class SlotAnalysis : public dataflow::DenseForwardDataFlowAnalysis<SlotLattice> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, const SlotLattice &before,
                               SlotLattice *after) override {
    if (!before.queues)
      return success();
    Queues queues = *before.queues;
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp, ttl::HeldBlockOp>(op))
      acquire(op, queues);
    else if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
      release(op, queues);
    else if (auto reset = dyn_cast<ttl::CBResetOp>(op))
      restart(reset, queues);
    propagateIfChanged(after, after->join(queues));
    return success();
  }

  void setToEntryState(SlotLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(Queues()));
  }
};

// Returns the block's position in the state before its use, if older blocks are held
// then.
std::optional<BlockSlots::Use> useOf(Value block, const Queues &queues) {
  if (block.getDefiningOp<ttl::BlockAtOp>())
    return std::nullopt;
  Operation *maker = acquireOf(block);
  BlockQueue key = queueOf(maker);
  QueueState queue = queues.lookup(key);
  int64_t place = queue.placeOf(maker);
  if (place == 0 || place == static_cast<int64_t>(queue.held.size()))
    return std::nullopt;
  return BlockSlots::Use{key, place, queue.slots};
}

} // namespace

BlockSlots::BlockSlots(func::FuncOp function) {
  PathSolver solver;
  solver.load<SlotAnalysis>();
  // initializeAndRun fails only if an analysis fails, and these analyses never do.
  [[maybe_unused]] LogicalResult solved = solver.initializeAndRun(function);
  assert(succeeded(solved));
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto *lattice = solver.lookupState<SlotLattice>(solver.getProgramPointBefore(op));
    if (!lattice || !lattice->queues || isa<ttl::HeldBlockOp, ttl::CBPopOp, ttl::CBPushOp>(op))
      return;
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && isCountedAcquire(op))
      return;
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op)) {
      held[op] = lattice->queues->lookup(queueOf(op)).held.size() + 1;
      return;
    }
    for (Value operand : op->getOperands())
      if (isa<ttl::BlockType>(operand.getType()))
        if (std::optional<Use> use = useOf(operand, *lattice->queues))
          behindOthers[{op, operand}] = *use;
  });
}
