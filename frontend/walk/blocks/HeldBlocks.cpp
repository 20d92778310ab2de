//===- HeldBlocks.cpp - blocks that are released far from their acquire -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/blocks/HeldBlocks.h"

#include "frontend/walk/blocks/CountedBlocks.h"
#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/context/PathState.h"
#include "frontend/walk/context/ThreadState.h"
#include "frontend/walk/context/UnrolledLoops.h"
#include "frontend/walk/context/Walker.h"
#include "frontend/walk/syntax/Ast.h"
#include "frontend/walk/syntax/Diagnostics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <fmt/format.h>

namespace ttjit::frontend {

HeldQueues HeldBlocks::acquiredSince(const ThreadState &before, const ThreadState &state) {
  HeldQueues queues;
  state.outstanding.forEach([&](const ThreadState::HeldKey &key, const Block &block) {
    if (!before.blocks.contains(block.info->id))
      queues[{std::get<0>(key), std::get<1>(key)}].push_back(block);
  });
  return queues;
}

static bool isIf(const py::object &node) { return isKind(node, "If"); }

void HeldBlocks::noteLost(py::handle node, HeldQueue queue) {
  bool isKnown = llvm::any_of(
      lost, [&](const Lost &other) { return other.node.is(node) && other.queue == queue; });
  if (!isKnown)
    lost.push_back(
        {py::reinterpret_borrow<py::object>(node), queue, walker.diagnostics.range(node)});
}

// Marks for unrolling each loop that acquires blocks of the queue which have no name after it.
// Returns whether it marked a loop that was not marked before.
bool HeldBlocks::unrollLoops(HeldQueue queue) {
  bool isNew = false;
  for (const Lost &place : lost)
    if (place.queue == queue && !isIf(place.node))
      isNew |= walker.unrolled.unroll(place.node);
  return isNew;
}

// Marks each `if` that acquires blocks of the queue which have no name after it: the statements
// after the `if` are then walked on each path. Returns whether it marked a new `if`.
bool HeldBlocks::forkBranches(HeldQueue queue) {
  constexpr size_t kMaxForked = 4; // each doubles the code behind it
  bool isNew = false;
  for (const Lost &place : lost)
    if (place.queue == queue && isIf(place.node) && !triedToFork.count(place.node.ptr()) &&
        forked.size() < kMaxForked)
      isNew |= forked.insert(place.node.ptr()).second;
  return isNew;
}

std::vector<diagnostics::DiagnosticNote> HeldBlocks::notes(HeldQueue queue) const {
  std::vector<diagnostics::DiagnosticNote> notes;
  const std::string &name = walker.kernel.buffers[queue.first].name;
  for (const Lost &place : lost)
    if (place.queue == queue)
      notes.push_back(
          {isIf(place.node)
               ? fmt::format("this 'if' leaves different numbers of blocks of '{}' acquired on its "
                             "two paths: acquire on both paths, or release under the same "
                             "condition",
                             name)
               : fmt::format("it is not known how many blocks of '{}' this loop leaves acquired: "
                             "release them in it, or make it a loop over a range of at most 64 "
                             "items known at compile time",
                             name),
           place.location});
  return notes;
}

void HeldBlocks::walkAgain() {
  lost.clear();
  unequal.clear();
  throw WalkAgain();
}

// Returns false in a unified body, whose walk makes buffers and so cannot be repeated.
bool HeldBlocks::canRepeat() const { return walker.kind != ThreadKind::Unified; }

void HeldBlocks::tryForks(HeldQueue queue) {
  if (canRepeat() && !walker.diagnostics.hasErrors() && forkBranches(queue))
    walkAgain();
}

//===--------------------------------------------------------------------------===//
// Counting at run time
//===--------------------------------------------------------------------------===//

void HeldBlocks::tryCounting(HeldQueue queue) {
  if (canRepeat() && !walker.diagnostics.hasErrors() && !walker.unrolled.canUnroll() &&
      walker.counted.add(queue))
    walkAgain();
}

Value HeldBlocks::named(py::handle node, const Value &value, bool isUsed) {
  const Block *block = value.getIf<Block>();
  if (!block)
    return value;
  if (block->info->ticket)
    return walker.counted.named(node, *block, isUsed);
  requireName(*block);
  return value;
}

// A loop that carries the block calls requireNameInLoop() itself: its last walk may carry an
// expression instead.
void HeldBlocks::requireName(const Block &block) {
  mlir::Operation *maker = block.info->block.getDefiningOp();
  if (walker.kind != ThreadKind::Compute ||
      !llvm::isa_and_present<mlir::scf::IfOp, mlir::scf::ForOp, mlir::scf::WhileOp>(maker))
    return;
  HeldQueue queue{block.info->buffer, block.info->reserved};
  if (llvm::isa<mlir::scf::IfOp>(maker))
    tryForks(queue);
  tryCounting(queue);
}

void HeldBlocks::requireNameInLoop(const BlockInfo &block) {
  if (walker.kind == ThreadKind::Compute)
    tryCounting({block.buffer, block.reserved});
}

void HeldBlocks::requireOrder(py::handle node, const Block &block) {
  HeldQueue queue{block.info->buffer, block.info->reserved};
  const Block *oldest = walker.state.oldest(queue.first, queue.second);
  if (!oldest || !walker.state.isHeld(*block.info) || oldest->info->id == block.info->id)
    return;
  // ttl-insert-releases orders the releases of one list of statements, and makes those that the
  // program leaves out.
  mlir::Value older = oldest->info->block;
  if (older.getParentBlock() == walker.builder.getInsertionBlock() ||
      walker.counted.isNeverReleased(*oldest->info))
    return;
  if (walker.unrolled.canUnroll())
    walker.diagnostics.failNeedsStatic(
        node, fmt::format("this releases a block of '{}' before an older one that was acquired "
                          "outside of the loop: release the older one first",
                          walker.kernel.buffers[queue.first].name));
  if (canRepeat() && !walker.diagnostics.hasErrors()) {
    walker.counted.addDeferring(queue);
    if (walker.counted.add(queue))
      walkAgain();
  }
}

void HeldBlocks::requireKnown(const Missing &missing) {
  if (missing.queue)
    tryCounting(*missing.queue);
}

// Counts if it helps: the block may come from an acquire before this point, or later in a loop
// around it.
void HeldBlocks::requireOldest(HeldQueue queue) {
  mlir::Operation *around = walker.builder.getInsertionBlock()->getParentOp();
  bool isInLoop = around->getParentOfType<mlir::LoopLikeOpInterface>() ||
                  llvm::isa<mlir::LoopLikeOpInterface>(around);
  if (isInLoop || llvm::any_of(lost, [&](const Lost &place) { return place.queue == queue; }))
    tryCounting(queue);
}

void HeldBlocks::tryCountingInLoop(HeldQueue queue) {
  unequal.insert(queue);
  if (walker.state.lost.count(queue) || walker.state.unsure.count(queue))
    tryCounting(queue);
}

void HeldBlocks::tryCountingInBranch(HeldQueue queue) {
  if (unequal.count(queue))
    tryCounting(queue);
}

//===--------------------------------------------------------------------------===//
// Releases
//===--------------------------------------------------------------------------===//

void HeldBlocks::failNoBlock(py::handle node, HeldQueue queue) {
  // After an error, the missing block may belong to a statement that failed, so this is not
  // reported.
  if (walker.diagnostics.hasErrors())
    walker.diagnostics.failQuietly(node);
  if (canRepeat() && (unrollLoops(queue) || forkBranches(queue)))
    walkAgain();
  if (!forked.empty()) {
    triedToFork.merge(forked);
    forked.clear();
    walkAgain();
  }
  requireOldest(queue);
  bool push = queue.second;
  const std::string &name = walker.kernel.buffers[queue.first].name;
  bool isOther = walker.state.oldest(queue.first, !push) != nullptr;
  std::string message = fmt::format(
      "{0}.{1}() has no block to release: no block that {0}.{2}() acquired is held here{3}", name,
      push ? "push" : "pop", push ? "reserve" : "wait",
      isOther ? fmt::format("; {}.{}() releases the one that {}() acquired", name,
                            push ? "pop" : "push", push ? "wait" : "reserve")
              : "; acquire one before this line");
  if (!walker.unrolled.canUnroll())
    walker.diagnostics.fail(node, message, notes(queue));
  walker.diagnostics.failNeedsStatic(node, message);
}

} // namespace ttjit::frontend
