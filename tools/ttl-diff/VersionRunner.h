//===- VersionRunner.h - runs and compares versions of a kernel --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H
#define TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H

#include "tools/session/KernelObserver.h"
#include "tools/ttl-diff/KernelVersions.h"
#include "tools/ttl-diff/PrintedLines.h"

namespace ttjit::session {

/// Two consecutive versions of a kernel whose results differ.
struct PassDifference {
  std::string kernel;
  PipelineStep before, after;
  std::string text; ///< whole lines: which element differs, and which thread wrote it
};

/// The result of comparing the launches of a session.
struct PassComparison {
  std::optional<PassDifference> difference; ///< the first difference, if there is one
  unsigned launches = 0, versions = 0;      ///< numbers of launches and versions that were run
};

/// Runs the versions of a kernel on the inputs of one launch. Each run starts with
/// these inputs, and afterwards the tensors contain them again.
class VersionRunner {
public:
  explicit VersionRunner(const LaunchContext &launch);

  /// Runs all versions and notes the first difference between consecutive ones in
  /// `comparison`. If Ctrl-C interrupts a run, returns its result. Needs an
  /// InterruptGuard.
  std::optional<hw::RunResult> compare(std::vector<KernelVersion> &versions,
                                       PassComparison &comparison);
  /// Compares the last version with the run of the engine, whose results the tensors
  /// contain.
  void compareWithEngine(std::vector<KernelVersion> &versions, const LaunchPlan &plan,
                         const hw::RunResult &result, PassComparison &comparison);

private:
  using Bytes = std::vector<std::byte>;
  struct Outcome {
    hw::RunResult result;
    std::vector<Bytes> tensors;
    std::optional<PrintedLines> printed; ///< nothing: not known
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
  hw::HostFunctions hostFunctions;
  std::vector<Bytes> inputs;
  std::optional<Outcome> last;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H
