//===- MergeAllocationGroups.cpp - ttl-merge-allocation-groups ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: the user puts several buffers into one allocation group, which has one buffer
// index and one range of L1.
//
// 1. Find the thread that fills the buffers of a group and the one that drains them. Find
//    in each the innermost block of the IR around all uses.
// 2. Prove that the buffers are used one after the other: in both blocks, all uses of one
//    buffer stand before all uses of the next one, in the same order, and each time that
//    the blocks run, as many blocks of each buffer are pushed as are popped. Then the
//    blocks of one ring of slots are waited for in the order in which they were pushed.
// 3. Replace all buffers of the group by the first one.
// 4. Let buffers of different phases of the kernel share indices, if there are too few
//    (PhaseBuffers.cpp).
//
// Rejects: groups for which that is not proved; buffers of a group whose types differ, or that
// are different parts of tensors; published buffers.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTL/BufferPages.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/common/BufferCounts.h"
#include "passes/common/DataFlow.h"
#include "passes/common/Threads.h"
#include "passes/ttl/PhaseBuffers.h"

#include "llvm/ADT/SetVector.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLMERGEALLOCATIONGROUPS
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The uses of a group's buffers by one thread: the acquires and releases of one side.
struct Side {
  Operation *thread = nullptr;
  SmallVector<SmallVector<Operation *>> ops; // by buffer
  Block *block = nullptr;                    // the innermost one around all of them
};

class AllocationGroup {
public:
  explicit AllocationGroup(SmallVector<ttl::CreateCBOp> buffers) : buffers(std::move(buffers)) {}

  LogicalResult merge();

private:
  LogicalResult checkTypes();
  LogicalResult checkMemory();
  LogicalResult collect(Side &side, bool reserved);
  LogicalResult checkOrder(const Side &side);
  LogicalResult checkCounts();
  LogicalResult checkSameOrder();
  InFlightDiagnostic fail(unsigned buffer, unsigned other, const Twine &reason);
  InFlightDiagnostic fail(unsigned buffer, const Twine &reason) {
    return fail(buffer, buffer == 0 ? 1 : 0, reason);
  }
  SmallVector<unsigned> inOrder(const Side &side) const;

  SmallVector<ttl::CreateCBOp> buffers;
  Side producer, consumer;
};

InFlightDiagnostic AllocationGroup::fail(unsigned buffer, unsigned other, const Twine &reason) {
  ttl::CreateCBOp create = buffers[buffer];
  InFlightDiagnostic diagnostic = create->emitError();
  diagnostic << "'" << create.getName() << "' shares its allocation group with '"
             << buffers[other].getName() << "', but " << reason.str();
  return diagnostic;
}

LogicalResult AllocationGroup::checkTypes() {
  for (unsigned i = 1; i < buffers.size(); ++i) {
    if (buffers[i].getType() != buffers[0].getType())
      return fail(i, "their blocks differ: buffers of one group must have the same element type, "
                     "block shape and block_count");
    if (ttl::pageSizeOf(buffers[i]) != ttl::pageSizeOf(buffers[0]))
      return fail(i, Twine("its page_size is ") + Twine(ttl::pageSizeOf(buffers[i])) +
                         " and that of the other buffer is " + Twine(ttl::pageSizeOf(buffers[0])) +
                         ": write the same page_size in both");
  }
  return checkMemory();
}

// Checks that all buffers or none are the same part of a tensor: they have one range of L1.
LogicalResult AllocationGroup::checkMemory() {
  for (auto [i, create] : llvm::enumerate(buffers)) {
    if (create.getTensor() != buffers[0].getTensor() ||
        create.getTensorOffset() != buffers[0].getTensorOffset())
      return fail(i, "their memory differs: buffers of one group have one range of L1, so all of "
                     "them or none must be backed by a tensor, with the same byte_offset");
    if (llvm::any_of(create->getUsers(), llvm::IsaPred<ttcpp::CallOp>))
      return fail(i, "a C++ function uses it: take it out of the group");
    if (llvm::any_of(create->getUsers(), llvm::IsaPred<ttl::CBPublishOp>))
      return fail(i, "a thread publishes it, which fills the whole range at once: take it out of "
                     "the group");
  }
  return success();
}

Block *commonBlock(Block *a, Block *b) {
  for (; a; a = a->getParentOp() ? a->getParentOp()->getBlock() : nullptr)
    if (a == b || a->findAncestorOpInBlock(*b->getParentOp()))
      return a;
  return nullptr;
}

// Acquires of this side, and the releases of what they acquired.
LogicalResult AllocationGroup::collect(Side &side, bool reserved) {
  side.ops.resize(buffers.size());
  for (auto [i, create] : llvm::enumerate(buffers)) {
    for (Operation *acquire : create->getUsers()) {
      if (!isa<ttl::CBWaitOp, ttl::CBReserveOp>(acquire) || isReserved(acquire) != reserved)
        continue;
      if (isCountedAcquire(acquire))
        return fail(i, "it depends on run-time values how many blocks of it are held: release a "
                       "block where it is acquired");
      Operation *thread = acquire;
      while (thread && !ttl::isThread(thread))
        thread = thread->getParentOp();
      if (!thread)
        return fail(i, "a block of it is acquired outside of every thread: acquire it in a thread");
      if (side.thread && side.thread != thread)
        return fail(i, Twine("their blocks are ") + (reserved ? "reserved" : "waited for") +
                           " by several threads: use all buffers of a group in the same threads");
      side.thread = thread;
      side.ops[i].push_back(acquire);
      for (OpOperand &use : acquire->getResult(0).getUses()) {
        if (!forwardedTo(use).empty())
          return fail(i, "a loop or branch hands on a block of it: release a block where it is "
                         "acquired");
        side.ops[i].push_back(use.getOwner());
      }
    }
    for (Operation *op : side.ops[i])
      side.block = side.block ? commonBlock(side.block, op->getBlock()) : op->getBlock();
  }
  return success();
}

// Returns the buffers in the order of their first uses.
SmallVector<unsigned> AllocationGroup::inOrder(const Side &side) const {
  SmallVector<unsigned> order;
  for (Operation &op : *side.block)
    for (unsigned i = 0; i < buffers.size(); ++i)
      if (!llvm::is_contained(order, i) &&
          llvm::any_of(side.ops[i], [&](Operation *use) { return op.isAncestor(use); }))
        order.push_back(i);
  return order;
}

LogicalResult AllocationGroup::checkOrder(const Side &side) {
  Operation *last = nullptr;
  unsigned before = 0;
  for (unsigned i : inOrder(side)) {
    Operation *end = last;
    for (Operation *use : side.ops[i]) {
      Operation *here = side.block->findAncestorOpInBlock(*use);
      if (last && !last->isBeforeInBlock(here)) {
        InFlightDiagnostic diagnostic =
            fail(i, before, "their uses are mixed: use one buffer of a group after the other");
        diagnostic.attachNote(use->getLoc())
            << "this use lies between two uses of the other buffer";
        return diagnostic;
      }
      if (!end || end->isBeforeInBlock(here))
        end = here;
    }
    last = end;
    before = i;
  }
  return success();
}

// Checks that both threads use the same buffers in the same order. Names the first two that differ.
LogicalResult AllocationGroup::checkSameOrder() {
  SmallVector<unsigned> filled = inOrder(producer), drained = inOrder(consumer);
  for (unsigned i = 0; i < buffers.size(); ++i)
    if (bool isFilled = llvm::is_contained(filled, i); isFilled != llvm::is_contained(drained, i))
      return fail(i, Twine("no thread ") + (isFilled ? "drains" : "fills") +
                         " its blocks: fill and drain all buffers of a group");
  for (auto [first, second] : llvm::zip_equal(filled, drained))
    if (first != second)
      return fail(second, first,
                  Twine("the thread that fills their blocks uses '") + buffers[first].getName() +
                      "' first, and the one that drains them '" + buffers[second].getName() +
                      "': use them in the same order in both threads");
  return success();
}

// Counts what happens each time that the block around all uses runs.
LogicalResult AllocationGroup::checkCounts() {
  BufferCounts produced = countBufferOps(*producer.block, createdBufferOf),
               consumed = countBufferOps(*consumer.block, createdBufferOf);
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    CountRange pushes = produced.lookup(buffer)[BufferOp::Push];
    CountRange pops = consumed.lookup(buffer)[BufferOp::Pop];
    if (!pushes.isExact() || !pops.isExact())
      return fail(i, "how many of its blocks are used depends on the run: use a number of blocks "
                     "that is known at compile time");
    if (pushes != pops)
      return fail(i, Twine(pushes.least) + " of its blocks are pushed and " + Twine(pops.least) +
                         " popped before the next buffer of the group is used: pop what is pushed");
  }
  return success();
}

// Makes resets name the buffer that is left once: a reset of one buffer of the group resets all.
void nameOnceInResets(ttl::CreateCBOp buffer) {
  for (Operation *user : llvm::to_vector(buffer->getUsers())) {
    auto reset = dyn_cast<ttl::CBResetOp>(user);
    if (!reset)
      continue;
    llvm::SetVector<Value> names(reset.getBuffers().begin(), reset.getBuffers().end());
    reset.getBuffersMutable().assign(names.getArrayRef());
  }
}

LogicalResult AllocationGroup::merge() {
  if (failed(checkTypes()) || failed(collect(producer, true)) || failed(collect(consumer, false)))
    return failure();
  // If one of them is missing, ttl-verify-protocol reports a better error.
  if (producer.block && consumer.block) {
    if (failed(checkOrder(producer)) || failed(checkOrder(consumer)))
      return failure();
    if (failed(checkSameOrder()) || failed(checkCounts()))
      return failure();
  }
  std::string names = buffers[0].getName().str();
  for (ttl::CreateCBOp other : ArrayRef(buffers).drop_front()) {
    names += "/" + other.getName().str();
    other.replaceAllUsesWith(buffers[0].getOperation());
    other.erase();
  }
  buffers[0].setName(names);
  nameOnceInResets(buffers[0]);
  return success();
}

struct MergeAllocationGroups : ttjit::impl::TTLMergeAllocationGroupsBase<MergeAllocationGroups> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>())
      if (failed(run(kernel)))
        return signalPassFailure();
  }

  LogicalResult run(ttl::KernelOp kernel) {
    llvm::MapVector<Attribute, SmallVector<ttl::CreateCBOp>> groups;
    for (auto create : kernel.getBody().getOps<ttl::CreateCBOp>())
      if (Attribute group = create->removeAttr(ttl::kAllocationGroupAttr))
        groups[group].push_back(create);
    for (auto &[group, buffers] : groups) {
      if (buffers.size() > 1 && failed(AllocationGroup(buffers).merge()))
        return failure();
      numMerged += buffers.size() - 1;
    }
    numMerged += sharePhaseBuffers(kernel);
    return success();
  }
};

} // namespace
