//===- Pipeline.cpp - the pipeline from ttl to ttkernel -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Pipeline.h"

#include "passes/Passes.h"
#include "passes/RunningPass.h"
#include "passes/ttl/LowerAffine.h"
#include "passes/ttl/Microcores.h"
#include "passes/ttl/Shorthands.h"
#include "passes/ttl/SplitUnifiedThreads.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ttjit;

namespace {

// The passes of a stage, in order.
struct PassList {
  std::vector<std::unique_ptr<Pass>> passes;
  void addPass(std::unique_ptr<Pass> pass) { passes.push_back(std::move(pass)); }
};

struct Stage {
  StringRef name;
  void (*build)(PassList &, const PipelineOptions &);
};

void buildTTL(PassList &manager, const PipelineOptions &options) {
  manager.addPass(createTTLMicrocoresToThreads());
  manager.addPass(createTTLLowerAffine());
  manager.addPass(createTTLSplitUnifiedThreads());
  manager.addPass(createTTLCanonicalize(TTLCanonicalizeOptions{options.arch}));
  manager.addPass(createTTLVerifyLayouts());
  manager.addPass(createTTLCheckMeshAccess());
  manager.addPass(createTTLInsertCopyWaits());
  manager.addPass(createTTLInsertReleases());
  manager.addPass(createTTLVerifyTensorBacking());
  manager.addPass(createTTLMergeAllocationGroups());
  manager.addPass(createTTLVerifyProtocol(
      TTLVerifyProtocolOptions{options.strict, options.portable, options.compileOnly}));
  manager.addPass(createTTLReplaceWaitedBlocks());
  manager.addPass(createTTLNameHeldBlocks());
}

void buildCompute(PassList &manager, const PipelineOptions &) {
  manager.addPass(createTTLForwardStores());
  manager.addPass(createTTLFormCompute());
  manager.addPass(createTTLTileCompute());
}

void buildSync(PassList &manager, const PipelineOptions &) {
  manager.addPass(createTTLInferPipeSemaphores());
  manager.addPass(createTTLInsertSynchronization());
}

void buildThreads(PassList &manager, const PipelineOptions &) {
  manager.addPass(createTTLExpandThreads());
}

void buildBuffers(PassList &manager, const PipelineOptions &options) {
  manager.addPass(createTTLBufferize());
  TTLAllocateCircularBuffersOptions places;
  places.strict = options.strict;
  places.check = false;
  manager.addPass(createTTLAllocateCircularBuffers(places));
  manager.addPass(createTTLAssignTransferIds());
}

void buildDST(PassList &manager, const PipelineOptions &options) {
  manager.addPass(createTTLInferDSTRequirements());
  TTLAssignDSTOptions assignment;
  assignment.schedule = options.dst.schedule;
  assignment.lazyLoads = options.dst.lazyLoads;
  assignment.expireAtUse = options.dst.expireAtUse;
  assignment.fpuBinary = options.dst.fpu;
  manager.addPass(createTTLAssignDST(assignment));
}

void buildLoops(PassList &manager, const PipelineOptions &options) {
  manager.addPass(createTTLLowerToLoops());
  manager.addPass(
      createTTLUnrollComputeLoops(TTLUnrollComputeLoopsOptions{options.dst.packBlocks}));
  manager.addPass(createTTLAccumulateInDST());
  manager.addPass(createTTLInsertTileRegsSync());
  // ttl-assign-dst adds buffers for splits and ttl-accumulate-in-dst removes
  // accumulators, so the buffers are placed again.
  TTLAllocateCircularBuffersOptions places;
  places.strict = options.strict;
  places.maxBuffers = options.maxBuffers;
  places.maxL1 = options.maxL1;
  manager.addPass(createTTLAllocateCircularBuffers(places));
}

void buildTTKernel(PassList &manager, const PipelineOptions &) {
  addDeviceLowerings(manager);
  manager.addPass(createCSEPass());
  manager.addPass(createTTLVerifyLowered({/*internal=*/true}));
}

constexpr Stage kStages[] = {
    {"ttl", buildTTL},         {"compute", buildCompute},   {"sync", buildSync},
    {"threads", buildThreads}, {"buffers", buildBuffers},   {"dst", buildDST},
    {"loops", buildLoops},     {"ttkernel", buildTTKernel},
};

struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  PassOptions::Option<bool> strict{
      *this, "strict", llvm::cl::desc("Reject kernels that exceed the limits of the real chip"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> arch{*this, "arch",
                                        llvm::cl::desc("Chip for kernels that do not name one"),
                                        llvm::cl::init(std::string(hw::kDefaultArch))};
};

} // namespace

llvm::ArrayRef<StringRef> ttjit::pipelineStages() {
  static const SmallVector<StringRef> names =
      llvm::map_to_vector(kStages, [](const Stage &stage) { return stage.name; });
  return names;
}

// Passes on threads, and those of MLIR, run on every function.
static void addPass(OpPassManager &manager, std::unique_ptr<Pass> pass) {
  if (pass->getOpName() == ModuleOp::getOperationName())
    manager.addPass(std::move(pass));
  else
    manager.addNestedPass<func::FuncOp>(std::move(pass));
}

void ttjit::buildStage(StringRef name, OpPassManager &manager, const PipelineOptions &options) {
  for (const Stage &stage : kStages) {
    if (stage.name != name)
      continue;
    PassList list;
    stage.build(list, options);
    for (std::unique_ptr<Pass> &pass : list.passes)
      addPass(manager, std::move(pass));
  }
}

void ttjit::buildTTLToTTKernelPipeline(OpPassManager &manager, const PipelineOptions &options) {
  for (const Stage &stage : kStages)
    buildStage(stage.name, manager, options);
}

//===--------------------------------------------------------------------------===//
// Steps
//===--------------------------------------------------------------------------===//

static std::vector<PipelineStep> makeSteps() {
  std::vector<PipelineStep> steps;
  llvm::StringMap<unsigned> seen;
  for (const Stage &stage : kStages) {
    PassList list;
    stage.build(list, {});
    for (const std::unique_ptr<Pass> &pass : list.passes) {
      unsigned times = ++seen[pass->getArgument()];
      std::string name = pass->getArgument().str();
      steps.push_back({stage.name.str(), times > 1 ? name + "-" + std::to_string(times) : name});
    }
  }
  return steps;
}

const std::vector<PipelineStep> &ttjit::pipelineSteps() {
  static const std::vector<PipelineStep> steps = makeSteps();
  return steps;
}

std::optional<int> ttjit::findStep(StringRef stageOrPass) {
  if (stageOrPass == "input")
    return -1;
  const std::vector<PipelineStep> &steps = pipelineSteps();
  for (size_t i = steps.size(); i-- > 0;)
    if (steps[i].stage == stageOrPass || steps[i].pass == stageOrPass)
      return static_cast<int>(i);
  return std::nullopt;
}

std::string ttjit::describeSteps() {
  std::string text = "a stage (" + llvm::join(pipelineStages(), ", ") + ") or a pass (";
  for (const PipelineStep &step : pipelineSteps())
    text += (&step == &pipelineSteps().front() ? "" : ", ") + step.pass;
  return text + ")";
}

LogicalResult ttjit::parsePasses(StringRef text, PassManager &manager, std::string &why) {
  llvm::raw_string_ostream stream(why);
  auto parses = [](const std::string &passes, llvm::raw_ostream &stream) {
    return succeeded(parsePassPipeline("builtin.module(" + passes + ")", stream));
  };
  std::string onModule = text.str(), onFunctions = "func.func(" + onModule + ")";
  bool isOnFunctions = !parses(onModule, stream) && parses(onFunctions, llvm::nulls());
  if (!why.empty() && !isOnFunctions)
    return failure();
  return parsePassPipeline(isOnFunctions ? onFunctions : onModule, manager, llvm::nulls());
}

static LogicalResult runInserted(ModuleOp module, const PipelineOptions &options, int after,
                                 StepCallback afterPass) {
  for (const InsertedPass &inserted : options.inserted) {
    if (findStep(inserted.after) != after)
      continue;
    registerNamedPasses();
    PassManager manager(module.getContext());
    noteRunningPasses(manager);
    std::string why;
    if (failed(parsePasses(inserted.passes, manager, why)))
      return module.emitError("cannot insert a pass: ") << StringRef(why).rtrim();
    if (failed(manager.run(module)))
      return failure();
    if (afterPass &&
        failed(afterPass({after < 0 ? "input" : pipelineSteps()[after].stage, inserted.passes},
                         false, module)))
      return failure();
  }
  return success();
}

LogicalResult ttjit::runPipeline(ModuleOp module, const PipelineOptions &options,
                                 StepCallback afterPass) {
  const std::vector<PipelineStep> &steps = pipelineSteps();
  int first = options.startFrom.empty() ? -1 : findStep(options.startFrom).value_or(-1);
  int last = static_cast<int>(steps.size()) - 1;
  if (!options.stopAfter.empty())
    last = findStep(options.stopAfter).value_or(last);
  // The pipeline is empty, and the interpreter knows neither roles of threads nor affine loops nor
  // unified threads nor abbreviations: expand them here.
  if (last < 0)
    microcoresToThreads(module);
  if (last < 0 && (failed(lowerAffine(module)) || failed(splitUnifiedThreads(module)) ||
                   failed(expandShorthands(module))))
    return failure();
  if (failed(runInserted(module, options, first, afterPass)))
    return failure();
  int step = -1;
  for (const Stage &stage : kStages) {
    PassList list;
    stage.build(list, options);
    for (std::unique_ptr<Pass> &pass : list.passes) {
      bool endsStage = pass == list.passes.back();
      if (++step <= first || step > last)
        continue;
      PassManager manager(module.getContext());
      noteRunningPasses(manager);
      addPass(manager, std::move(pass));
      if (failed(manager.run(module)))
        return failure();
      if (afterPass && failed(afterPass(steps[step], endsStage, module)))
        return failure();
      if (failed(runInserted(module, options, step, afterPass)))
        return failure();
    }
  }
  return success();
}

void ttjit::registerTTJitPasses() {
  registerTtlStagePasses();
  registerComputeStagePasses();
  registerSyncStagePasses();
  registerThreadsStagePasses();
  registerBuffersStagePasses();
  registerDstStagePasses();
  registerLoopsStagePasses();
  registerTtkernelStagePasses();
  registerPassAliases();
  PassPipelineRegistration<PipelineFlags>(
      "ttl-to-ttkernel", "Lower the frontend's IR to calls of the device API",
      [](OpPassManager &manager, const PipelineFlags &flags) {
        buildTTLToTTKernelPipeline(manager, {.strict = flags.strict, .arch = flags.arch});
      });
}

void ttjit::registerNamedPasses() {
  static const bool done = [] {
    registerTTJitPasses();
    registerTransformsPasses();
    return true;
  }();
  (void)done;
}
