//===- Interpretable.cpp - what the interpreter need not know ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/Interpretable.h"

#include "passes/PipePasses.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {
struct Spelling {
  bool (*contains)(Operation *);
  std::unique_ptr<Pass> (*createPass)(const std::string &arch);
};
} // namespace

// tt-lang's own ops, and windows of tensors.
static bool isAlias(Operation *op) {
  return op->hasTrait<ttl::IsAlias>() || isa<ttl::GridSliceOp>(op);
}

// Pipes as the user writes them.
static bool isPipe(Operation *op) {
  return isa<ttl::CreatePipeNetOp, ttl::IfPipeSrcOp, ttl::IfPipeDstOp, ttl::IsPipeSrcOp,
             ttl::IsPipeDstOp, ttl::IsPipeActiveOp>(op);
}

static constexpr Spelling kSpellings[] = {
    {isAlias,
     [](const std::string &arch) { return createTTLCanonicalize(TTLCanonicalizeOptions{arch}); }},
    {isPipe, [](const std::string &) { return createTTLInferPipeSemaphores(); }},
};

LogicalResult session::makeInterpretable(ModuleOp module, StringRef arch) {
  PassManager manager(module.getContext());
  for (const Spelling &spelling : kSpellings) {
    bool found = module
                     .walk([&](Operation *op) {
                       return spelling.contains(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                     })
                     .wasInterrupted();
    if (found)
      manager.addPass(spelling.createPass(arch.str()));
  }
  return manager.size() ? manager.run(module) : success();
}
