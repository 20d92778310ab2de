//===- BufferizeExpressions.cpp - ttl-bufferize-expressions -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a test of ttl-form-compute needs a simple pass to compare its results with.
// This pass fuses nothing; it runs instead of ttl-form-compute.
//
// In program order it bufferizes each block expression through its
// BufferizableOpInterface: the op is computed into a block of its own compiler-made
// Float32 buffer, and its users read that block.
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
      // Ops of other dialects promise the interface but have no implementation loaded;
      // skip them.
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
