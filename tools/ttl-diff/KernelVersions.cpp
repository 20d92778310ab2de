//===- KernelVersions.cpp - copies of a kernel, one per pass ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/KernelVersions.h"

#include "diagnostics/Diagnostics.h"
#include "tools/session/Engines.h"
#include "tools/session/Interpretable.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

// Makes the module interpretable. Drops the warnings, because the pipeline also gives them.
LogicalResult KernelVersions::prepare(const PipelineStep &step, ModuleOp module) const {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
  });
  std::optional<int> ofPipeline = findStep(step.pass); // an inserted pass is no step
  return makeInterpretable(module, arch.name, ofPipeline ? *ofPipeline : *findStep(step.stage));
}

LogicalResult KernelVersions::add(const PipelineStep &step, ModuleOp module, Lowering lowering) {
  OperationFingerPrint now(module);
  if (last && *last == now)
    return success();
  last.emplace(now);
  KernelVersion version{step, module.clone(), {}};
  if (failed(prepare(step, *version.module)))
    return failure();
  Operation *kernel = findKernel(*version.module);
  if (!kernel)
    return module.emitError("the module has no kernel after ") << step.pass;
  FailureOr<LaunchPlan> plan = buildLaunchPlan(kernel, arch, lowering);
  LocationTable locations;
  if (failed(plan) || failed(interpretThreads(*plan, locations))) {
    kernel->emitRemark("bisect: the interpreter cannot run the kernel after ") << step.pass;
    return failure();
  }
  for (const SourceRange &range : locations.ranges())
    plan->program.locations.push_back(toSourceLocation(range));
  version.plan = std::move(*plan);
  versions.push_back(std::move(version));
  return success();
}
