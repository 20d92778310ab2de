//===- VerifyLowered.cpp - ttl-verify-lowered ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: engines and emitter know a fixed set of ops. Any other op in a thread is a
// mistake of an earlier pass; this pass reports it before an engine fails on it.
//
// 1. Look at every op of every thread function, and at the functions' arguments.
//
// Rejects ops outside the set. In the pipeline they are internal errors.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/VerifyLowered.h"

#include "passes/ttkernel/Passes.h"

#include "passes/common/Threads.h"

#include "ir/TTCpp/TTCpp.h"
#include "ir/TTLTest/TTLTest.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYLOWERED
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool isUserArithmetic(Operation *op) {
  return isa<ttl::IntAddOp, ttl::IntSubOp, ttl::IntMulOp, ttl::IntFloorDivOp, ttl::IntModOp,
             ttl::IntPowOp, ttl::IntNegOp, ttl::IntAbsOp, ttl::AssertOp, ttl::CheckIndexOp>(op);
}

bool ttjit::isLowered(Operation *op) {
  return isa<ttkernel::TTKernelDialect, arith::ArithDialect>(op->getDialect()) ||
         isa<func::FuncOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
             scf::ConditionOp, ttcpp::CallOp, ttltest::InterpOnlyOp, ttltest::FaultOp>(op) ||
         isUserArithmetic(op);
}

namespace {

struct VerifyLowered : ttjit::impl::TTLVerifyLoweredBase<VerifyLowered> {
  using TTLVerifyLoweredBase::TTLVerifyLoweredBase;

  void runOnOperation() override {
    if (bindingOf(getOperation()) && failed(verify(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult verify(func::FuncOp function);
  LogicalResult report(Operation *op, const Twine &left);
};

// Reports an op. Run on its own, the pass may get a module that no pass has lowered.
LogicalResult VerifyLowered::report(Operation *op, const Twine &left) {
  if (internal)
    return op->emitError("internal error: ") << left << " after stage 'ttkernel'; please report it";
  return op->emitError()
         << left
         << ": ttl-verify-lowered expects threads as stage 'ttkernel' makes them; "
            "run ttl-to-ttkernel, or ttl-lower-compute, ttl-lower-data-movement and "
            "ttl-lower-synchronization, before it";
}

LogicalResult VerifyLowered::verify(func::FuncOp function) {
  if (function.getNumArguments())
    return report(function,
                  "the thread's function '" + function.getSymName() + "' still has arguments");
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (isLowered(op))
      return WalkResult::advance();
    return report(op, "'" + op->getName().getStringRef() + "' is left");
  });
  return failure(result.wasInterrupted());
}

} // namespace
