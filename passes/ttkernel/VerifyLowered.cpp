//===- VerifyLowered.cpp - ttl-verify-lowered -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: engines and emitter know a fixed set of ops. Any other op in a thread is a
// mistake of an earlier pass; this pass reports it before an engine fails on it.
//
// 1. Look at every op of every thread function, and at the functions' arguments.
//
// Rejects ops outside the set, as internal errors.
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/Passes.h"

#include "passes/common/Threads.h"

#include "ir/TTLTest/TTLTest.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLVERIFYLOWERED
#include "passes/ttkernel/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

bool isUserArithmetic(Operation *op) {
  return isa<ttl::IntAddOp, ttl::IntSubOp, ttl::IntMulOp, ttl::IntFloorDivOp, ttl::IntModOp,
             ttl::IntPowOp, ttl::IntNegOp, ttl::IntAbsOp, ttl::AssertOp, ttl::CheckIndexOp>(op);
}

bool isKnown(Operation *op) {
  return isa<ttkernel::TTKernelDialect, arith::ArithDialect>(op->getDialect()) ||
         isa<func::FuncOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
             scf::ConditionOp, ttltest::InterpOnlyOp, ttltest::FaultOp>(op) ||
         isUserArithmetic(op);
}

LogicalResult verify(func::FuncOp function) {
  if (function.getNumArguments())
    return function.emitError("internal error: thread function still has arguments");
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    if (isKnown(op))
      return WalkResult::advance();
    return op->emitError("internal error: '")
           << op->getName() << "' is left after lowering to ttkernel; please report it";
  });
  return failure(result.wasInterrupted());
}

struct VerifyLowered : ttjit::impl::TTLVerifyLoweredBase<VerifyLowered> {
  void runOnOperation() override {
    if (bindingOf(getOperation()) && failed(verify(getOperation())))
      signalPassFailure();
  }
};

} // namespace
