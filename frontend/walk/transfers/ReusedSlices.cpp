//===- ReusedSlices.cpp - slices into which a pipe brings several blocks ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/walk/transfers/ReusedSlices.h"

#include "frontend/walk/context/Kernel.h"
#include "frontend/walk/syntax/Ast.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTL/TTL.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit::frontend;

namespace {

// A receive over a pipe, and the slice into which its block is copied.
struct Receive {
  ttl::CopyOp copy;
  ttl::IndexAccessorOp slice;
};

} // namespace

// Returns the slice that gets the block of a receive: that of the next copy, which
// SliceReceives::wait built. Returns null if the block does not go to a slice.
static ttl::IndexAccessorOp sliceAfter(ttl::CopyOp receive) {
  for (Operation *op = receive->getNextNode(); op; op = op->getNextNode())
    if (auto copy = dyn_cast<ttl::CopyOp>(op))
      return copy.getDst().getDefiningOp<ttl::IndexAccessorOp>();
  return {};
}

// Adds the values on which an argument of a block inside the loop depends. Returns false if they
// are not known.
static bool addSources(Operation *loop, mlir::Value argument,
                       SmallVectorImpl<mlir::Value> &sources) {
  Operation *owner = argument.getParentBlock()->getParentOp();
  // The counter of a loop inside of this one takes the same values in each iteration.
  auto inner = dyn_cast<scf::ForOp>(owner);
  if (inner && inner != loop && argument == inner.getInductionVar()) {
    sources.append({inner.getLowerBound(), inner.getUpperBound(), inner.getStep()});
    return true;
  }
  return isa<ttl::IfPipeDstOp>(owner); // each call of the callback has the pipe of its own
}

// Returns whether one of the values may differ between two iterations of the loop.
static bool mayChangeIn(Operation *loop, ValueRange values) {
  SmallVector<mlir::Value> open(values);
  llvm::DenseSet<mlir::Value> seen;
  while (!open.empty()) {
    mlir::Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    Operation *owner = op ? op : value.getParentBlock()->getParentOp();
    if (!seen.insert(value).second || !loop->isAncestor(owner))
      continue;
    if (!op) {
      if (!addSources(loop, value, open))
        return true;
      continue;
    }
    if (op->getNumRegions() || !isMemoryEffectFree(op))
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}

// Returns whether the op is a loop that may have more than one iteration.
static bool isLoopOfSeveral(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return isa<scf::WhileOp>(op);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  return !lower || !upper || !step || *lower + *step < *upper;
}

static bool isRepeatedInLoop(Receive receive) {
  for (Operation *op = receive.copy->getParentOp(); op && !ttl::isThread(op);
       op = op->getParentOp())
    if (isLoopOfSeveral(op) && !mayChangeIn(op, receive.slice.getIndices()))
      return true;
  return false;
}

// Returns whether no branch decides whether the op runs when the block runs.
static bool isUnconditionalIn(mlir::Block *block, Operation *op) {
  for (; op && op->getBlock() != block; op = op->getParentOp())
    if (isa_and_nonnull<scf::IfOp>(op->getParentOp()))
      return false;
  return op;
}

// Returns whether both receives, the second one after the first one, run on every path through the
// innermost block around them, and name one slice.
static bool areInOneSlice(Receive first, Receive second) {
  auto isSame = [](mlir::Value one, mlir::Value other) {
    std::optional<int64_t> number = getConstantIntValue(one);
    return one == other || (number && number == getConstantIntValue(other));
  };
  if (first.slice.getResult().getType() != second.slice.getResult().getType() ||
      first.slice.getAccessor() != second.slice.getAccessor() ||
      !llvm::equal(first.slice.getIndices(), second.slice.getIndices(), isSame))
    return false;
  mlir::Block *block = first.copy->getBlock();
  while (block && !block->findAncestorOpInBlock(*second.copy))
    block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr;
  return block && isUnconditionalIn(block, first.copy) && isUnconditionalIn(block, second.copy);
}

static bool usesSliceAgain(ArrayRef<Receive> receives) {
  for (size_t i = 0; i < receives.size(); ++i) {
    if (isRepeatedInLoop(receives[i]))
      return true;
    for (const Receive &earlier : receives.take_front(i))
      if (areInOneSlice(earlier, receives[i]))
        return true;
  }
  return false;
}

void ttjit::frontend::limitReusedSlices(Kernel &kernel) {
  llvm::MapVector<Operation *, SmallVector<Receive>> receives;
  kernel.op.walk([&](ttl::CopyOp copy) {
    Operation *callback = copy.isReceive() ? callbackOf(copy.getSrc()) : nullptr;
    ttl::IndexAccessorOp slice = callback ? sliceAfter(copy) : nullptr;
    if (slice && netOf(callback)->hasAttr(kQueuedAttr))
      receives[netOf(callback)].push_back({copy, slice});
  });
  for (auto &[net, ofNet] : receives) {
    if (!usesSliceAgain(ofNet))
      continue;
    net->removeAttr(kQueuedAttr);
    pythonModule<"ttl._device_pipes">().attr("forget_slices"_py)(
        kernel.call, cast<ttl::CreatePipeNetOp>(net).getName().str());
  }
}
