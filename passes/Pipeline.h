//===- Pipeline.h - the pipeline from ttl to ttkernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one sequence of passes that both engines and the emitter share. Stages
// have names, so that dumps and tools can speak of them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_PIPELINE_H
#define TTJIT_PASSES_PIPELINE_H

#include "hw/facts/Arch.h"
#include "passes/dst/DSTChoices.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace ttjit {

/// A pass that is not of the pipeline, run in it all the same: a textual pipeline of
/// registered passes, after the stage or pass of that name ("input": before all).
struct InsertedPass {
  std::string passes, after;
};

struct PipelineOptions {
  bool strict = false;                ///< refuse what the real chip lacks instead of warning
  int64_t maxBuffers = 0, maxL1 = 0;  ///< of a core, instead of what the chip has; 0: the chip's
  std::string arch{hw::kDefaultArch}; ///< chip of kernels that name none, as lookupArch() reads it
  /// Stages or passes. What is up to and including `startFrom` has been done;
  /// nothing is done after `stopAfter`. Empty: all.
  std::string startFrom = {}, stopAfter = {};
  std::vector<InsertedPass> inserted = {};
  DSTChoices dst = {};
};

/// Names of the stages, in order: ttl compute sync threads buffers dst loops ttkernel.
llvm::ArrayRef<llvm::StringRef> pipelineStages();

/// Where in the pipeline something happens. A pass that runs several times is
/// numbered from its second time on: "cse", "cse-2".
struct PipelineStep {
  std::string stage, pass;
};

/// Every pass of the pipeline, in order.
const std::vector<PipelineStep> &pipelineSteps();

/// Number of the last step of this stage, or of this pass, in pipelineSteps(); -1 for
/// "input", what the frontend made. Nothing if there is no such stage or pass.
std::optional<int> findStep(llvm::StringRef stageOrPass);

/// What to write where a name of neither a stage nor a pass was found.
std::string describeSteps();

/// Adds the passes of one stage. The name is one of pipelineStages().
void buildStage(llvm::StringRef stage, mlir::OpPassManager &manager,
                const PipelineOptions &options);

/// Adds the passes of every stage.
void buildTTLToTTKernelPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Called where a step succeeded.
using StepCallback =
    llvm::function_ref<void(const PipelineStep &step, bool endsStage, mlir::ModuleOp module)>;

/// Runs the passes that `options` leaves; after each that succeeded calls `afterPass`,
/// which may be null. Diagnostics go to the context's handler.
mlir::LogicalResult runPipeline(mlir::ModuleOp module, const PipelineOptions &options,
                                StepCallback afterPass);

/// Makes passes and pipeline known by name (ttl-opt), other writers' names for
/// them too.
void registerTTJitPasses();

/// The same, and MLIR's own passes, for a program that meets names while it runs.
/// Only the first call does something.
void registerNamedPasses();

/// Only those names.
void registerPassAliases();

} // namespace ttjit

#endif // TTJIT_PASSES_PIPELINE_H
