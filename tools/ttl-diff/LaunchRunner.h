//===- LaunchRunner.h - runs one launch several times ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs programs on the inputs of one launch, and describes how their results differ.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TTL_DIFF_LAUNCHRUNNER_H
#define TTJIT_TOOLS_TTL_DIFF_LAUNCHRUNNER_H

#include "tools/session/KernelObserver.h"
#include "tools/ttl-diff/KernelVersions.h"
#include "tools/ttl-diff/PrintedLines.h"

namespace ttjit::ttl_diff {

/// The result of one run.
struct RunOutcome {
  using Bytes = std::vector<std::byte>;
  hw::RunResult result;
  std::vector<Bytes> tensors;
  std::optional<PrintedLines> printed; ///< nothing: not known
};

/// A run whose results are compared: its name in messages, and how to run it again.
struct ComparedRun {
  std::string name;
  KernelVersion *version; ///< null: no IR is known
  hw::RunOptions options;
  const RunOutcome &outcome;
};

class LaunchRunner {
public:
  /// Keeps a copy of the tensors, the inputs of every run.
  explicit LaunchRunner(const session::LaunchContext &launch);

  const hw::RunOptions &options() const { return launchOptions; }

  /// Runs the plan. Before and afterwards the tensors contain the inputs.
  RunOutcome run(plan::LaunchPlan &plan, const hw::RunOptions &options);
  /// Runs a program whose arguments are bound. Before and afterwards the tensors contain the
  /// inputs.
  RunOutcome run(const hw::Program &program, hw::RunOptions options);

  /// Returns the outcome of a run that has just ended. The tensors must contain its results.
  RunOutcome outcomeOf(const hw::RunResult &result) const { return {result, read(), {}}; }
  /// Writes the results of this run into the tensors.
  void restore(const RunOutcome &outcome) { write(outcome.tensors); }

  /// Returns whole lines that tell how the runs end, or which element differs and which thread of
  /// the second run wrote it; nothing if the runs are equal. If a run faults, tensors are not
  /// compared.
  std::optional<std::string> difference(const ComparedRun &before, const ComparedRun &after);

private:
  using Bytes = RunOutcome::Bytes;

  std::vector<Bytes> read() const;
  void write(const std::vector<Bytes> &contents);
  std::optional<std::string> tensorDifference(unsigned number, const ComparedRun &before,
                                              const ComparedRun &after);
  std::string writerOf(const ComparedRun &run, unsigned number, uint32_t page, int on);

  hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  hw::RunOptions launchOptions;
  hw::HostFunctions hostFunctions;
  std::vector<Bytes> inputs;
};

} // namespace ttjit::ttl_diff

#endif // TTJIT_TOOLS_TTL_DIFF_LAUNCHRUNNER_H
