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
// 3. If that does not fit either, split the compute: what several ops read, and
//    operands of ops that need too many registers, go through compiler-made
//    Float32 buffers. The pieces fit.
//
// Rejects nothing; buffers beyond what the chip has are reported as
// ttl-allocate-circular-buffers does.
//===--------------------------------------------------------------------------===//

#include "passes/Support/BufferLayout.h"
#include "passes/Support/BufferLimits.h"
#include "passes/Support/DSTSchedule.h"
#include "passes/Support/SplitCompute.h"
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

bool assign(ttl::ComputeOp compute, int capacity) {
  for (auto make : {DSTSchedule::inArgumentOrder, DSTSchedule::lazy}) {
    DSTSchedule schedule = make(compute);
    if (!schedule.assign(capacity))
      continue;
    schedule.apply();
    return true;
  }
  return false;
}

struct AssignDST : ttjit::impl::TTLAssignDSTBase<AssignDST> {
  using TTLAssignDSTBase::TTLAssignDSTBase;

  void runOnOperation() override {
    for (ThreadBinding &binding : getThreads(getOperation()))
      if (binding.isCompute() && failed(assignThread(binding)))
        return signalPassFailure();
  }

  LogicalResult assignThread(ThreadBinding &binding) {
    int capacity = dstCapacity(binding.program);
    SmallVector<ttl::ComputeOp> computes, tooLarge;
    binding.function.walk([&](ttl::ComputeOp compute) { computes.push_back(compute); });
    for (ttl::ComputeOp compute : computes)
      if (!assign(compute, capacity))
        tooLarge.push_back(compute);
    if (tooLarge.empty())
      return success();
    bool fitted = fitsChip(binding.program);
    for (ttl::ComputeOp compute : tooLarge)
      for (ttl::ComputeOp piece : splitCompute(compute, capacity, binding))
        if (!assign(piece, capacity))
          return piece.emitError() << "internal error: a piece of a split computation needs more "
                                   << "than " << capacity << " DST registers; please report it";
    layOutBuffers(binding.program);
    return fitted ? checkBufferLimits(binding.program, strict) : success();
  }
};

} // namespace
