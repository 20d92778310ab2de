//===- BufferCounts.cpp - how often buffers are used --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/BufferCounts.h"

#include "passes/common/Threads.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static constexpr int64_t kMany = int64_t(1) << 40;

static int64_t saturate(int64_t times) { return std::min(times, kMany); }

std::optional<BufferOp> ttjit::bufferOpOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<BufferOp>>(op)
      .Case([](ttl::CBReserveOp) { return BufferOp::Reserve; })
      .Case([](ttl::CBPushOp) { return BufferOp::Push; })
      .Case([](ttl::CBWaitOp) { return BufferOp::Wait; })
      .Case([](ttl::CBPopOp) { return BufferOp::Pop; })
      .Case([](ttl::CBPublishOp) { return BufferOp::Publish; })
      .Default([](Operation *) { return std::nullopt; });
}

Operation *ttjit::createdBufferOf(Operation *op) {
  Value operand = op->getOperand(0);
  if (isa<ttl::CircularBufferType>(operand.getType()))
    return operand.getDefiningOp();
  Operation *acquire = acquireOf(operand);
  return acquire ? acquire->getOperand(0).getDefiningOp() : nullptr;
}

CountRange CountRange::operator+(CountRange other) const {
  return {saturate(least + other.least), saturate(most + other.most)};
}

CountRange CountRange::either(CountRange other) const {
  return {std::min(least, other.least), std::max(most, other.most)};
}

CountRange CountRange::repeated(std::optional<uint64_t> count) const {
  if (!count)
    return {0, most ? kMany : 0};
  auto rounds = static_cast<int64_t>(std::min<uint64_t>(*count, kMany));
  auto product = [&](int64_t times) {
    int64_t result;
    return llvm::MulOverflow(times, rounds, result) ? kMany : saturate(result);
  };
  return {product(least), product(most)};
}

bool BufferCount::isBalanced() const {
  const BufferCount &count = *this;
  CountRange reserves = count[BufferOp::Reserve];
  return reserves.isExact() && reserves == count[BufferOp::Push] &&
         reserves == count[BufferOp::Wait] && reserves == count[BufferOp::Pop];
}

void ttjit::addCounts(BufferCounts &counts, const BufferCounts &more) {
  for (auto &[buffer, added] : more) {
    BufferCount &count = counts[buffer];
    for (int i = 0; i < kNumBufferOps; ++i) {
      auto op = static_cast<BufferOp>(i);
      count[op] = count[op] + added[op];
    }
  }
}

static std::optional<uint64_t> roundsOf(Operation &op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<APInt> count = loop ? loop.getStaticTripCount() : std::nullopt;
  return count ? std::optional(count->getLimitedValue(kMany)) : std::nullopt;
}

// Applies `change` to each number, whose buffer and operation are its arguments.
template <typename Change> static void changeCounts(BufferCounts &counts, Change change) {
  for (auto &[buffer, count] : counts)
    for (int i = 0; i < kNumBufferOps; ++i) {
      auto op = static_cast<BufferOp>(i);
      count[op] = change(buffer, op, count[op]);
    }
}

// Counts a branch, of which either side runs.
static BufferCounts countBranch(scf::IfOp branch, FindBuffer bufferOf) {
  BufferCounts yes = countBufferOps(*branch.thenBlock(), bufferOf), no;
  if (branch.elseBlock())
    no = countBufferOps(*branch.elseBlock(), bufferOf);
  for (auto &[buffer, count] : no)
    yes.try_emplace(buffer);
  changeCounts(yes, [&](Operation *buffer, BufferOp op, CountRange times) {
    return times.either(no.lookup(buffer)[op]);
  });
  return yes;
}

BufferCounts ttjit::countBufferOps(Operation &op, FindBuffer bufferOf) {
  BufferCounts counts;
  if (std::optional<BufferOp> kind = bufferOpOf(&op)) {
    counts[bufferOf(&op)][*kind] = {1, 1};
    return counts;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return countBranch(branch, bufferOf);
  for (Region &region : op.getRegions())
    for (Block &block : region)
      addCounts(counts, countBufferOps(block, bufferOf));
  std::optional<uint64_t> rounds = roundsOf(op);
  changeCounts(counts,
               [&](Operation *, BufferOp, CountRange times) { return times.repeated(rounds); });
  return counts;
}

BufferCounts ttjit::countBufferOps(Block &block, FindBuffer bufferOf) {
  BufferCounts counts;
  for (Operation &op : block)
    addCounts(counts, countBufferOps(op, bufferOf));
  return counts;
}
