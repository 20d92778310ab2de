//===- KernelObserver.h - sees a kernel after each pass -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// tools/ttl-diff implements it to compare the results of a kernel after each pass.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_KERNELOBSERVER_H
#define TTJIT_TOOLS_SESSION_KERNELOBSERVER_H

#include "hw/device/Device.h"
#include "passes/Pipeline.h"
#include "tools/plan/ProgramBuilder.h"

#include <functional>
#include <memory>
#include <optional>

namespace ttjit::session {

/// The device and the tensors of one launch.
struct LaunchContext {
  hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  hw::RunOptions options; ///< prints nothing before the kernel itself runs
  const hw::HostFunctions &hostFunctions;
};

/// Sees one kernel while it is compiled, and at each of its launches.
class KernelObserver {
public:
  virtual ~KernelObserver() = default;

  /// The module as `step` left it. A failure, with a diagnostic, fails the compilation.
  virtual mlir::LogicalResult afterPass(const PipelineStep &step, mlir::ModuleOp module,
                                        Lowering lowering) = 0;

  /// Called before the kernel runs, under an InterruptGuard. Must leave the tensors as it
  /// found them. A result, if any, ends the launch: Ctrl-C interrupted what was run here.
  virtual std::optional<hw::RunResult> beforeRun(const LaunchContext &launch) = 0;

  /// Called after the kernel ran. The tensors hold its results, and must hold them afterwards.
  virtual void afterRun(const LaunchContext &launch, const LaunchPlan &plan,
                        const hw::RunResult &result) = 0;
};

/// Makes the observer of a kernel that is compiled for this chip.
using ObserverFactory = std::function<std::unique_ptr<KernelObserver>(const hw::ArchDesc &arch)>;

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_KERNELOBSERVER_H
