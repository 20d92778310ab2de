//===- Interpretable.cpp - prepares a module for the interpreter --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Interpretable.h"

#include "passes/Passes.h"
#include "passes/Pipeline.h"
#include "passes/ttl/LowerAffine.h"
#include "passes/ttl/Microcores.h"
#include "passes/ttl/SplitUnifiedThreads.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static bool hasAliases(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isAlias = op->hasTrait<ttl::IsAlias>() || isa<ttl::GridSliceOp>(op);
        return isAlias ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult session::makeInterpretable(ModuleOp module, StringRef arch, int done) {
  microcoresToThreads(module);
  if (failed(lowerAffine(module)) || failed(splitUnifiedThreads(module)))
    return failure();
  PassManager manager(module.getContext());
  if (hasAliases(module))
    manager.addPass(createTTLCanonicalize(TTLCanonicalizeOptions{arch.str()}));
  if (done < *findStep("ttl-insert-copy-waits"))
    manager.addPass(createTTLInsertCopyWaits());
  if (done < *findStep("ttl-insert-releases"))
    manager.addPass(createTTLInsertReleases());
  return manager.run(module);
}
