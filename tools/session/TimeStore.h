//===- TimeStore.h - times of the launches of a session -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_TIMESTORE_H
#define TTJIT_TOOLS_SESSION_TIMESTORE_H

#include "diagnostics/TextSink.h"
#include "hw/device/Device.h"
#include "tools/timing/Estimate.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ttjit::session {

/// Implements --time: estimates how long launches take on a card. Keeps the last launch of each
/// kernel. Makes its estimate only when it is taken, so that earlier launches cost no replays.
class TimeStore {
public:
  using Launch = std::function<hw::RunResult(const hw::RunOptions &options)>;

  /// Calls `launch`, records its events and estimates its time. `form` is the value of --time:
  /// "cycles" leaves out the bounds and the effects of changes.
  hw::RunResult run(const hw::Device &device, const hw::Program &program, hw::RunOptions options,
                    const std::string &form, const Launch &launch);

  /// Returns the estimates since the last call, in the order of the first launches.
  std::vector<timing::Estimate> take();

  /// Returns the estimate of the last launch; nothing if there is none. If `keeps`, take() also
  /// returns it later.
  std::optional<timing::Estimate> takeLast(bool keeps);

  /// Puts the launches so far aside, so that runs with changes do not replace them.
  void hold();
  /// Returns the kernels and chips of the launches that hold() has put aside.
  std::vector<std::pair<std::string, std::string>> kernelsHeld() const;
  /// The results of runs with changes of a kernel.
  struct Runs {
    std::string kernel, arch;
    std::vector<timing::WhatIf> changes;
    std::string command; ///< tries all combinations of them
  };
  /// Forgets the launches since hold(), restores the others and adds `found` to their estimates.
  void resume(const std::vector<Runs> &found);

private:
  /// The last launch of a kernel: its recording, until its estimate is made.
  struct Kept {
    timing::Estimate estimate; ///< `kernel` and `arch` are known at once
    std::optional<timing::Recording> recording;
    hw::Program program;
    hw::ArchDesc arch;
    std::string form;
  };
  void limitMemory();
  static void finish(Kept &kept);

  std::vector<Kept> launches;
  size_t last = 0;                                          ///< index of the last launch
  std::optional<std::pair<std::vector<Kept>, size_t>> held; ///< both, of hold()
};

/// Prints estimates in the form that --time names. "on", "cycles": as text, and "json": as an array
/// of JSON, to `output`. "against:FILE": as text next to the profile of a card. "noc:FILE": as a
/// NoC trace into the file. Any other: as JSON or CSV into the file of this name. Returns false,
/// and tells `errors` why, if a file cannot be read or written.
bool deliver(const std::vector<timing::Estimate> &estimates, const std::string &form,
             const diagnostics::TextSink &output, const diagnostics::TextSink &errors);

/// Predicts the barriers of the NoC trace in `file`, as text or, if `isJson`, as JSON. Sets
/// `mistake` if that is not possible.
std::string predictNocTrace(const hw::ArchDesc &arch, const std::string &file, bool isJson,
                            std::string &mistake);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_TIMESTORE_H
