//===- AssignDST.cpp - ttl-assign-dst -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: tiles are computed in a handful of DST registers. Unary ops work in
// place, binary ops write a register of their own, matmul adds to a register
// that nothing wrote before.
//
// For each ttl.compute, with the capacity of the program's chip and
// configuration:
// 1. Load the arguments in their order, keep the order of the ops, copy values
//    that a unary op would destroy while they are still needed, and assign
//    registers by linear scan: inputs and intermediates first, then one register
//    per output.
// 2. If that does not fit, order the ops so that fewer values are alive, load
//    each argument where it is read, and scan again with registers reused as
//    early as possible.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/Support/DSTSchedule.h"
#include "passes/Support/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLASSIGNDST
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

int dstCapacity(ttl::ProgramOp program) {
  auto config = program.getComputeConfigAttr();
  return archOf(program).dstCapacity(config && config.getFp32DestAccEn(),
                                     config && config.getDstFullSyncEn());
}

LogicalResult assign(ttl::ComputeOp compute, int capacity) {
  for (auto make : {DSTSchedule::inArgumentOrder, DSTSchedule::lazy}) {
    DSTSchedule schedule = make(compute);
    if (!schedule.assign(capacity))
      continue;
    schedule.apply();
    return success();
  }
  return compute.emitError() << "needs more than " << capacity << " DST registers";
}

struct AssignDST : ttjit::impl::TTLAssignDSTBase<AssignDST> {
  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation())) {
      if (!binding.isCompute())
        continue;
      int capacity = dstCapacity(binding.program);
      WalkResult result = binding.function.walk([&](ttl::ComputeOp compute) -> WalkResult {
        return assign(compute, capacity);
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};

} // namespace
