//===- Canonicalize.cpp - ttl-canonicalize --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels are written for any grid, shape and chip; here they are known.
//
// 1. A kernel that names no chip gets the pass option's.
// 2. Ops of tt-lang's own dialect, which name buffers, become ours, which name blocks.
// 3. Bodies of ttl.compute_region and ttl.block_compute go to where these stand.
// 4. Indices into a node's window of a tensor (ttl.grid_slice) become indices into
//    the tensor: this node's coordinate times the window's extent is added.
// 5. A while loop without effects gets one, an assert that holds: upstream takes
//    loops to end and erases those that do nothing, but an endless loop is a fault
//    the user wants to see.
// 6. Upstream's canonicalizer and CSE. Folders of ttl turn ttl.grid_size (and
//    ttl.core where the grid has one node in that dimension) into constants and user
//    arithmetic on constants into its result; waits for copies that a barrier
//    completed and barriers with nothing to wait for go.
//
// Rejects: ops of tt-lang's dialect where no block of the buffer is open; windows
// that are used for something else than indices.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/Passes.h"

#include "passes/ttl/Shorthands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLCANONICALIZE
#include "passes/ttl/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;

// Innermost first: a loop around one that has an effect has it too.
static void keepEndlessLoops(ModuleOp module) {
  module.walk([](scf::WhileOp loop) {
    if (!isMemoryEffectFree(loop))
      return;
    OpBuilder builder(loop.getYieldOp());
    Value holds = arith::ConstantIntOp::create(builder, loop.getLoc(), 1, 1);
    ttl::AssertOp::create(builder, loop.getLoc(), holds, "the loop goes on");
  });
}

namespace {

struct Canonicalize : ttjit::impl::TTLCanonicalizeBase<Canonicalize> {
  using TTLCanonicalizeBase::TTLCanonicalizeBase;

  LogicalResult initialize(MLIRContext *) override {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    return success();
  }

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<ttl::KernelOp>())
      if (!kernel.getArch())
        kernel.setArch(arch);
    FailureOr<ttjit::ShorthandCounts> counts = ttjit::expandShorthands(getOperation());
    if (failed(counts))
      return signalPassFailure();
    numAliases += counts->aliases;
    numWindows += counts->windows;
    keepEndlessLoops(getOperation());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }

  OpPassManager manager{ModuleOp::getOperationName()};
};

} // namespace
