//===- MergeWaits.cpp - transform.ttl.coalesce_dma -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a thread waits one by one for several small transfers that it needs together: that
// is one barrier for each transfer.
//
// 1. Each target copy has one wait, in its own block of code.
// 2. Waits that follow each other, with nothing but arithmetic in between, become
//    one barrier of that direction at the place of the first.
//
// Rejects: ops that are no transfers of tensors; different blocks of code or
// directions; copies of which no two are waited for together.
//===--------------------------------------------------------------------------===//

#include "passes/common/Threads.h"
#include "passes/schedule/KernelView.h"
#include "passes/schedule/TTLTransformOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

/// The only wait for a copy, if it stands in the copy's block of code.
ttl::WaitOp waitOf(ttl::CopyOp copy) {
  if (!copy->hasOneUse())
    return {};
  auto wait = dyn_cast<ttl::WaitOp>(*copy->user_begin());
  return wait && wait->getBlock() == copy->getBlock() ? wait : ttl::WaitOp();
}

// Runs of at least two waits for `copies`, in order.
SmallVector<SmallVector<ttl::WaitOp>> findRuns(ArrayRef<ttl::CopyOp> copies) {
  DenseSet<Operation *> waits;
  for (ttl::CopyOp copy : copies)
    waits.insert(waitOf(copy));
  SmallVector<SmallVector<ttl::WaitOp>> runs(1);
  for (Operation &op : *copies.front()->getBlock()) {
    if (waits.contains(&op))
      runs.back().push_back(cast<ttl::WaitOp>(op));
    else if (!onlyMayFault(&op) && !runs.back().empty())
      runs.emplace_back();
  }
  llvm::erase_if(runs, [](auto &run) { return run.size() < 2; });
  return runs;
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
      return failAt(*this, op) << "merges transfers between tensors and blocks";
    if (!copies.empty() && copy->getBlock() != copies.front()->getBlock())
      return failAt(*this, op) << "merges transfers of one block of code";
    if (!copies.empty() && copy.isRead() != copies.front().isRead())
      return failAt(*this, op) << "merges transfers of one direction";
    if (!waitOf(copy))
      return failAt(*this, op)
             << "merges transfers that are waited for once, where they are issued";
    copies.push_back(copy);
  }
  SmallVector<SmallVector<ttl::WaitOp>> runs;
  if (!copies.empty())
    runs = findRuns(copies);
  if (!copies.empty() && runs.empty())
    return failAt(*this, copies.front())
           << "no two of the transfers are waited for together (schedule_pipeline may move their "
              "waits to each other)";
  SmallVector<Operation *> barriers;
  auto direction = !copies.empty() && copies.front().isRead() ? ttl::TransferDirection::Reads
                                                              : ttl::TransferDirection::Writes;
  for (ArrayRef<ttl::WaitOp> run : runs) {
    rewriter.setInsertionPoint(run.front());
    SmallVector<Location> locations =
        llvm::map_to_vector(run, [](ttl::WaitOp wait) -> Location { return wait.getLoc(); });
    barriers.push_back(
        ttl::DMABarrierOp::create(rewriter, FusedLoc::get(getContext(), locations), direction));
    for (ttl::WaitOp wait : run)
      rewriter.eraseOp(wait);
  }
  results.set(cast<OpResult>(getResult()), barriers);
  return DiagnosedSilenceableFailure::success();
}
