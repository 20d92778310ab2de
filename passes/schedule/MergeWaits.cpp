//===- MergeWaits.cpp - transform.ttl.coalesce_dma ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread waits one by one for several small transfers that it needs
// together. That takes one barrier for each transfer.
//
// 1. Find the wait of each target copy: the only one, in the IR block of the copy.
// 2. Replace waits that follow each other, with nothing but arithmetic in between, by
//    one barrier of that direction at the place of the first.
//
// Rejects: ops that are no transfers of tensors; different blocks of code or
// directions; copies of which no two are waited for together.
//===--------------------------------------------------------------------------===//

#include "passes/common/WaitRuns.h"
#include "passes/schedule/KernelView.h"
#include "passes/schedule/TTLTransformOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

// Returns the only wait for a copy if it is in the copy's IR block; else null.
ttl::WaitOp waitOf(ttl::CopyOp copy) {
  if (!copy->hasOneUse())
    return {};
  auto wait = dyn_cast<ttl::WaitOp>(*copy->user_begin());
  return wait && wait->getBlock() == copy->getBlock() ? wait : ttl::WaitOp();
}

SmallVector<WaitRun> findRuns(ArrayRef<ttl::CopyOp> copies) {
  DenseSet<Operation *> waits;
  for (ttl::CopyOp copy : copies)
    waits.insert(waitOf(copy));
  return findWaitRuns(
      *ttl::CopyOp(copies.front())->getBlock(),
      [&](ttl::WaitOp wait) { return waits.contains(wait); }, onlyMayFault);
}

} // namespace

DiagnosedSilenceableFailure TTLCoalesceDMAOp::apply(TransformRewriter &rewriter,
                                                    TransformResults &results,
                                                    TransformState &state) {
  SmallVector<ttl::CopyOp> copies;
  for (Operation *op : state.getPayloadOps(getTarget())) {
    auto copy = dyn_cast<ttl::CopyOp>(op);
    std::optional<KernelView> kernel = KernelView::around(op);
    if (!copy || !kernel || !kernel->tensorOf(copy))
      return failAt(*this, op) << "the transfers to merge must be between tensors and blocks";
    if (!copies.empty() && copy->getBlock() != copies.front()->getBlock())
      return failAt(*this, op) << "the transfers to merge must be in one block of code";
    if (!copies.empty() && copy.isRead() != copies.front().isRead())
      return failAt(*this, op) << "the transfers to merge must all be reads or all be writes";
    if (!waitOf(copy))
      return failAt(*this, op)
             << "each transfer to merge must have one wait, in the block of code that starts it";
    copies.push_back(copy);
  }
  SmallVector<WaitRun> runs;
  if (!copies.empty())
    runs = findRuns(copies);
  if (!copies.empty() && runs.empty())
    return failAt(*this, copies.front())
           << "no two of the transfers are waited for together (schedule_pipeline may bring their "
              "waits together)";
  SmallVector<Operation *> barriers = llvm::map_to_vector(runs, [&](const WaitRun &run) {
    return mergeWaits(rewriter, run, copies.front().isRead()).getOperation();
  });
  results.set(cast<OpResult>(getResult()), barriers);
  return DiagnosedSilenceableFailure::success();
}
