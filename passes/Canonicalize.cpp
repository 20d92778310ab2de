//===- Canonicalize.cpp - ttl-canonicalize --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels are written for any grid, shape and chip; here they are known.
//
// 1. A kernel that names no chip gets the pass option's.
// 2. A while loop without effects gets one, an assert that holds: upstream takes
//    loops to end and erases those that do nothing, but an endless loop is a fault
//    the user wants to see.
// 3. Upstream's canonicalizer and CSE. Folders of ttl turn ttl.grid_size (and
//    ttl.core of a single node) into constants and user arithmetic on constants
//    into its result.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLCANONICALIZE
#include "passes/Passes.h.inc"
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
    keepEndlessLoops(getOperation());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }

  OpPassManager manager{ModuleOp::getOperationName()};
};

} // namespace
