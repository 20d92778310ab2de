//===- AllocateDSTRegisters.cpp - transform.ttl.allocate_dst_registers --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a schedule may choose how the registers of one ttl.compute are allocated, or
// check that the compute fits.
//
// 1. Take the capacity of the kernel's chip and configuration, or the schedule's.
// 2. Allocate registers with the chosen order and options (DSTSchedule). ttl-assign-dst
//    keeps the registers of a compute that has some.
//
// Rejects: computes outside of kernels, with registers or spills, or with too many
// values.
//===--------------------------------------------------------------------------===//

#include "passes/dst/ComputeBody.h"
#include "passes/dst/DSTCapacity.h"
#include "passes/dst/DSTSchedule.h"
#include "passes/schedule/KernelView.h"
#include "passes/schedule/TTLTransformOps.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::transform;
using namespace ttjit;

static int chipCapacity(const KernelView &kernel) {
  SmallVector<Value> buffers;
  for (const KernelView::Thread &thread : kernel.getThreads())
    if (thread.isCompute)
      llvm::append_range(buffers, acquiredBuffers(*thread.body));
  return dstCapacityOf(kernel.getArch(), kernel.getComputeConfig(), buffers);
}

DiagnosedSilenceableFailure TTLAllocateDSTRegistersOp::applyToOne(TransformRewriter &,
                                                                  ttl::ComputeOp compute,
                                                                  ApplyToEachResultList &results,
                                                                  TransformState &) {
  std::optional<KernelView> kernel = KernelView::around(compute);
  if (!kernel)
    return failAt(*this, compute) << "the target must be in a kernel";
  if (hasRegisters(compute))
    return failAt(*this, compute) << "the compute has registers already";
  if (!compute.getBody().front().getOps<ttl::SpillTileToL1Op>().empty())
    return failAt(*this, compute) << "the compute spills tiles: leave it to ttl-assign-dst, which "
                                     "splits it";
  int capacity = chipCapacity(*kernel);
  if (getCapacity() && static_cast<int64_t>(*getCapacity()) > capacity)
    return failAt(*this, compute) << "capacity " << *getCapacity() << " is more than the "
                                  << capacity << " registers of " << kernel->getArch().name
                                  << " in this kernel's configuration";
  if (getCapacity())
    capacity = *getCapacity();
  hoistNumbers(compute);
  auto allocate = [&](DSTSchedule schedule) {
    if (!schedule.assign(capacity))
      return false;
    schedule.apply();
    return true;
  };
  if ((getOrder() == "lazy" || !allocate(DSTSchedule::inArgumentOrder(compute))) &&
      (getOrder() == "arguments" || !allocate(DSTSchedule::lazy(compute))))
    return failAt(*this, compute) << "the compute needs more than " << capacity
                                  << " registers in this order";
  results.push_back(compute);
  return DiagnosedSilenceableFailure::success();
}
