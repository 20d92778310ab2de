//===- WaitRuns.cpp - waits that can become one barrier -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/common/WaitRuns.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<WaitRun> ttjit::findWaitRuns(Block &block,
                                         llvm::function_ref<bool(ttl::WaitOp)> isChosen,
                                         llvm::function_ref<bool(Operation *)> mayStandBetween) {
  SmallVector<WaitRun> runs(1);
  for (Operation &op : block) {
    auto wait = dyn_cast<ttl::WaitOp>(op);
    if (wait && isChosen(wait))
      runs.back().push_back(wait);
    else if (!mayStandBetween(&op))
      runs.emplace_back();
  }
  llvm::erase_if(runs, [](const WaitRun &run) { return run.size() < 2; });
  return runs;
}

ttl::DMABarrierOp ttjit::mergeWaits(RewriterBase &rewriter, ArrayRef<ttl::WaitOp> run, bool reads) {
  ttl::WaitOp first = run.front();
  rewriter.setInsertionPoint(first);
  SmallVector<Location> places =
      llvm::map_to_vector(run, [](ttl::WaitOp wait) -> Location { return wait.getLoc(); });
  auto barrier = ttl::DMABarrierOp::create(rewriter, rewriter.getFusedLoc(places),
                                           reads ? ttl::TransferDirection::Reads
                                                 : ttl::TransferDirection::Writes);
  for (ttl::WaitOp wait : run)
    rewriter.eraseOp(wait);
  return barrier;
}
