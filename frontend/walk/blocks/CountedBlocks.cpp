//===- CountedBlocks.cpp - blocks whose number is counted at run time ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/CountedBlocks.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/numbers/Scalars.h"
#include "frontend/walk/syntax/Diagnostics.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

using namespace mlir;
using namespace mlir::tt;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Counters
//===--------------------------------------------------------------------------===//

// The counters are carried through loops and branches like the accumulation flags of blocks, under
// ids that no block has.
static unsigned idOf(HeldQueue queue, unsigned counter) {
  return ~0u - (queue.first * 8 + queue.second * 4 + counter);
}

void CountedBlocks::begin() {
  for (auto &[queue, calls] : queues) {
    calls = {};
    for (unsigned counter = 0; counter < NumCounters; ++counter)
      walker.state.setFlag(idOf(queue, counter), ThreadState::fresh());
  }
}

mlir::Value CountedBlocks::count(py::handle node, HeldQueue queue, Counter counter) {
  return walker.scalars.asI32(node, walker.state.flagOf(idOf(queue, counter)));
}

void CountedBlocks::advance(py::handle node, HeldQueue queue, Counter counter) {
  mlir::Value next =
      arith::AddIOp::create(walker.builder, walker.location(node), count(node, queue, counter),
                            walker.constant(node, int32_t(1)));
  walker.state.setFlag(idOf(queue, counter), Scalar{next});
}

mlir::Value CountedBlocks::held(py::handle node, HeldQueue queue) {
  return arith::SubIOp::create(walker.builder, walker.location(node), count(node, queue, Acquired),
                               count(node, queue, Released));
}

void CountedBlocks::check(py::handle node, arith::CmpIPredicate predicate, mlir::Value lhs,
                          mlir::Value rhs, const std::string &message) {
  Location loc = walker.location(node);
  mlir::Value holds = arith::CmpIOp::create(walker.builder, loc, predicate, lhs, rhs);
  ttl::AssertOp::create(walker.builder, loc, holds, message);
}

void CountedBlocks::reset(HeldQueue queue) {
  if (!contains(queue))
    return;
  for (unsigned counter = 0; counter < NumCounters; ++counter)
    walker.state.setFlag(idOf(queue, counter), ThreadState::fresh());
}

void CountedBlocks::requireUnchanged(py::handle node, const ThreadState &before) const {
  for (auto &[queue, calls] : queues)
    for (Counter counter : {Acquired, Released}) {
      unsigned id = idOf(queue, counter);
      if (!areSame(before.flagOf(id), walker.state.flagOf(id)))
        walker.diagnostics.fail(
            node, fmt::format("this callback acquires or releases blocks of '{}', and how many of "
                              "them the thread holds depends on run-time values, which callbacks "
                              "of pipes cannot change: release the blocks in the loop or branch "
                              "that acquires them",
                              walker.kernel.buffers[queue.first].name));
    }
}

// Finds buffers whose younger blocks the program releases first, while it leaves the release of an
// older one to the compiler. The next walk does not count the blocks of such a buffer.
void CountedBlocks::findUnreleased() {
  for (auto &[queue, calls] : queues) {
    if (!deferring.count(queue) || calls.releasesAny)
      continue;
    std::set<Place> &places = learned[queue].neverReleased;
    size_t numKnown = places.size();
    std::set_difference(calls.acquired.begin(), calls.acquired.end(), calls.released.begin(),
                        calls.released.end(), std::inserter(places, places.end()));
    if (places.size() == numKnown)
      continue;
    deferring.erase(queue);
    queues.erase(queue);
    throw WalkAgain();
  }
}

void CountedBlocks::end() {
  if (walker.diagnostics.hasErrors())
    return;
  for (auto &[queue, calls] : queues)
    if (!calls.acquire || !calls.releases) {
      learned[queue].isUseless = true;
      queues.erase(queue);
      throw WalkAgain();
    }
  findUnreleased();
  for (auto &[queue, calls] : queues)
    if (py::handle node = calls.acquire)
      check(node, arith::CmpIPredicate::eq, held(node, queue), walker.constant(node, int32_t(0)),
            fmt::format("a block of '{}' is still held when {}() ends: write {}() on every path",
                        walker.kernel.buffers[queue.first].name, walker.threadName,
                        queue.second ? "push" : "pop"));
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

// Builds an acquire for each number of blocks that may be held, under a test of that number. The
// last one, for a thread that holds all blocks of the buffer, waits for more than there are: the
// device reports it.
void CountedBlocks::buildAcquire(py::handle node, HeldQueue queue, mlir::Value held) {
  OpBuilder &builder = walker.builder;
  OpBuilder::InsertionGuard guard(builder);
  Location loc = walker.location(node);
  mlir::Value cb = walker.kernel.buffers[queue.first].value();
  auto type = cast<ttl::CircularBufferType>(cb.getType());
  auto acquire = [&](int64_t total) {
    Type block = ttl::BlockType::get(type);
    IntegerAttr outstanding = builder.getI32IntegerAttr(total);
    if (queue.second)
      ttl::CBReserveOp::create(builder, loc, block, cb, outstanding);
    else
      ttl::CBWaitOp::create(builder, loc, block, cb, outstanding);
  };
  for (int64_t known = 0; known < type.getBufferFactor(); ++known) {
    mlir::Value isKnown = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, held,
                                                walker.constant(node, int32_t(known)));
    auto branch = scf::IfOp::create(builder, loc, TypeRange(), isKnown, /*withElseRegion=*/true);
    builder.setInsertionPoint(branch.thenYield());
    acquire(known + 1);
    builder.setInsertionPoint(branch.elseYield());
  }
  acquire(type.getBufferFactor() + 1);
}

Block CountedBlocks::acquire(py::handle node, HeldQueue queue) {
  buildAcquire(node, queue, held(node, queue));
  advance(node, queue, Acquired);
  forgetWritten(node, queue);
  Calls &calls = queues[queue];
  calls.acquire = py::reinterpret_borrow<py::object>(node);
  calls.acquired.insert(placeOf(walker.diagnostics.range(node)));
  return make(node, queue, count(node, queue, Acquired));
}

Block CountedBlocks::make(py::handle node, HeldQueue queue, mlir::Value ticket) {
  auto info = std::make_shared<BlockInfo>();
  info->block = blockAt(node, queue, ticket);
  info->type = info->block.getType();
  info->buffer = queue.first;
  info->reserved = queue.second;
  info->acquired = walker.diagnostics.range(node);
  info->ticket = Scalar{ticket};
  info->releases = walker.state.flagOf(idOf(queue, Released))->irValue();
  info->isChecked = true;
  return Block{info};
}

mlir::Value CountedBlocks::slotOf(py::handle node, HeldQueue queue, mlir::Value ticket) {
  Location loc = walker.location(node);
  auto type = cast<ttl::CircularBufferType>(walker.kernel.buffers[queue.first].value().getType());
  mlir::Value slots = walker.constant(node, int32_t(type.getBufferFactor()));
  mlir::Value before =
      arith::SubIOp::create(walker.builder, loc, ticket, walker.constant(node, int32_t(1)));
  return arith::RemUIOp::create(walker.builder, loc, before, slots);
}

// Builds the block of a ticket: it is as many slots behind the oldest one as their slots in the
// ring are apart. The number is negative if the ring ends between the two.
mlir::Value CountedBlocks::blockAt(py::handle node, HeldQueue queue, mlir::Value ticket) {
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  mlir::Value cb = walker.kernel.buffers[queue.first].value();
  auto type = cast<ttl::CircularBufferType>(cb.getType());
  mlir::Value slots = walker.constant(node, int32_t(type.getBufferFactor()));
  mlir::Value released = count(node, queue, Released);
  mlir::Value own = slotOf(node, queue, ticket);
  mlir::Value front = arith::RemUIOp::create(builder, loc, released, slots);
  mlir::Value distance = arith::SubIOp::create(builder, loc, own, front);
  mlir::Value pages = arith::MulIOp::create(
      builder, loc, distance, walker.constant(node, int32_t(type.getPagesPerBlock())));
  pages = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), pages);
  mlir::Value oldest = ttl::HeldBlockOp::create(builder, loc, ttl::BlockType::get(type), cb,
                                                /*older=*/0, /*reserved=*/queue.second);
  return ttl::BlockAtOp::create(builder, loc, oldest, pages);
}

// Returns the number of blocks that are held and older.
mlir::Value CountedBlocks::placeOf(py::handle node, HeldQueue queue, mlir::Value ticket) {
  Location loc = walker.location(node);
  mlir::Value place =
      arith::SubIOp::create(walker.builder, loc, ticket, count(node, queue, Released));
  return arith::SubIOp::create(walker.builder, loc, place, walker.constant(node, int32_t(1)));
}

// Returns 1 if the program has released the block, else 0.
mlir::Value CountedBlocks::isMarked(py::handle node, HeldQueue queue, mlir::Value place) {
  Location loc = walker.location(node);
  mlir::Value bits =
      arith::ShRUIOp::create(walker.builder, loc, count(node, queue, Deferred), place);
  return arith::AndIOp::create(walker.builder, loc, bits, walker.constant(node, int32_t(1)));
}

void CountedBlocks::checkHeld(py::handle node, HeldQueue queue, mlir::Value ticket) {
  mlir::Value place = placeOf(node, queue, ticket);
  std::string message =
      fmt::format("this uses a block of '{}' that the thread does not hold: it was released, or "
                  "never acquired on this path",
                  walker.kernel.buffers[queue.first].name);
  check(node, arith::CmpIPredicate::ult, place, held(node, queue), message);
  if (deferring.count(queue))
    check(node, arith::CmpIPredicate::eq, isMarked(node, queue, place),
          walker.constant(node, int32_t(0)), message);
}

Value CountedBlocks::named(py::handle node, const Block &block, bool isUsed) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  mlir::Value releases = walker.state.flagOf(idOf(queue, Released))->irValue();
  bool isNamed = block.info->block && block.info->releases == releases;
  bool mustCheck = isUsed && !(isNamed && block.info->isChecked);
  if (isNamed && !mustCheck)
    return block;
  auto info = std::make_shared<BlockInfo>(*block.info);
  mlir::Value ticket = walker.scalars.asI32(node, *info->ticket);
  if (mustCheck)
    checkHeld(node, queue, ticket);
  if (!isNamed)
    info->block = blockAt(node, queue, ticket);
  info->releases = releases;
  info->isChecked = mustCheck;
  return Block{info};
}

Block CountedBlocks::oldest(py::handle node, HeldQueue queue) {
  queues[queue].releasesAny = true;
  mlir::Value ticket =
      arith::AddIOp::create(walker.builder, walker.location(node), count(node, queue, Released),
                            walker.constant(node, int32_t(1)));
  return make(node, queue, ticket);
}

void CountedBlocks::release(py::handle node, const Block &block) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  mlir::Value ticket = walker.scalars.asI32(node, *block.info->ticket);
  Calls &calls = queues[queue];
  calls.releasesAny |= block.info->isCarried;
  calls.released.insert(placeOf(block.info->acquired));
  if (deferring.count(queue)) {
    checkHeld(node, queue, ticket);
    markReleased(node, queue, placeOf(node, queue, ticket));
    return releaseMarked(node, queue);
  }
  check(
      node, arith::CmpIPredicate::eq, placeOf(node, queue, ticket),
      walker.constant(node, int32_t(0)),
      fmt::format("this block of '{}' is not the oldest one that the thread holds: release blocks "
                  "in the order in which they were acquired, and each of them once",
                  walker.kernel.buffers[queue.first].name));
  freeOldest(node, queue);
}

void CountedBlocks::markReleased(py::handle node, HeldQueue queue, mlir::Value place) {
  Location loc = walker.location(node);
  mlir::Value bit =
      arith::ShLIOp::create(walker.builder, loc, walker.constant(node, int32_t(1)), place);
  walker.state.setFlag(
      idOf(queue, Deferred),
      Scalar{arith::OrIOp::create(walker.builder, loc, count(node, queue, Deferred), bit)});
}

// Frees the slots of the marked blocks that are older than all others: a loop over the blocks of
// the buffer looks at the lowest bit.
void CountedBlocks::releaseMarked(py::handle node, HeldQueue queue) {
  OpBuilder &builder = walker.builder;
  Location loc = walker.location(node);
  auto type = cast<ttl::CircularBufferType>(walker.kernel.buffers[queue.first].value().getType());
  SmallVector<mlir::Value> inits{count(node, queue, Deferred), count(node, queue, Released)};
  auto loop = scf::ForOp::create(builder, loc, walker.indexConstant(node, 0),
                                 walker.indexConstant(node, type.getBufferFactor()),
                                 walker.indexConstant(node, 1), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  mlir::Value bits = loop.getRegionIterArg(0), released = loop.getRegionIterArg(1);
  mlir::Value one = walker.constant(node, int32_t(1));
  mlir::Value lowest = arith::AndIOp::create(builder, loc, bits, one);
  mlir::Value isSet = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lowest, one);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), isSet, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenYield());
  buildRelease(node, queue);
  builder.setInsertionPointAfter(branch);
  mlir::Value left = arith::ShRUIOp::create(builder, loc, bits, lowest);
  mlir::Value more = arith::AddIOp::create(builder, loc, released, lowest);
  scf::YieldOp::create(builder, loc, ValueRange{left, more});
  walker.state.setFlag(idOf(queue, Deferred), Scalar{loop.getResult(0)});
  walker.state.setFlag(idOf(queue, Released), Scalar{loop.getResult(1)});
  queues[queue].releases = true;
}

mlir::Value CountedBlocks::isHeld(py::handle node, const Block &block) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  return arith::CmpIOp::create(walker.builder, walker.location(node), arith::CmpIPredicate::sgt,
                               walker.scalars.asI32(node, *block.info->ticket),
                               count(node, queue, Released));
}

mlir::Value CountedBlocks::releasesOf(const Block &block) const {
  return block.info->ticket
             ? walker.state.flagOf(idOf({block.info->buffer, block.info->reserved}, Released))
                   ->irValue()
             : mlir::Value();
}

void CountedBlocks::buildRelease(py::handle node, HeldQueue queue) {
  mlir::Value cb = walker.kernel.buffers[queue.first].value();
  auto type = cast<ttl::CircularBufferType>(cb.getType());
  Location loc = walker.location(node);
  mlir::Value oldest = ttl::HeldBlockOp::create(walker.builder, loc, ttl::BlockType::get(type), cb,
                                                /*older=*/0, /*reserved=*/queue.second);
  Operation *release = queue.second
                           ? ttl::CBPushOp::create(walker.builder, loc, oldest).getOperation()
                           : ttl::CBPopOp::create(walker.builder, loc, oldest).getOperation();
  if (deferring.count(queue))
    release->setAttr(ttl::kDeferredAttr, walker.builder.getStringAttr("an older block"));
}

void CountedBlocks::releaseOldest(py::handle node, HeldQueue queue) {
  queues[queue].releasesAny = true;
  freeOldest(node, queue);
}

void CountedBlocks::freeOldest(py::handle node, HeldQueue queue) {
  if (deferring.count(queue)) {
    markReleased(node, queue, walker.constant(node, int32_t(0)));
    return releaseMarked(node, queue);
  }
  buildRelease(node, queue);
  queues[queue].releases = true;
  advance(node, queue, Released);
}

//===--------------------------------------------------------------------------===//
// Sums in blocks
//===--------------------------------------------------------------------------===//

mlir::Value CountedBlocks::bitOf(py::handle node, HeldQueue queue, mlir::Value ticket) {
  return arith::ShLIOp::create(walker.builder, walker.location(node),
                               walker.constant(node, int32_t(1)), slotOf(node, queue, ticket));
}

// Clears the bit of a block that was just reserved: it has no contents. Each slot has one bit.
void CountedBlocks::forgetWritten(py::handle node, HeldQueue queue) {
  if (!accumulated.count(queue))
    return;
  Location loc = walker.location(node);
  mlir::Value bit = bitOf(node, queue, count(node, queue, Acquired));
  mlir::Value others =
      arith::XOrIOp::create(walker.builder, loc, bit, walker.constant(node, int32_t(-1)));
  mlir::Value rest =
      arith::AndIOp::create(walker.builder, loc, count(node, queue, Written), others);
  walker.state.setFlag(idOf(queue, Written), Scalar{rest});
}

void CountedBlocks::noteWritten(py::handle node, const Block &block) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  if (!accumulated.count(queue))
    return;
  mlir::Value bit = bitOf(node, queue, walker.scalars.asI32(node, *block.info->ticket));
  mlir::Value bits =
      arith::OrIOp::create(walker.builder, walker.location(node), count(node, queue, Written), bit);
  walker.state.setFlag(idOf(queue, Written), Scalar{bits});
}

mlir::Value CountedBlocks::writtenFlag(py::handle node, const Block &block) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  if (accumulated.insert(queue).second)
    throw WalkAgain();
  Location loc = walker.location(node);
  mlir::Value slot = slotOf(node, queue, walker.scalars.asI32(node, *block.info->ticket));
  mlir::Value bits = arith::ShRSIOp::create(walker.builder, loc, count(node, queue, Written), slot);
  return arith::AndIOp::create(walker.builder, loc, bits, walker.constant(node, int32_t(1)));
}

} // namespace ttjit::frontend
