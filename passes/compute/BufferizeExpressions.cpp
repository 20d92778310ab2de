//===- BufferizeExpressions.cpp - ttl-bufferize-expressions ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: to test ttl-form-compute, its results are compared with those of a pass that
// fuses nothing. This is that pass; it runs instead of ttl-form-compute.
//
// In program order it bufferizes each block expression through its
// BufferizableOpInterface: the op gets a block of its own, of a compiler-made Float32
// buffer, is computed there and read from there.
//
// Rejects: expressions that loops carry or branches return; ttl.compute_region and
// ttl.block_compute, which ttl-canonicalize replaces by their bodies.
//===--------------------------------------------------------------------------===//

#include "passes/compute/Passes.h"

#include "passes/compute/ExpressionBuffers.h"
#include "passes/compute/ExpressionChecks.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/PatternMatch.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLBUFFERIZEEXPRESSIONS
#include "passes/compute/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;

namespace {

struct BufferizeExpressions : ttjit::impl::TTLBufferizeExpressionsBase<BufferizeExpressions> {
  void getDependentDialects(DialectRegistry &registry) const override {
    TTLBufferizeExpressionsBase::getDependentDialects(registry);
    ttjit::registerExpressionBuffers(registry);
  }

  void runOnOperation() override {
    SmallVector<bufferization::BufferizableOpInterface> ops;
    WalkResult known = getOperation().walk([&](ttl::ComputeThreadOp thread) -> WalkResult {
      if (failed(ttjit::checkHasNoRegions(thread)))
        return WalkResult::interrupt();
      // Other dialects promise the interface without having been given it.
      thread.walk([&](Operation *op) {
        if (isa<ttl::TTLDialect>(op->getDialect()))
          if (auto bufferizable = dyn_cast<bufferization::BufferizableOpInterface>(op))
            ops.push_back(bufferizable);
      });
      return WalkResult::advance();
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    bufferization::BufferizationOptions options;
    bufferization::BufferizationState state;
    for (bufferization::BufferizableOpInterface op : ops) {
      rewriter.setInsertionPoint(op);
      if (failed(op.bufferize(rewriter, options, state)))
        return signalPassFailure();
      ++numBuffers;
    }
  }
};

} // namespace
