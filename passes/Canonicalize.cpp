//===- Canonicalize.cpp - ttl-canonicalize --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: kernels are written for any grid, shape and chip; here they are known.
//
// 1. A kernel that names no chip gets the pass option's.
// 2. Upstream's canonicalizer and CSE. Folders of ttl turn ttl.grid_size (and
//    ttl.core of a single node) into constants and user arithmetic on constants
//    into its result.
//
// Rejects nothing.
//===--------------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLCANONICALIZE
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;

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
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }

  OpPassManager manager{ModuleOp::getOperationName()};
};

} // namespace
