//===- SchedulePipeline.cpp - transform.ttl.schedule_pipeline -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels are written transfer by transfer: reserve, copy, wait, push. At each
// wait the thread idles until that one transfer has landed.
//
// 1. Reorder each IR block of the target's data movement threads (TransferSchedule).
// 2. With `aggressive`, sum up by how much buffers must grow; they must fit into L1.
// 3. Move the ops.
//
// Rejects: a target outside of kernels or without transfers; buffers that do not
// fit; buffers that have an address.
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TTLTransformOps.h"
#include "passes/schedule/TransferSchedule.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

namespace {

class PipelineScheduler {
public:
  PipelineScheduler(const KernelView &kernel, Operation *target) : kernel(kernel) {
    for (const KernelView::Thread &thread : kernel.getThreads())
      if (!thread.isCompute)
        thread.body->walk([&](Block *block) { add(target, block); });
  }

  bool hasTransfers() const { return !blocks.empty(); }

  // Returns an empty text, or why buffers cannot grow as needed.
  std::string plan(bool moveReserves) {
    schedules.clear();
    growth.emplace(kernel);
    for (Block *block : blocks) {
      schedules.emplace_back(kernel, *block, moveReserves);
      if (moveReserves)
        growth->requireFor(schedules.back());
    }
    return growth->problem();
  }

  void apply() {
    for (const TransferSchedule &schedule : schedules)
      schedule.apply();
    growth->apply();
  }

private:
  void add(Operation *target, Block *block) {
    bool inside = target == kernel.getOperation() || target->isAncestor(block->getParentOp());
    if (inside && !block->getOps<ttl::CopyOp>().empty())
      blocks.push_back(block);
  }

  const KernelView &kernel;
  SmallVector<Block *> blocks;
  std::vector<TransferSchedule> schedules;
  std::optional<BufferGrowth> growth;
};

} // namespace

DiagnosedSilenceableFailure TTLSchedulePipelineOp::applyToOne(TransformRewriter &,
                                                              Operation *target,
                                                              ApplyToEachResultList &results,
                                                              TransformState &) {
  std::optional<KernelView> kernel = KernelView::around(target);
  if (!kernel)
    return failAt(*this, target) << "the target must be a kernel or an op in one";
  PipelineScheduler scheduler(*kernel, target);
  if (!scheduler.hasTransfers())
    return failAt(*this, target) << "the target has no transfers to schedule";
  bool aggressive = getStrategy() != "conservative";
  std::string problem = scheduler.plan(aggressive);
  if (!problem.empty() && getStrategy() == "auto")
    problem = scheduler.plan(/*moveReserves=*/false);
  if (!problem.empty())
    return failAt(*this, target) << problem;
  scheduler.apply();
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}
