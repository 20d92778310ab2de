//===- BufferLiveness.cpp - finds buffers that are never in use together --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BufferLiveness.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

constexpr int64_t kMany = int64_t(1) << 40;

int64_t saturate(int64_t times) { return std::min(times, kMany); }

} // namespace

//===--------------------------------------------------------------------------===//
// Counting
//===--------------------------------------------------------------------------===//

Operation *BufferLiveness::bufferOf(unsigned thread, Value value) {
  if (isa<ttl::BlockType>(value.getType()))
    value = bufferValueOf(value);
  if (!isa<ttl::CircularBufferType>(value.getType()))
    return nullptr;
  return threads[thread].binding.bufferOf(value);
}

void BufferLiveness::countOps(unsigned thread, Block &block, Tallies &tallies) {
  for (Operation &op : block)
    countOp(thread, op, tallies);
}

void BufferLiveness::countOp(unsigned thread, Operation &op, Tallies &tallies) {
  auto once = [&](Kind kind) {
    Times &times = tallies[bufferOf(thread, op.getOperand(0))][kind];
    times = {saturate(times.least + 1), saturate(times.most + 1)};
  };
  if (isa<ttl::CBReserveOp>(op))
    return once(Reserve);
  if (isa<ttl::CBPushOp>(op))
    return once(Push);
  if (isa<ttl::CBWaitOp>(op))
    return once(Wait);
  if (isa<ttl::CBPopOp>(op))
    return once(Pop);
  if (op.getNumRegions() == 0)
    return;

  SmallVector<Tallies> inside;
  for (Region &region : op.getRegions()) {
    inside.emplace_back();
    if (!region.empty())
      countOps(thread, region.front(), inside.back());
  }
  DenseSet<Operation *> counted;
  for (Tallies &part : inside)
    for (auto &[buffer, tally] : part)
      counted.insert(buffer);
  for (Operation *buffer : counted)
    for (int kind = 0; kind < NumKinds; ++kind) {
      auto timesIn = [&](Tallies &part) { return part.lookup(buffer)[kind]; };
      Times sum;
      if (isa<scf::IfOp>(op)) {
        Times yes = timesIn(inside[0]), no = timesIn(inside[1]);
        sum = {std::min(yes.least, no.least), std::max(yes.most, no.most)};
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        std::optional<APInt> count = loop.getStaticTripCount();
        Times body = timesIn(inside[0]);
        int64_t trips = count ? saturate(count->getLimitedValue(kMany)) : 0;
        sum = count ? Times{saturate(body.least * trips), saturate(body.most * trips)}
                    : Times{0, body.most ? kMany : 0};
      } else {
        for (Tallies &part : inside)
          if (timesIn(part).most)
            sum.most = kMany;
      }
      Times &times = tallies[buffer][kind];
      times = {saturate(times.least + sum.least), saturate(times.most + sum.most)};
    }
}

void BufferLiveness::collect(unsigned number) {
  Thread &thread = threads[number];
  Tallies before;
  auto addItem = [&](Operation *op) {
    Item &item = thread.items.emplace_back();
    item.op = op;
    item.before = before;
    item.clock.assign(threads.size(), 0);
    item.clock[number] = thread.items.size() - 1;
  };
  for (Operation &op : thread.binding.function.getBody().front()) {
    bool uses = false;
    unsigned position = thread.items.size();
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *buffer = bufferOf(number, operand);
        if (!buffer)
          continue;
        uses = true;
        Span &span =
            buffers[buffer].spans.try_emplace(number, Span{position, position, {}}).first->second;
        span.last = position;
        span.ops.push_back(inner);
      }
    });
    if (!uses)
      continue;
    addItem(&op);
    countOp(number, op, thread.items.back().here);
    for (auto &[buffer, tally] : thread.items.back().here)
      for (int kind = 0; kind < NumKinds; ++kind) {
        Times &times = before[buffer][kind];
        times = {saturate(times.least + tally[kind].least),
                 saturate(times.most + tally[kind].most)};
      }
  }
  addItem(nullptr);
  for (auto &[buffer, tally] : before) {
    if (tally[Reserve].most)
      buffers[buffer].producer = number;
    if (tally[Wait].most)
      buffers[buffer].consumer = number;
  }
}

BufferLiveness::Times BufferLiveness::total(int thread, Operation *buffer, Kind kind) const {
  return threads[thread].items.back().before.lookup(buffer)[kind];
}

//===--------------------------------------------------------------------------===//
// Order between threads
//===--------------------------------------------------------------------------===//

// Raises `clock` to what thread `other` has completed once it has done `kind` to
// `buffer` `times` times. Returns whether `clock` changed.
bool BufferLiveness::learn(SmallVector<unsigned> &clock, int other, Operation *buffer, Kind kind,
                           int64_t times) {
  if (other < 0 || times <= 0)
    return false;
  const SmallVector<Item> &items = threads[other].items;
  unsigned last = 0;
  while (last + 1 < items.size() && items[last + 1].before.lookup(buffer)[kind].most < times)
    ++last;
  if (last + 1 == items.size())
    return false;
  bool changed = false;
  auto raise = [&](unsigned thread, unsigned complete) {
    changed |= clock[thread] < complete;
    clock[thread] = std::max(clock[thread], complete);
  };
  for (auto [thread, complete] : llvm::enumerate(items[last].clock))
    raise(thread, complete);
  raise(other, last + (items[last].op->getNumRegions() == 0));
  return changed;
}

bool BufferLiveness::advance(unsigned number, unsigned position) {
  Thread &thread = threads[number];
  Item &item = thread.items[position], &next = thread.items[position + 1];
  bool changed = false;
  for (auto [known, later] : llvm::zip(item.clock, next.clock)) {
    changed |= later < known;
    later = std::max(later, known);
  }
  for (auto &[key, tally] : item.here) {
    const Buffer &buffer = buffers[key];
    Tally done = next.before.lookup(key);
    if (tally[Wait].most)
      changed |= learn(next.clock, buffer.producer, key, Push, done[Wait].least);
    int64_t blocks = cast<ttl::CreateCBOp>(key).getType().getBufferFactor();
    if (tally[Reserve].most)
      changed |= learn(next.clock, buffer.consumer, key, Pop, done[Reserve].least - blocks);
  }
  return changed;
}

BufferLiveness::BufferLiveness(ttl::ProgramOp program) {
  for (ThreadBinding &binding : getThreads(program->getParentOfType<ModuleOp>()))
    if (binding.program == program)
      threads.push_back({binding, {}});
  for (unsigned i = 0; i < threads.size(); ++i)
    collect(i);
  for (auto &[key, buffer] : buffers)
    if (buffer.spans.size() == 1)
      findHome(key, buffer, buffer.spans.begin()->first);
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < threads.size(); ++i)
      for (unsigned item = 0; item + 1 < threads[i].items.size(); ++item)
        changed |= advance(i, item);
  }
}

//===--------------------------------------------------------------------------===//
// Buffers of one thread
//===--------------------------------------------------------------------------===//

// Finds the innermost IR block at whose beginning and end the buffer is empty.
void BufferLiveness::findHome(Operation *key, Buffer &buffer, unsigned thread) {
  ArrayRef<Operation *> ops = buffer.spans[thread].ops;
  Block *block = ops.front()->getBlock();
  auto holdsAll = [&](Block *candidate) {
    return llvm::all_of(ops, [&](Operation *op) { return candidate->findAncestorOpInBlock(*op); });
  };
  auto isBalanced = [&](Block *candidate) {
    Tallies tallies;
    countOps(thread, *candidate, tallies);
    Tally tally = tallies.lookup(key);
    return llvm::all_of(tally, [&](Times times) {
      return times.least == tally[Reserve].least && times.most == tally[Reserve].least;
    });
  };
  while (!isa<func::FuncOp>(block->getParentOp()) && !(holdsAll(block) && isBalanced(block)))
    block = block->getParentOp()->getBlock();
  buffer.home = block;
}

// Whether one and the same thread uses both buffers, at different times.
bool BufferLiveness::separateInside(const Buffer &a, const Buffer &b) const {
  auto spanIn = [](const Buffer &buffer, Block *block) {
    Operation *first = nullptr, *last = nullptr;
    for (Operation *op : buffer.spans.begin()->second.ops) {
      Operation *ancestor = block->findAncestorOpInBlock(*op);
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
      if (!last || last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
    return std::pair(first, last);
  };
  Operation *someA = a.spans.begin()->second.ops.front(),
            *someB = b.spans.begin()->second.ops.front();
  Block *outer = nullptr;
  if (a.home->findAncestorOpInBlock(*someB))
    outer = a.home;
  if (b.home->findAncestorOpInBlock(*someA) &&
      (!outer || b.home->findAncestorOpInBlock(*a.home->getParentOp())))
    outer = b.home;
  if (!outer)
    return true; // the two ops are in different ops of an outer block
  auto [firstA, lastA] = spanIn(a, outer);
  auto [firstB, lastB] = spanIn(b, outer);
  return lastA->isBeforeInBlock(firstB) || lastB->isBeforeInBlock(firstA);
}

//===--------------------------------------------------------------------------===//
// Pairs of buffers
//===--------------------------------------------------------------------------===//

// Whether no thread uses `a` after the first reserve of `b`.
bool BufferLiveness::deadBefore(Operation *keyA, Operation *keyB) const {
  const Buffer &a = buffers.at(keyA), &b = buffers.at(keyB);
  if (b.producer < 0)
    return false;
  const Item &start = threads[b.producer].items[b.spans.at(b.producer).first];
  // When the consumer has waited for all blocks, the producer has pushed the last one.
  bool consumesAll = a.producer >= 0 && a.consumer >= 0 && a.producer != a.consumer &&
                     total(a.consumer, keyA, Wait).least >= total(a.producer, keyA, Reserve).most;
  for (auto &[thread, span] : a.spans)
    if (start.clock[thread] <= span.last &&
        !(consumesAll && static_cast<int>(thread) == a.producer))
      return false;
  return true;
}

// A buffer without core_ranges is on every core.
static bool onDifferentCores(ttl::CreateCBOp a, ttl::CreateCBOp b) {
  if (!a.getCoreRanges() || !b.getCoreRanges())
    return false;
  auto meet = [](ttcore::CoreRangeAttr range, ttcore::CoreRangeAttr other) {
    for (auto [low, high, otherLow, otherHigh] :
         llvm::zip(range.getStart(), range.getEnd(), other.getStart(), other.getEnd()))
      if (high < otherLow || otherHigh < low)
        return false;
    return true;
  };
  for (ttcore::CoreRangeAttr range : a.getCoreRanges()->getRanges())
    for (ttcore::CoreRangeAttr other : b.getCoreRanges()->getRanges())
      if (meet(range, other))
        return false;
  return true;
}

bool BufferLiveness::interfere(ttl::CreateCBOp a, ttl::CreateCBOp b) const {
  if (onDifferentCores(a, b))
    return false;
  auto itA = buffers.find(a), itB = buffers.find(b);
  if (itA == buffers.end() || itB == buffers.end())
    return true; // the analysis does not follow such uses
  const Buffer &first = itA->second, &second = itB->second;
  if (first.producer < 0 || second.producer < 0)
    return true; // other nodes may write into a buffer that no thread here reserves
  if (first.home && second.home && first.spans.begin()->first == second.spans.begin()->first &&
      separateInside(first, second))
    return false;
  return !deadBefore(a, b) && !deadBefore(b, a);
}
