//===- LowerAffine.cpp - ttl-lower-affine -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels written in MLIR may have affine loops, branches and index arithmetic.
// The other passes and the engines know scf and arith.
//
// 1. Replace the ops of the affine dialect that have a counterpart in scf and arith.
//
// Rejects: affine ops on memory and vectors, which kernels do not have.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/LowerAffine.h"

#include "passes/ttl/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLLOWERAFFINE
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace ttjit;

static bool isAffine(Operation *op) { return isa<affine::AffineDialect>(op->getDialect()); }

static bool hasCounterpart(Operation *op) {
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineYieldOp, affine::AffineApplyOp,
             affine::AffineMinOp, affine::AffineMaxOp>(op);
}

FailureOr<unsigned> ttjit::lowerAffine(ModuleOp module) {
  // Outside of a pass nobody has loaded the dialects of the new ops.
  module.getContext()->loadDialect<arith::ArithDialect, scf::SCFDialect>();
  unsigned count = 0;
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (!op->getDialect() || !isAffine(op))
      return WalkResult::advance();
    ++count;
    if (hasCounterpart(op))
      return WalkResult::advance();
    return op->emitError() << "a kernel cannot have " << op->getName()
                           << ": of the affine dialect it may have for, if, apply, min and max";
  });
  if (result.wasInterrupted())
    return failure();
  if (!count)
    return 0;
  RewritePatternSet patterns(module.getContext());
  populateAffineToStdConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<arith::ArithDialect, scf::SCFDialect>();
  target.addIllegalDialect<affine::AffineDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  return count;
}

namespace {
struct LowerAffine : ttjit::impl::TTLLowerAffineBase<LowerAffine> {
  void runOnOperation() override {
    FailureOr<unsigned> count = lowerAffine(getOperation());
    if (failed(count))
      return signalPassFailure();
    numLowered += *count;
  }
};
} // namespace
