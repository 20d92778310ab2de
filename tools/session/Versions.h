//===- Versions.h - a kernel after each pass ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every pass must keep the bits. With Options::bisect a compiled kernel keeps what it
// was after each pass that changed it, ready for the interpreter, and a launch runs
// all of these one after the other on the same inputs.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_VERSIONS_H
#define TTJIT_TOOLS_SESSION_VERSIONS_H

#include "passes/Pipeline.h"
#include "tools/session/Options.h"
#include "tools/session/ProgramBuilder.h"

#include "hw/device/Device.h"

#include "mlir/IR/OwningOpRef.h"

namespace ttjit::session {

/// The plan refers to the module's ops.
struct KernelVersion {
  PipelineStep step; ///< what made it; pass "input": the frontend, or the file
  mlir::OwningOpRef<mlir::ModuleOp> module;
  LaunchPlan plan;
};

/// Copies of the module on its way through the pipeline.
class VersionKeeper {
public:
  explicit VersionKeeper(const hw::ArchDesc &arch) : arch(arch) {}

  /// Does nothing if the module is what it was the last time. Fails, with a
  /// diagnostic, where the interpreter cannot run it.
  mlir::LogicalResult keep(const PipelineStep &step, mlir::ModuleOp module, Lowering lowering);

  std::vector<KernelVersion> take() { return std::move(versions); }

private:
  hw::ArchDesc arch;
  std::vector<KernelVersion> versions;
  std::optional<mlir::OperationFingerPrint> last;
};

/// The first pass that changed what a launch left, in words: whole lines.
struct PassDifference {
  std::string kernel;
  PipelineStep before, after;
  std::string text;
};

/// What comparing launches has found so far.
struct PassComparison {
  std::optional<PassDifference> difference;
  unsigned launches = 0, versions = 0;
};

/// Several lines: the first difference, and how to look at the IR around it.
std::string render(const PassComparison &comparison, std::string file, const Options &options);

/// Runs a launch's versions on the device, whose tensors it leaves as it found them.
class VersionRunner {
public:
  VersionRunner(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
                const hw::RunOptions &options);

  /// Notes the first difference between neighbours in `comparison`. Returns the end of
  /// the run that Ctrl-C interrupted, if it did, under an InterruptGuard.
  std::optional<hw::RunResult> compare(std::vector<KernelVersion> &versions, PassComparison &comparison);
  /// The same for the run that counts, which has just left its results on the device.
  void compareWithEngine(std::vector<KernelVersion> &versions, const LaunchPlan &plan,
                         const hw::RunResult &result, PassComparison &comparison);

private:
  using Bytes = std::vector<std::byte>;
  struct Outcome {
    hw::RunResult result;
    std::vector<Bytes> tensors;
  };

  std::vector<Bytes> read() const;
  void write(const std::vector<Bytes> &contents);
  Outcome run(LaunchPlan &plan, std::vector<hw::EventListener *> listeners = {});
  void note(KernelVersion &version, const Outcome &before, const Outcome &after,
            PassDifference difference, PassComparison &comparison);
  std::optional<std::string> describe(KernelVersion &version, const Outcome &before,
                                      const Outcome &after);
  std::optional<std::string> describeTensor(KernelVersion &version, unsigned number,
                                            const Outcome &before, const Outcome &after);
  std::string describeWriter(KernelVersion &version, unsigned number, uint32_t page);

  hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  hw::RunOptions options;
  std::vector<Bytes> inputs;
  std::optional<Outcome> last;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_VERSIONS_H
