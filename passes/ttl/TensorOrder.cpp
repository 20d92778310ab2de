//===- TensorOrder.cpp - copies of a tensor whose order matters ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The threads of a unified body run at the same time. If one of them writes a slice of a tensor and
// another one reads or writes it, they must not be two threads, unless
// * the slices have no element in common, because their indices are different constants; or
// * the copies are in order anyway: the first reads the slice, the second writes it, what it writes
//   was computed from what the first has read, and every repetition of the two has other elements:
//   the counter of each loop around both moves the slice in a dimension of its own, by its extent.
// The latter is how a kernel changes a tensor in place.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/TensorOrder.h"

#include "passes/common/DataFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// What a body copies and computes
//===--------------------------------------------------------------------------===//

TensorOrder::TensorOrder(ttl::UnifiedThreadOp thread) {
  thread.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto copy = dyn_cast<ttl::CopyOp>(op)) {
      add(copy, copy.getSrc(), /*writes=*/false);
      add(copy, copy.getDst(), /*writes=*/true);
    } else if (ttl::isBlockArithmetic(op)) {
      addFlow(op);
    }
  });
}

void TensorOrder::add(ttl::CopyOp copy, Value end, bool writes) {
  auto slice = end.getDefiningOp<ttl::IndexAccessorOp>();
  auto accessor = slice ? slice.getAccessor().getDefiningOp<ttl::TensorAccessorOp>() : nullptr;
  if (!accessor)
    return;
  Access access{copy, slice, writes, {}, cast<ttl::TensorSliceType>(end.getType()).getSizes()};
  for (Value index : slice.getIndices())
    access.constants.push_back(getConstantIntValue(index));
  tensors[accessor->getOperand(0)].push_back(std::move(access));
}

// Visits the acquires of the blocks from which a value is made.
static void visitAcquires(Value value, llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Value> values{value};
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    llvm::append_range(values, forwardedFrom(next));
    Operation *maker = next.getDefiningOp();
    if (isa_and_nonnull<ttl::CBWaitOp, ttl::CBReserveOp>(maker))
      visit(maker);
    else if (maker)
      llvm::append_range(values, maker->getOperands());
  }
}

void TensorOrder::addFlow(Operation *op) {
  SmallVector<Value> read, written;
  for (Value operand : op->getOperands())
    visitAcquires(operand, [&](Operation *acquire) {
      (isa<ttl::CBWaitOp>(acquire) ? read : written).push_back(acquire->getOperand(0));
    });
  for (Value from : read)
    flow[from].insert(written.begin(), written.end());
}

// Returns whether what is written was computed from what was read.
bool TensorOrder::flows(const Access &read, const Access &write) const {
  SmallVector<Value> buffers;
  visitAcquires(ttl::CopyOp(read.copy).getDst(),
                [&](Operation *op) { buffers.push_back(op->getOperand(0)); });
  Buffers seen;
  while (!buffers.empty()) {
    Value buffer = buffers.pop_back_val();
    if (!seen.insert(buffer).second)
      continue;
    if (auto it = flow.find(buffer); it != flow.end())
      llvm::append_range(buffers, it->second);
  }
  bool isComputed = false;
  visitAcquires(ttl::CopyOp(write.copy).getSrc(),
                [&](Operation *op) { isComputed |= seen.contains(op->getOperand(0)); });
  return isComputed;
}

//===--------------------------------------------------------------------------===//
// Elements in common
//===--------------------------------------------------------------------------===//

static bool isEqual(Value a, Value b) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && isPure(first) && first->getName() == second->getName() &&
         first->getAttrDictionary() == second->getAttrDictionary() && first->getNumRegions() == 0 &&
         llvm::equal(first->getOperands(), second->getOperands(),
                     [](Value x, Value y) { return isEqual(x, y); });
}

// Returns by how much an index grows if the counter grows by one; nothing if that is not known.
static std::optional<int64_t> growthOf(Value index, Value counter) {
  if (index == counter)
    return 1;
  Operation *maker = index.getDefiningOp();
  if (!maker)
    return isa<BlockArgument>(index) && isa<scf::WhileOp>(index.getParentBlock()->getParentOp())
               ? std::nullopt
               : std::optional<int64_t>(0);
  SmallVector<int64_t, 2> growths;
  for (Value operand : maker->getOperands()) {
    std::optional<int64_t> growth = growthOf(operand, counter);
    if (!growth)
      return std::nullopt;
    growths.push_back(*growth);
  }
  if (llvm::all_of(growths, [](int64_t growth) { return growth == 0; }))
    return isPure(maker) ? std::optional<int64_t>(0) : std::nullopt;
  if (isa<arith::AddIOp>(maker))
    return growths[0] + growths[1];
  if (isa<arith::SubIOp>(maker))
    return growths[0] - growths[1];
  if (isa<arith::IndexCastOp>(maker))
    return growths[0];
  if (isa<arith::MulIOp>(maker))
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> factor = getConstantIntValue(maker->getOperand(i)))
        return *factor * growths[1 - i];
  return std::nullopt;
}

// Returns whether each repetition of both slices, which are equal, has other elements: for every
// loop around them there is a dimension in which its counter alone moves the slice, by at least its
// extent.
static bool changesInLoops(ttl::IndexAccessorOp slice, ArrayRef<int64_t> extents, Operation *copy) {
  SmallVector<scf::ForOp> loops;
  for (Operation *loop = copy->getParentOp(); !isa<ttl::UnifiedThreadOp>(loop);
       loop = loop->getParentOp()) {
    if (isa<scf::WhileOp>(loop))
      return false;
    if (auto counted = dyn_cast<scf::ForOp>(loop))
      loops.push_back(counted);
  }
  auto movesApart = [&](scf::ForOp loop, Value index, int64_t extent) {
    std::optional<int64_t> growth = growthOf(index, loop.getInductionVar());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    return growth && step && std::abs(*growth * *step) >= extent &&
           llvm::all_of(loops, [&](scf::ForOp other) {
             return other == loop || growthOf(index, other.getInductionVar()) == 0;
           });
  };
  return llvm::all_of(loops, [&](scf::ForOp loop) {
    return llvm::any_of(llvm::zip(slice.getIndices(), extents), [&](auto dimension) {
      return movesApart(loop, std::get<0>(dimension), std::get<1>(dimension));
    });
  });
}

// Returns whether two copies are in order anyway. In the body the second one comes after the first;
// in a loop around both it comes before the first of the next iteration.
bool TensorOrder::isInOrder(const Access &first, const Access &second) const {
  size_t rank = first.constants.size(); // a part of a sharded tensor may have fewer extents
  if (second.constants.size() != rank || first.extents.size() != rank ||
      second.extents.size() != rank)
    return false;
  for (auto [a, b, n, m] :
       llvm::zip(first.constants, second.constants, first.extents, second.extents))
    if (a && b && (*a + n <= *b || *b + m <= *a))
      return true;
  return !first.writes && second.writes && first.copy->getBlock() == second.copy->getBlock() &&
         first.extents == second.extents &&
         llvm::equal(ttl::IndexAccessorOp(first.slice).getIndices(),
                     ttl::IndexAccessorOp(second.slice).getIndices(), isEqual) &&
         changesInLoops(first.slice, first.extents, ttl::CopyOp(first.copy)) &&
         flows(first, second);
}

bool TensorOrder::visitPairs(Copies wanted, Copies found) const {
  bool any = false;
  for (const auto &[tensor, accesses] : tensors)
    for (auto second = accesses.begin(); second != accesses.end(); ++second)
      for (auto first = accesses.begin(); first != second; ++first)
        if ((first->writes || second->writes) && wanted(first->copy, second->copy) &&
            !isInOrder(*first, *second))
          any |= found(first->copy, second->copy);
  return any;
}
