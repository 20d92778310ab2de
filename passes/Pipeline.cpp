//===- Pipeline.cpp - the pipeline from ttl to ttkernel -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Pipeline.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ttjit;

namespace {

struct Stage {
  StringRef name;
  void (*build)(OpPassManager &, const PipelineOptions &);
};

void buildTTL(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createTTLCanonicalize(TTLCanonicalizeOptions{options.arch}));
  manager.addPass(createTTLVerifyLayouts());
  manager.addPass(createTTLInsertReleases());
  manager.addPass(createTTLVerifyProtocol());
}

void buildCompute(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createTTLFormCompute());
}

void buildSync(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createTTLInsertSynchronization());
}

void buildThreads(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createTTLExpandThreads());
}

void buildBuffers(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createTTLAllocateCircularBuffers(
      TTLAllocateCircularBuffersOptions{options.strict}));
  manager.addPass(createTTLAssignTransferIds());
}

void buildDST(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createTTLInferDSTRequirements());
  manager.addPass(createTTLAssignDST(TTLAssignDSTOptions{options.strict}));
}

void buildLoops(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createTTLLowerToLoops());
  manager.addPass(createTTLInsertTileRegsSync());
}

void buildTTKernel(OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(createTTLLowerCompute());
  manager.addPass(createTTLLowerDataMovement());
  manager.addPass(createTTLLowerSynchronization());
  manager.addPass(createCSEPass());
  manager.addPass(createTTLVerifyLowered());
}

constexpr Stage kStages[] = {
    {"ttl", buildTTL},         {"compute", buildCompute}, {"sync", buildSync},
    {"threads", buildThreads}, {"buffers", buildBuffers}, {"dst", buildDST},
    {"loops", buildLoops},     {"ttkernel", buildTTKernel},
};

struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  PassOptions::Option<bool> strict{*this, "strict",
                                   llvm::cl::desc("Refuse what the real chip lacks"),
                                   llvm::cl::init(false)};
  PassOptions::Option<std::string> arch{*this, "arch",
                                        llvm::cl::desc("Chip of kernels that name none"),
                                        llvm::cl::init("wormhole_b0")};
};

} // namespace

llvm::ArrayRef<StringRef> ttjit::pipelineStages() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(kStages, [](const Stage &stage) { return stage.name; });
  return names;
}

void ttjit::buildStage(StringRef name, OpPassManager &manager, const PipelineOptions &options) {
  for (const Stage &stage : kStages)
    if (stage.name == name)
      stage.build(manager, options);
}

void ttjit::buildTTLToTTKernelPipeline(OpPassManager &manager, const PipelineOptions &options) {
  for (const Stage &stage : kStages)
    stage.build(manager, options);
}

LogicalResult ttjit::runPipeline(ModuleOp module, const PipelineOptions &options,
                                 llvm::function_ref<void(StringRef, ModuleOp)> afterStage) {
  for (const Stage &stage : kStages) {
    PassManager manager(module.getContext());
    stage.build(manager, options);
    if (failed(manager.run(module)))
      return failure();
    if (afterStage)
      afterStage(stage.name, module);
  }
  return success();
}

void ttjit::registerTTJitPasses() {
  registerTTLPasses();
  PassPipelineRegistration<PipelineFlags>(
      "ttl-to-ttkernel", "From what the frontend makes to calls of the device API",
      [](OpPassManager &manager, const PipelineFlags &flags) {
        buildTTLToTTKernelPipeline(manager, {flags.strict, flags.arch});
      });
}
