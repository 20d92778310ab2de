//===- Canonicalize.cpp - ttl-canonicalize ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels are written for any grid, shape and chip; at this point they are
// known.
//
// 1. Set the pass option's chip for a kernel that does not name one.
// 2. Replace ops of tt-lang's own dialect, which name buffers, by ours, which name
//    blocks.
// 3. Replace ttl.compute_region and ttl.block_compute by their bodies.
// 4. Turn indices into a node's window of a tensor (ttl.grid_slice) into indices into
//    the tensor: add this node's coordinate times the window's extent.
// 5. Give a while loop without effects an effect, an assert that always holds. Upstream
//    erases loops that do nothing, because it assumes that loops end; but an endless
//    loop is a fault that the user must see.
// 6. Run upstream's canonicalizer and CSE. Folders of ttl turn ttl.grid_size (and
//    ttl.core if the grid has one node in that dimension) into constants and user
//    arithmetic on constants into its result. They erase waits for copies that a
//    barrier completed, and barriers that wait for nothing.
//
// Rejects: ops of tt-lang's dialect if no block of the buffer is open; windows that are
// used for something else than indices.
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

// Visits inner loops first: a loop around one that has an effect has an effect, too.
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
