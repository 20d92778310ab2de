//===- ReorderForLocality.cpp - transform.ttl.reorder_for_locality ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: memory serves transfers fastest in the order of their pages' addresses; a kernel
// issues them in the order of its source.
//
// 1. Find runs of copies, with nothing but arithmetic, checks and acquires in between,
//    of tensors that no other thread writes.
// 2. Order each run by direction, by tensor (in the order of the arguments) and, if
//    indices differ by constants, by position in the tensor. All other ops keep their
//    order, and so do copies of a tensor that one of them writes.
//
// Rejects: targets outside of kernels, without runs of several copies, or whose
// runs are in order already.
//===--------------------------------------------------------------------------===//

#include "passes/schedule/KernelView.h"
#include "passes/schedule/TTLTransformOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

// The sum `base` + `constant`; `base` is null for a constant.
struct Index {
  Value base;
  int64_t constant = 0;
};

Index decompose(Value value) {
  Index index{value, 0};
  while (Operation *op = index.base ? index.base.getDefiningOp() : nullptr) {
    if (std::optional<int64_t> known = getConstantIntValue(index.base))
      return {Value(), index.constant + *known};
    if (isa<arith::IndexCastOp>(op)) {
      index.base = op->getOperand(0);
      continue;
    }
    if (!isa<arith::AddIOp, ttl::IntAddOp>(op))
      break;
    std::optional<int64_t> lhs = getConstantIntValue(op->getOperand(0));
    std::optional<int64_t> rhs = getConstantIntValue(op->getOperand(1));
    if (!lhs && !rhs)
      break;
    index.constant += lhs ? *lhs : *rhs;
    index.base = op->getOperand(lhs ? 1 : 0);
  }
  return index;
}

struct IndexedCopy {
  ttl::CopyOp copy;
  Value tensor;
  SmallVector<Value> bases;
  SmallVector<int64_t> at;
};

class RunSorter {
public:
  explicit RunSorter(const KernelView &kernel) : kernel(kernel) {}

  void run(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto copy = dyn_cast<ttl::CopyOp>(op);
      Value tensor = copy ? kernel.tensorOf(copy) : Value();
      if (tensor && !kernel.isShared(tensor))
        add(copy);
      else if (!onlyMayFault(&op) && !isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
        close();
    }
    close();
  }

  bool foundRuns = false, changed = false;

private:
  void add(ttl::CopyOp copy) {
    IndexedCopy transfer{copy, kernel.tensorOf(copy), {}, {}};
    Value slice = copy.isRead() ? copy.getSrc() : copy.getDst();
    for (Value value : slice.getDefiningOp<ttl::IndexAccessorOp>().getIndices()) {
      Index index = decompose(value);
      transfer.bases.push_back(index.base);
      transfer.at.push_back(index.constant);
    }
    transfers.push_back(std::move(transfer));
  }

  unsigned tensorNumber(Value tensor) { return cast<BlockArgument>(tensor).getArgNumber(); }

  // Copies of a tensor, and among them those with equal bases, move to the first one.
  bool comesBefore(const IndexedCopy &a, const IndexedCopy &b) {
    if (a.tensor != b.tensor)
      return tensorNumber(a.tensor) < tensorNumber(b.tensor);
    unsigned groupA = groupOf(a), groupB = groupOf(b);
    return groupA != groupB ? groupA < groupB : a.at < b.at;
  }

  unsigned groupOf(const IndexedCopy &transfer) {
    for (auto [i, other] : llvm::enumerate(transfers))
      if (other.tensor == transfer.tensor && other.bases == transfer.bases)
        return i;
    llvm_unreachable("a transfer is in its own group");
  }

  // Returns whether no copy writes a tensor that another copy accesses, whose result it changes.
  bool mayReorder() {
    for (auto [i, a] : llvm::enumerate(transfers))
      for (IndexedCopy &b : MutableArrayRef(transfers).drop_front(i + 1))
        if (a.tensor == b.tensor && !(a.copy.isRead() && b.copy.isRead()))
          return false;
    return true;
  }

  void close() {
    if (transfers.size() > 1) {
      foundRuns = true;
      if (mayReorder())
        sort();
    }
    transfers.clear();
  }

  void sort() {
    std::vector<unsigned> order(transfers.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      if (comesBefore(transfers[a], transfers[b]) || comesBefore(transfers[b], transfers[a]))
        return comesBefore(transfers[a], transfers[b]);
      return a < b;
    });
    if (llvm::is_sorted(order))
      return;
    changed = true;
    // Insert after the last copy, where the operands of all copies are defined.
    Operation *end = transfers.back().copy->getNextNode();
    for (unsigned i : order)
      transfers[i].copy->moveBefore(end);
  }

  const KernelView &kernel;
  std::vector<IndexedCopy> transfers;
};

} // namespace

DiagnosedSilenceableFailure TTLReorderForLocalityOp::applyToOne(TransformRewriter &,
                                                                Operation *target,
                                                                ApplyToEachResultList &results,
                                                                TransformState &) {
  std::optional<KernelView> kernel = KernelView::around(target);
  if (!kernel)
    return failAt(*this, target) << "the target must be a kernel or an op in one";
  RunSorter sorter(*kernel);
  for (const KernelView::Thread &thread : kernel->getThreads())
    if (!thread.isCompute)
      thread.body->walk([&](Block *block) {
        if (target == kernel->getOperation() || target->isAncestor(block->getParentOp()))
          sorter.run(*block);
      });
  if (!sorter.foundRuns)
    return failAt(*this, target)
           << "the target has no transfers that are issued one after the other "
              "(schedule_pipeline brings them together)";
  if (!sorter.changed)
    return failAt(*this, target)
           << "there is nothing to reorder: transfers are issued in the order "
              "of tensors and positions, or must stay where they are";
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}
