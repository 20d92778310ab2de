//===- Interpretable.cpp - removes ops that no engine runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Interpretable.h"

#include "passes/Passes.h"
#include "passes/ttl/SplitUnifiedThreads.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

LogicalResult session::makeInterpretable(ModuleOp module, StringRef arch) {
  if (failed(splitUnifiedThreads(module)))
    return failure();
  bool hasAliases = module
                        .walk([](Operation *op) {
                          bool isAlias = op->hasTrait<ttl::IsAlias>() || isa<ttl::GridSliceOp>(op);
                          return isAlias ? WalkResult::interrupt() : WalkResult::advance();
                        })
                        .wasInterrupted();
  if (!hasAliases)
    return success();
  PassManager manager(module.getContext());
  manager.addPass(createTTLCanonicalize(TTLCanonicalizeOptions{arch.str()}));
  return manager.run(module);
}
