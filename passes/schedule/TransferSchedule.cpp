//===- TransferSchedule.cpp - issue early, wait late --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TransferSchedule.h"

#include "passes/common/Threads.h"
#include "passes/schedule/BufferSteps.h"
#include "passes/schedule/KernelL1.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Finding the ops that must stay in order
//===--------------------------------------------------------------------------===//

TransferSchedule::TransferSchedule(const KernelView &kernel, Block &block, bool moveReserves)
    : kernel(kernel), block(block), moveReserves(moveReserves) {
  for (Operation &op : block)
    nodes.push_back(classify(op));
  addUses();
  addOrder();
  placed.resize(nodes.size());
  schedule();
}

TransferSchedule::Node TransferSchedule::classify(Operation &op) const {
  if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
    return {&op, Kind::Acquire, op.getResult(0), {}, false, {}};
  if (isa<ttl::CBPopOp, ttl::CBPushOp>(op))
    return {&op, Kind::Release, op.getOperand(0), {}, false, {}};
  auto copy = dyn_cast<ttl::CopyOp>(op);
  auto wait = dyn_cast<ttl::WaitOp>(op);
  if (wait)
    copy = wait.getXf().getDefiningOp<ttl::CopyOp>();
  if (copy)
    if (Value tensor = kernel.tensorOf(copy)) {
      Value local = copy.isRead() ? copy.getDst() : copy.getSrc();
      return {&op, wait ? Kind::Wait : Kind::Copy, local, tensor, !copy.isRead(), {}};
    }
  Kind kind = Kind::Fence;
  if (!op.hasTrait<OpTrait::IsTerminator>() && onlyMayFault(&op))
    kind = isMemoryEffectFree(&op) ? Kind::Free : Kind::Check;
  return {&op, kind, {}, {}, false, {}};
}

bool TransferSchedule::mustStay(const Node &first, const Node &second) const {
  if (first.kind == Kind::Fence || second.kind == Kind::Fence)
    return true;
  if (first.kind == Kind::Free || second.kind == Kind::Free)
    return false;
  // Several copies may read a block at the same time.
  if (first.block && first.block == second.block && !(first.writes && second.writes))
    return true;
  auto isSync = [](const Node &node) {
    return node.kind == Kind::Acquire || node.kind == Kind::Release;
  };
  if (isSync(first) && isSync(second))
    return !(moveReserves && first.kind == Kind::Release && isa<ttl::CBReserveOp>(second.op));
  if (isSync(first) || isSync(second)) {
    Value tensor = first.tensor ? first.tensor : second.tensor;
    return tensor && kernel.isShared(tensor);
  }
  if (first.kind == Kind::Check)
    return second.kind != Kind::Wait;
  return second.kind == Kind::Copy && first.tensor == second.tensor &&
         (first.writes || second.writes);
}

void TransferSchedule::addOrder() {
  for (unsigned j = 0; j < nodes.size(); ++j)
    for (unsigned i = 0; i < j; ++i)
      if (mustStay(nodes[i], nodes[j]))
        nodes[j].before.push_back(i);
}

void TransferSchedule::addUses() {
  DenseMap<Operation *, unsigned> numbers;
  for (auto [i, node] : llvm::enumerate(nodes))
    numbers[node.op] = i;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (Operation *user : node.op->getUsers())
      if (Operation *ancestor = block.findAncestorOpInBlock(*user))
        nodes[numbers.lookup(ancestor)].before.push_back(i);
}

//===--------------------------------------------------------------------------===//
// The new order
//===--------------------------------------------------------------------------===//

bool TransferSchedule::isReady(unsigned node) const {
  return !placed[node] &&
         llvm::all_of(nodes[node].before, [&](unsigned other) { return placed[other]; });
}

// Picks copies and the ops that they need first, then releases, because these let other
// threads continue.
std::optional<unsigned> TransferSchedule::pick() const {
  // One id is kept for transfers that have no id of their own.
  bool full = inFlight >= kernel.getArch().numTransferIds - 1;
  auto rank = [&](Kind kind) {
    switch (kind) {
    case Kind::Free:
    case Kind::Check:
      return 0;
    case Kind::Copy:
      return full ? 4 : 1;
    case Kind::Acquire:
      return full ? 3 : 2;
    case Kind::Release:
    case Kind::Fence:
      return 3;
    case Kind::Wait:
      return 4;
    }
    llvm_unreachable("every kind has a rank");
  };
  std::optional<unsigned> best;
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (isReady(i) && rank(nodes[i].kind) < (best ? rank(nodes[*best].kind) : 4))
      best = i;
  return best;
}

// Picks the first wait that the earliest unplaced op needs; any wait if no op needs
// one.
std::optional<unsigned> TransferSchedule::pickWait() const {
  std::optional<unsigned> any;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    if (placed[i])
      continue;
    if (nodes[i].kind == Kind::Wait) {
      if (!any && isReady(i))
        any = i;
      continue;
    }
    for (unsigned other : nodes[i].before)
      if (nodes[other].kind == Kind::Wait && isReady(other))
        return other;
  }
  return any;
}

void TransferSchedule::place(unsigned node) {
  placed[node] = true;
  order.push_back(node);
  if (nodes[node].kind == Kind::Copy)
    ++inFlight;
  if (nodes[node].kind == Kind::Wait && inFlight > 0)
    --inFlight;
}

void TransferSchedule::schedule() {
  while (order.size() < nodes.size()) {
    std::optional<unsigned> next = pick();
    if (!next)
      next = pickWait();
    // There are more copies than ids, and no wait can free an id: place the next op
    // anyway.
    for (unsigned i = 0; !next && i < nodes.size(); ++i)
      if (isReady(i))
        next = i;
    place(*next);
  }
}

//===--------------------------------------------------------------------------===//
// Effects of the new order
//===--------------------------------------------------------------------------===//

llvm::MapVector<ttl::CreateCBOp, int64_t> TransferSchedule::moreBlocks() const {
  llvm::MapVector<ttl::CreateCBOp, int64_t> result;
  for (auto [at, node] : llvm::enumerate(order)) {
    Operation *reserve = nodes[node].op;
    if (!isa<ttl::CBReserveOp>(reserve))
      continue;
    // Find the earliest release that was before the reserve and now comes after it.
    unsigned first = node;
    for (unsigned later : ArrayRef(order).drop_front(at + 1))
      if (nodes[later].kind == Kind::Release)
        first = std::min(first, later);
    int64_t between = 0;
    for (unsigned i = first; first != node && i <= node; ++i)
      between += isa<ttl::CBReserveOp>(nodes[i].op) &&
                 nodes[i].op->getOperand(0) == reserve->getOperand(0);
    if (between) {
      int64_t &more = result[kernel.bufferOf(reserve)];
      more = std::max(more, between);
    }
  }
  return result;
}

SmallVector<Operation *> TransferSchedule::newOrder() const {
  return llvm::map_to_vector(order, [&](unsigned node) { return nodes[node].op; });
}

unsigned TransferSchedule::copiesAhead() const {
  unsigned copies = 0;
  for (unsigned node : order) {
    if (nodes[node].kind == Kind::Wait)
      break;
    copies += nodes[node].kind == Kind::Copy;
  }
  return copies;
}

bool TransferSchedule::changes() const { return !llvm::is_sorted(order); }

void TransferSchedule::apply() const {
  for (unsigned node : order)
    nodes[node].op->moveBefore(&block, block.end());
}

//===--------------------------------------------------------------------------===//
// Buffers
//===--------------------------------------------------------------------------===//

int64_t BufferGrowth::blocksOf(ttl::CreateCBOp buffer) const {
  auto it = wanted.find(buffer);
  return it == wanted.end() ? buffer.getType().getBufferFactor() : it->second;
}

void BufferGrowth::require(ttl::CreateCBOp buffer, int64_t blocks) {
  if (blocks > blocksOf(buffer))
    wanted[buffer] = blocks;
}

void BufferGrowth::requireFor(const TransferSchedule &schedule) {
  for (auto [buffer, more] : schedule.moreBlocks())
    require(buffer, buffer.getType().getBufferFactor() + more);
  for (auto [buffer, held] : heldBlocks(kernel, schedule.newOrder()))
    require(buffer, held);
}

// Returns why the buffer cannot have `blocks` blocks; empty if it can.
static std::string obstacleTo(ttl::CreateCBOp buffer, int64_t blocks) {
  std::string name = ("'" + buffer.getName() + "'").str();
  if (buffer.isTensorBacked())
    return name + " is backed by a tensor and cannot grow to " + std::to_string(blocks) + " blocks";
  if (buffer.getAddress())
    return name + " already has an address in L1 and cannot grow to " + std::to_string(blocks) +
           " blocks: apply the schedule before stage buffers";
  if (blocks > kMostBlocks)
    return name + " would need " + std::to_string(blocks) +
           " blocks, but a buffer can have at most " + std::to_string(kMostBlocks);
  return "";
}

std::string BufferGrowth::problem() const {
  std::string grown;
  for (auto [buffer, blocks] : wanted) {
    if (std::string obstacle = obstacleTo(buffer, blocks); !obstacle.empty())
      return obstacle;
    grown += (grown.empty() ? "'" : ", '") + buffer.getName().str() + "' " +
             std::to_string(blocks) + " blocks";
  }
  if (wanted.empty())
    return "";
  int64_t available = kernel.getArch().l1Available();
  int64_t bytes =
      bytesOfL1(kernel, [&](ttl::CreateCBOp buffer) { return blocksOf(buffer); }, available);
  if (bytes <= available)
    return "";
  return "the kernel's buffers would take " + std::to_string(bytes) + " bytes of L1 with " + grown +
         "; " + std::string(kernel.getArch().name) + " has " + std::to_string(available);
}

void BufferGrowth::apply() const {
  for (auto [buffer, blocks] : wanted)
    kernel.setBlockCount(buffer, blocks);
}
