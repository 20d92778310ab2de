//===- VersionRunner.h - runs and compares versions of a kernel -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H
#define TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H

#include "tools/ttl-diff/LaunchRunner.h"

namespace ttjit::ttl_diff {

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
  explicit VersionRunner(const session::LaunchContext &launch) : runner(launch) {}

  /// Runs all versions and notes the first difference between consecutive ones in `comparison`.
  /// If Ctrl-C interrupts a run, returns the result of that run. Call it under an
  /// InterruptGuard.
  std::optional<hw::RunResult> compare(std::vector<KernelVersion> &versions,
                                       PassComparison &comparison);
  /// Compares the last version with the run of the engine, whose results are in the
  /// tensors.
  void compareWithEngine(std::vector<KernelVersion> &versions, const plan::LaunchPlan &plan,
                         const hw::RunResult &result, PassComparison &comparison);

private:
  void note(KernelVersion &version, const RunOutcome &outcome, PassDifference difference,
            PassComparison &comparison);

  LaunchRunner runner;
  std::optional<RunOutcome> last;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_VERSIONRUNNER_H
