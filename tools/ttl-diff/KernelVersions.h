//===- KernelVersions.h - copies of a kernel, one per pass ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_KERNELVERSIONS_H
#define TTJIT_TOOLS_TTL_DIFF_KERNELVERSIONS_H

#include "passes/Pipeline.h"
#include "tools/plan/ProgramBuilder.h"

#include "mlir/IR/OwningOpRef.h"

namespace ttjit::ttl_diff {

/// A copy of a kernel that the interpreter can run. The plan refers to the ops of the
/// module.
struct KernelVersion {
  PipelineStep
      step; ///< the pass after which the copy was made; "input" is the IR before all passes
  mlir::OwningOpRef<mlir::ModuleOp> module;
  plan::LaunchPlan plan;
};

/// The versions of one kernel, in the order of the passes.
class KernelVersions {
public:
  explicit KernelVersions(const hw::ArchDesc &arch) : arch(arch) {}

  /// Adds a copy of the module unless it equals the last one. Fails, with a diagnostic,
  /// if the interpreter cannot run it.
  mlir::LogicalResult add(const PipelineStep &step, mlir::ModuleOp module, plan::Lowering lowering);

  std::vector<KernelVersion> &all() { return versions; }

private:
  mlir::LogicalResult prepare(const PipelineStep &step, mlir::ModuleOp module) const;

  hw::ArchDesc arch;
  std::vector<KernelVersion> versions;
  std::optional<mlir::OperationFingerPrint> last;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_KERNELVERSIONS_H
