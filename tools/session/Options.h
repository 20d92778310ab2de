//===- Options.h - what a user may choose about a run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One struct for every front door: flags of ttl-jit, TTL_* environment variables
// of an ordinary python3. Values are checked when they are set; flags win over
// the environment because they are set later.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_OPTIONS_H
#define TTJIT_TOOLS_SESSION_OPTIONS_H

#include "hw/device/Run.h"
#include "hw/facts/Arch.h"
#include "passes/Pipeline.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttjit::session {

enum class EngineChoice : uint8_t { Auto, Jit, Interp };

struct Options {
  EngineChoice engine = EngineChoice::Auto;
  std::optional<std::pair<int, int>> grid; ///< what "auto" stands for
  std::string archName{hw::kDefaultArch};
  hw::ArchDesc arch = hw::defaultArch();
  hw::SchedulePolicy schedule = hw::SchedulePolicy::Fair;
  std::string replayFile; ///< of --schedule=replay:FILE
  std::string recordFile;
  std::optional<hw::DeliveryPolicy> dma;
  uint64_t seed = 0;
  bool strict = false;
  DSTChoices dst;
  std::vector<std::string> dump; ///< stages and passes; "all" stands for every stage
  /// Of the pipeline, as PipelineOptions has them. Empty: all of it.
  std::string startFrom, stage;
  std::vector<InsertedPass> inserted;
  bool bisect = false; ///< compare what every pass leaves
  std::string emitDir;
  /// Of the schedule file; both empty: none.
  std::string schedulePath, scheduleText;
  bool stats = false;
  uint64_t limit = 0;
  /// Flags that say what a kernel becomes, as they were given: "--dst=fpu".
  std::vector<std::string> given;

  /// Stage, engine's text or "input"; passes have to be asked for by their name.
  bool dumps(std::string_view stage) const;
  bool dumpsPass(std::string_view pass) const;
};

/// What a usage error says; nothing where the value was accepted.
using UsageError = std::optional<std::string>;

/// Sets one option by the name of its flag, without dashes.
UsageError setOption(Options &options, std::string_view name, std::string_view value);

/// Reads every TTL_* variable that names an option. Unset and empty ones are
/// left out; the first bad one is reported by its variable, then options that
/// contradict each other.
UsageError readEnvironment(Options &options);

/// `ttl-jit run`'s arguments. `flags` are the options in the order given, by
/// name and value; `script` is what the program itself gets.
struct CommandLine {
  std::string file;
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::string> script;
  bool help = false;
};

/// Options are ours before FILE and, where known, after it; the first unknown
/// one after FILE and everything behind `--` belongs to the script.
UsageError parseCommandLine(const std::vector<std::string> &arguments, CommandLine &result);

/// "TTL_ENGINE" for "engine".
std::string environmentName(std::string_view option);

/// One line per option, for --help.
std::string optionsHelp();

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_OPTIONS_H
