//===- KernelObserver.h - observes a kernel after each pass ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An observer of the compilation and the launches of a kernel. tools/ttl-diff uses one
// to compare the results of a kernel after each pass.
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

  /// Called with the module after `step`. On failure, which needs a diagnostic, the
  /// compilation fails.
  virtual mlir::LogicalResult afterPass(const PipelineStep &step, mlir::ModuleOp module,
                                        plan::Lowering lowering) = 0;

  /// Called before the kernel runs, under an InterruptGuard. It must not change the
  /// tensors. If it returns a result, the launch ends with that result, because Ctrl-C
  /// interrupted the observer.
  virtual std::optional<hw::RunResult> beforeRun(const LaunchContext &launch) = 0;

  /// Called after the kernel ran. It must not change the tensors, which contain the
  /// results. It may add a fault to the result.
  virtual void afterRun(const LaunchContext &launch, const plan::LaunchPlan &plan,
                        hw::RunResult &result) = 0;
};

/// Creates the observer of a kernel that is compiled for this chip.
using ObserverFactory = std::function<std::unique_ptr<KernelObserver>(const hw::ArchDesc &arch)>;

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_KERNELOBSERVER_H
