//===- DecisionStore.h - stores the decisions of launches -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_DECISIONSTORE_H
#define TTJIT_TOOLS_SESSION_DECISIONSTORE_H

#include "hw/device/Decisions.h"
#include "hw/device/Device.h"

#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::session {

/// Implements --record=FILE and --schedule=replay:FILE. Run n of the file belongs to
/// launch n of the session.
class DecisionStore {
public:
  /// An empty name means that no decisions are recorded, or replayed.
  DecisionStore(std::string recordFile, std::string replayFile)
      : recordFile(std::move(recordFile)), replayFile(std::move(replayFile)) {}

  /// A function that runs a program with these options.
  using Runner = std::function<hw::RunResult(const hw::RunOptions &)>;

  /// Calls `runner` and records its decisions, or makes it take recorded ones. Returns a
  /// fault if a file cannot be read or written, or if it belongs to another program.
  hw::RunResult run(const Runner &runner, const hw::RunOptions &options);

private:
  hw::RunResult record(const Runner &runner, hw::RunOptions options);
  hw::RunResult replay(const Runner &runner, hw::RunOptions options);

  std::string recordFile, replayFile;
  std::ofstream recorded; ///< opened at the first launch
  std::optional<std::vector<hw::DecisionLog>>
      known; ///< the content of `replayFile`, once it was read
  size_t launches = 0;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_DECISIONSTORE_H
