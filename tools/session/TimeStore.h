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
/// kernel; its estimate is made when somebody takes it, so that earlier launches cost no replays.
class TimeStore {
public:
  using Launch = std::function<hw::RunResult(const hw::RunOptions &options)>;

  /// Calls `launch`, records its events and estimates its time. `form` is that of --time:
  /// "cycles" leaves out the bounds and what changes would bring.
  hw::RunResult run(const hw::Device &device, const hw::Program &program, hw::RunOptions options,
                    const std::string &form, const Launch &launch);

  /// Returns the estimates since the last call, in the order of the first launches.
  std::vector<timing::Estimate> take();

  /// Returns the estimate of the last launch; nothing if there is none. take() does not return it
  /// unless `keeps`.
  std::optional<timing::Estimate> takeLast(bool keeps);

  /// Puts the launches so far aside, so that those of runs with changes do not replace them.
  void hold();
  /// The kernels and chips of the launches that are put aside.
  std::vector<std::pair<std::string, std::string>> kernelsHeld() const;
  /// What runs with changes have found for a kernel.
  struct Runs {
    std::string kernel, arch;
    std::vector<timing::WhatIf> changes;
    std::string command; ///< tries all combinations of them
  };
  /// Forgets the launches since hold(), brings the others back and adds to their estimates.
  void resume(const std::vector<Runs> &found);

private:
  /// The last launch of a kernel: what it did, until its estimate is made.
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

/// Prints estimates as --time asks for: "on" and "cycles": as text for the user, "json": as an
/// array of JSON, both to `output`; "against:FILE": as text, and beside the profile of a card;
/// "noc:FILE": as a NoC trace into the file; else into the file of this name, as JSON or CSV.
/// Returns whether the file could be read or written; if not, `errors` hears why.
bool deliver(const std::vector<timing::Estimate> &estimates, const std::string &form,
             const diagnostics::TextSink &output, const diagnostics::TextSink &errors);

/// Predicts the barriers of the NoC trace in `file`; as JSON if `isJson`. If that is not possible,
/// `mistake` says why.
std::string predictNocTrace(const hw::ArchDesc &arch, const std::string &file, bool isJson,
                            std::string &mistake);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_TIMESTORE_H
