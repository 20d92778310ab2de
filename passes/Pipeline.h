//===- Pipeline.h - the pipeline from ttl to ttkernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The sequence of passes that both engines and the emitter share. Dumps and tools refer
// to its stages by name.
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

/// A pass outside of the pipeline that runs in it: a textual pipeline of registered
/// passes, and the stage or pass after which it runs ("input": before all passes).
struct InsertedPass {
  std::string passes, after;
};

struct PipelineOptions {
  bool strict =
      false; ///< reject kernels that exceed the limits of the real chip, instead of warning
  bool portable = false; ///< reject blocks used in ways that tt-lang's compiler refuses for a card
  bool compileOnly = false; ///< mistakes that only a run would meet are warnings, not errors
  /// Limits of a core instead of the chip's; 0: the chip's.
  int64_t maxBuffers = 0, maxL1 = 0;
  std::string arch{hw::kDefaultArch}; ///< chip for kernels that do not name one, as in lookupArch()
  /// Names of stages or passes. The IR has been through `startFrom` already;
  /// `stopAfter` is the last to run. Empty: no bound.
  std::string startFrom = {}, stopAfter = {};
  std::vector<InsertedPass> inserted = {};
  DSTChoices dst = {};
};

/// Names of the stages, in order: ttl compute sync threads buffers dst loops ttkernel.
llvm::ArrayRef<llvm::StringRef> pipelineStages();

/// A place in the pipeline. If a pass runs several times, its second run is named
/// "cse-2".
struct PipelineStep {
  std::string stage, pass;
};

/// The passes of the pipeline, in order.
const std::vector<PipelineStep> &pipelineSteps();

/// Index in pipelineSteps() of the last step of this stage or pass; -1 for "input", the
/// IR before all passes. Nothing if there is no such stage or pass.
std::optional<int> findStep(llvm::StringRef stageOrPass);

/// The list of valid names, for the message about a name that is neither a stage nor a
/// pass.
std::string describeSteps();

/// Adds the passes of one stage. The name is one of pipelineStages().
void buildStage(llvm::StringRef stage, mlir::OpPassManager &manager,
                const PipelineOptions &options);

/// Adds the passes of every stage.
void buildTTLToTTKernelPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Called after each step that succeeded. If it fails, the pipeline ends.
using StepCallback = llvm::function_ref<mlir::LogicalResult(const PipelineStep &step,
                                                            bool endsStage, mlir::ModuleOp module)>;

/// Adds passes, given as the text of a pipeline, to a manager of modules. Passes on threads
/// may be named without func.func(...). `why` gets the reason of a failure.
mlir::LogicalResult parsePasses(llvm::StringRef text, mlir::PassManager &manager, std::string &why);

/// Runs the passes between the bounds in `options`. Calls `afterPass`, which may be
/// null, after each pass that succeeded. Diagnostics go to the context's handler.
mlir::LogicalResult runPipeline(mlir::ModuleOp module, const PipelineOptions &options,
                                StepCallback afterPass);

/// Registers passes and pipeline by name (for ttl-opt), including their names in other
/// tools.
void registerTTJitPasses();

/// Registers the same names and MLIR's own passes, for a program that gets names of
/// passes while it runs. Only the first call has an effect.
void registerNamedPasses();

/// Registers only the names that other tools use for our passes.
void registerPassAliases();

} // namespace ttjit

#endif // TTJIT_PASSES_PIPELINE_H
