//===- Interpretable.cpp - removes ops that no engine runs ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Interpretable.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {
/// What of a module the interpreter does not run as it is.
struct Unready {
  bool isUnified = false;     ///< a thread that does the work of all threads
  bool lacksReleases = false; ///< threads in which the compiler may infer releases
  bool hasAliases = false;

  void add(Operation *op) {
    isUnified |= isa<ttl::UnifiedThreadOp>(op);
    lacksReleases |= isUnified || op->hasAttr(ttl::kFromUnifiedAttr);
    hasAliases |= op->hasTrait<ttl::IsAlias>() || isa<ttl::GridSliceOp>(op);
  }
};
} // namespace

LogicalResult session::makeInterpretable(ModuleOp module, StringRef arch) {
  Unready unready;
  module.walk([&](Operation *op) { unready.add(op); });
  PassManager manager(module.getContext());
  if (unready.isUnified)
    manager.addPass(createTTLSplitUnifiedThreads());
  if (unready.hasAliases)
    manager.addPass(createTTLCanonicalize(TTLCanonicalizeOptions{arch.str()}));
  if (unready.lacksReleases)
    manager.addPass(createTTLInsertReleases());
  return manager.empty() ? success() : manager.run(module);
}
