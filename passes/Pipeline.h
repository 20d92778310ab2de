//===- Pipeline.h - the pipeline from ttl to ttkernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one sequence of passes that both engines and the emitter share. Stages
// have names, so that dumps and tools can speak of them.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_PIPELINE_H
#define TTJIT_PASSES_PIPELINE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace ttjit {

struct PipelineOptions {
  bool strict = false;               ///< refuse what the real chip lacks instead of warning
  std::string arch = "wormhole_b0";  ///< chip of kernels that name none, as lookupArch() reads it
};

/// Names of the stages, in order: ttl compute sync threads buffers dst loops ttkernel.
llvm::ArrayRef<llvm::StringRef> pipelineStages();

/// Adds the passes of one stage. The name is one of pipelineStages().
void buildStage(llvm::StringRef stage, mlir::OpPassManager &manager,
                const PipelineOptions &options);

/// Adds the passes of every stage.
void buildTTLToTTKernelPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// Runs the stages; after each that succeeded calls `afterStage`, which may be
/// null. Diagnostics go to the context's handler.
mlir::LogicalResult
runPipeline(mlir::ModuleOp module, const PipelineOptions &options,
            llvm::function_ref<void(llvm::StringRef stage, mlir::ModuleOp module)> afterStage);

/// Makes passes and pipeline known by name (ttl-opt).
void registerTTJitPasses();

} // namespace ttjit

#endif // TTJIT_PASSES_PIPELINE_H
