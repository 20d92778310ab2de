//===- PassAliases.cpp - other tools' names for passes ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The design documents and tt-lang's own tools have other names for some passes. Each
// such name is registered as a pipeline that runs our pass with its default options, so
// that command lines and `transform.apply_registered_pass` written for those tools
// work. The passes of tt-mlir are in UpstreamPasses.def.
//===--------------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/Pipeline.h"
#include "passes/UpstreamPasses.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace ttjit;

namespace {

struct Alias {
  StringRef name, stands;
  void (*build)(OpPassManager &);
};

void lowerToTTKernel(OpPassManager &manager) {
  OpPassManager &threads = manager.nest<func::FuncOp>();
  threads.addPass(createTTLLowerCompute());
  threads.addPass(createTTLLowerDataMovement());
  threads.addPass(createTTLLowerSynchronization());
}

template <auto create> void one(OpPassManager &manager) { manager.addPass(create()); }

void validateThreads(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createTTLVerifyLowered());
}

std::unique_ptr<Pass> allocate() { return createTTLAllocateCircularBuffers(); }
std::unique_ptr<Pass> assign() { return createTTLAssignDST(); }
std::unique_ptr<Pass> form() { return createTTLFormCompute(); }
std::unique_ptr<Pass> infer() { return createTTLInferDSTRequirements(); }

constexpr llvm::StringLiteral kLowerings =
    "ttl-lower-compute, ttl-lower-data-movement, ttl-lower-synchronization";

const Alias kAliases[] = {
    {"ttl-allocate-cbs", "ttl-allocate-circular-buffers", one<allocate>},
    {"ttl-assign-dst-registers", "ttl-assign-dst", one<assign>},
    {"ttl-tile-and-assign-dst", "ttl-assign-dst", one<assign>},
    {"ttl-set-compute-kernel-config", "ttl-infer-dst-requirements", one<infer>},
    {"ttl-lower-to-ttkernel", kLowerings, lowerToTTKernel},
    {"ttl-validate", "ttl-verify-lowered", validateThreads},
    {"convert-ttl-to-compute", "ttl-form-compute", one<form>},
    {"convert-ttl-to-ttkernel", kLowerings, lowerToTTKernel},
    {"ttl-to-ttkernel-pipeline", "ttl-to-ttkernel",
     [](OpPassManager &manager) { buildTTLToTTKernelPipeline(manager, {}); }},
};

} // namespace

void ttjit::registerPassAliases() {
  registerUpstreamPasses();
  for (const Alias &alias : kAliases)
    registerPassPipeline(
        alias.name, ("Same as " + alias.stands).str(),
        [alias](OpPassManager &manager, StringRef options,
                function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
          if (!options.empty())
            return fail("takes no options; use " + alias.stands + " to set options");
          alias.build(manager);
          return success();
        },
        [](function_ref<void(const detail::PassOptions &)>) {});
}
