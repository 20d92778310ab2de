//===- BufferLiveness.cpp - finds buffers that are never in use together ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BufferLiveness.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/TTLResetOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

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

void BufferLiveness::collect(unsigned number) {
  Thread &thread = threads[number];
  BufferCounts before;
  auto bufferOfOp = [&](Operation *op) { return bufferOf(number, op->getOperand(0)); };
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
      bool isReset = isa<ttl::CBResetOp>(inner);
      uses |= isReset;
      for (Value operand : inner->getOperands()) {
        Operation *buffer = bufferOf(number, operand);
        if (!buffer)
          continue;
        if (isReset) { // it touches no page
          resetBuffers.insert(buffer);
          continue;
        }
        uses = true;
        Span &span =
            buffers[buffer].spans.try_emplace(number, Span{position, position, {}}).first->second;
        span.last = position;
        span.ops.push_back(inner);
        buffers[buffer].isExternal |= isa<ttcpp::CallOp>(inner);
      }
      if (auto call = dyn_cast<ttcpp::CallOp>(inner))
        hasUnknownAccess |= call.getUnknownAccess();
    });
    if (!uses)
      continue;
    addItem(&op);
    Item &item = thread.items.back();
    if (auto reset = dyn_cast<ttl::CBResetOp>(op))
      item.reset = reset.getReset();
    item.here = countBufferOps(op, bufferOfOp);
    addCounts(before, item.here);
  }
  addItem(nullptr);
  auto note = [&](int &side) { side = side == Buffer::kNobody ? int(number) : Buffer::kSeveral; };
  for (auto &[buffer, count] : before) {
    if (count[BufferOp::Reserve].most)
      note(buffers[buffer].producer);
    if (count[BufferOp::Wait].most)
      note(buffers[buffer].consumer);
  }
}

CountRange BufferLiveness::total(int thread, Operation *buffer, BufferOp op) const {
  return threads[thread].items.back().before.lookup(buffer)[op];
}

//===--------------------------------------------------------------------------===//
// Order between threads
//===--------------------------------------------------------------------------===//

// Raises `clock` to what thread `other` has completed once it has done `op` to
// `buffer` `times` times. Returns whether `clock` changed.
bool BufferLiveness::learn(SmallVector<unsigned> &clock, int other, Operation *buffer, BufferOp op,
                           int64_t times) {
  if (other < 0 || times <= 0)
    return false;
  const SmallVector<Item> &items = threads[other].items;
  unsigned last = 0;
  while (last + 1 < items.size() && items[last + 1].before.lookup(buffer)[op].most < times)
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

// Raises `clock` to what each thread has done when it reaches the reset: all threads meet there.
// `round` is the number of items with this reset before the one of the caller's thread.
bool BufferLiveness::learnFromReset(SmallVector<unsigned> &clock, uint32_t reset, unsigned round) {
  bool changed = false;
  for (auto [number, other] : llvm::enumerate(threads)) {
    unsigned before = 0;
    for (auto [position, item] : llvm::enumerate(other.items)) {
      if (item.reset != reset || before++ != round)
        continue;
      for (auto [known, learned] : llvm::zip(clock, item.clock)) {
        changed |= known < learned;
        known = std::max(known, learned);
      }
      unsigned complete = position + 1;
      changed |= clock[number] < complete;
      clock[number] = std::max(clock[number], complete);
      break;
    }
  }
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
  if (item.reset) {
    auto earlier = ArrayRef(thread.items).take_front(position);
    auto isSame = [&](const Item &other) { return other.reset == item.reset; };
    changed |= learnFromReset(next.clock, *item.reset, llvm::count_if(earlier, isSame));
  }
  for (auto &[key, count] : item.here) {
    const Buffer &buffer = buffers[key];
    BufferCount done = next.before.lookup(key);
    if (count[BufferOp::Wait].most)
      changed |=
          learn(next.clock, buffer.producer, key, BufferOp::Push, done[BufferOp::Wait].least);
    int64_t blocks = cast<ttl::CreateCBOp>(key).getType().getBufferFactor();
    // A reset frees slots that nobody popped, so a reserve in such a buffer proves no pop.
    if (count[BufferOp::Reserve].most && !resetBuffers.contains(key))
      changed |= learn(next.clock, buffer.consumer, key, BufferOp::Pop,
                       done[BufferOp::Reserve].least - blocks);
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
    auto bufferOfOp = [&](Operation *op) { return bufferOf(thread, op->getOperand(0)); };
    return countBufferOps(*candidate, bufferOfOp).lookup(key).isBalanced();
  };
  while (!isa<func::FuncOp>(block->getParentOp()) && !(holdsAll(block) && isBalanced(block)))
    block = block->getParentOp()->getBlock();
  buffer.home = block;
}

// Returns whether one and the same thread uses both buffers, at different times.
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

// Returns whether no thread uses `a` after the first reserve of `b`.
bool BufferLiveness::deadBefore(Operation *keyA, Operation *keyB) const {
  const Buffer &a = buffers.at(keyA), &b = buffers.at(keyB);
  if (b.producer < 0)
    return false;
  const Item &start = threads[b.producer].items[b.spans.at(b.producer).first];
  // When the consumer has waited for all blocks, the producer has pushed the last one.
  bool consumesAll = a.producer >= 0 && a.consumer >= 0 && a.producer != a.consumer &&
                     total(a.consumer, keyA, BufferOp::Wait).least >=
                         total(a.producer, keyA, BufferOp::Reserve).most;
  for (auto &[thread, span] : a.spans)
    if (start.clock[thread] <= span.last &&
        !(consumesAll && static_cast<int>(thread) == a.producer))
      return false;
  return true;
}

// Returns whether no core has both buffers. A buffer without core_ranges is on every core.
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
  if (hasUnknownAccess || first.isExternal || second.isExternal)
    return true;
  if (first.producer < 0 || second.producer < 0)
    return true; // other nodes may write into a buffer that no thread here reserves
  if (first.home && second.home && first.spans.begin()->first == second.spans.begin()->first &&
      separateInside(first, second))
    return false;
  return !deadBefore(a, b) && !deadBefore(b, a);
}
