//===- Options.h - options of a run ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A session reads this struct. tools/options fills it from the flags of ttl-jit and
// from the TTL_* environment variables, and checks every value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_OPTIONS_H
#define TTJIT_TOOLS_SESSION_OPTIONS_H

#include "hw/device/Run.h"
#include "hw/facts/Arch.h"
#include "passes/Pipeline.h"
#include "passes/metalium/MetaliumVersion.h"
#include "tools/session/CheckChoices.h"
#include "tools/trace/TraceClock.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttjit::session {

enum class EngineChoice : uint8_t { Auto, Jit, Interp, Emitted };

/// --explore: the number of orders to run, and the file for the decisions of one. 0: none.
struct ExploreChoice {
  uint64_t runs = 0;
  std::string file;
};

struct Options {
  EngineChoice engine = EngineChoice::Auto;
  std::optional<std::pair<int, int>> grid; ///< columns and rows for grid="auto"
  std::string archName{hw::kDefaultArch};
  hw::ArchDesc arch = hw::defaultArch();
  hw::SchedulePolicy schedule = hw::SchedulePolicy::Fair;
  unsigned hostThreads = 0; ///< N of --schedule=parallel(N); 0: as many as the host has
  /// Whether the user chose no schedule: then several host threads may run a kernel.
  bool defaultSchedule = true;
  std::string replayFile; ///< FILE of --schedule=replay:FILE
  std::string recordFile;
  std::optional<hw::DeliveryPolicy> dma;
  uint64_t seed = 0;
  bool strict = false;
  bool compileOnly = false;          ///< whether calls compile their kernels and do not run them
  bool trust = false;                ///< whether a .mlir file may call any function of the host
  int64_t maxBuffers = 0, maxL1 = 0; ///< of a core; 0: as many as the chip has
  bool dryRun = false;               ///< whether kernels produce zeros instead of computing
  DSTChoices dst;
  bool tileLoops = true;      ///< whether the JIT computes DST sections with loops over elements
  bool blockTransfers = true; ///< whether the JIT moves the pages of a block with one call
  std::string hostCPU;        ///< the CPU that the JIT compiles for; empty: this host's
  int optLevel = 1;           ///< of LLVM's optimiser
  bool gdb = false;           ///< whether gdb learns of compiled functions
  bool perfMap = false;       ///< whether perf learns the names of compiled functions
  bool aliases = true;        ///< whether pages may be those of a constant tensor instead of copies
  bool shareArrays = true;    ///< whether kernels work on the arrays of host tensors
  std::vector<std::string> dump; ///< stages and passes, or "all"
  /// First and last step of the pipeline, as in PipelineOptions; empty: the whole
  /// pipeline.
  std::string startFrom, stage;
  std::vector<InsertedPass> inserted;
  /// Whether the interpreter runs the frontend's IR, or that of `stage`, under a debugger.
  bool debug = false;
  bool bisect = false;  ///< whether to compare the results of every pass
  bool compare = false; ///< whether to compare the engines after each launch
  /// The number of random schedules to compare; empty: compare no schedules.
  std::optional<uint64_t> compareSchedules;
  std::string emitDir;
  MetaliumVersion metalium; ///< for which --emit writes
  /// Path and content of the schedule file; empty if there is none.
  std::string schedulePath, scheduleText;
  CheckChoices check;
  ExploreChoice explore;
  std::string traceFile; ///< FILE of --trace
  trace::TraceTime traceTime = trace::TraceTime::Logical;
  bool stats = false;
  std::string statsFile;   ///< FILE.json of --stats; empty: the user reads the statistics
  std::string cacheFolder; ///< for compiled code; empty: no code is kept
  uint64_t limit = 0;
  /// The flags that change the compiled kernel, as the user wrote them, such as
  /// "--dst=fpu".
  std::vector<std::string> given;

  /// Returns whether exceeding the limits of the real chip is an error: --emit writes code for that
  /// chip.
  bool isStrict() const { return strict || !emitDir.empty(); }
  /// Name of the last step of the pipeline; empty: the whole pipeline.
  std::string lastStep() const { return debug && stage.empty() ? "input" : stage; }
  /// Returns whether --dump names this stage, engine text or "input"; "all" names all except
  /// "input".
  bool dumps(std::string_view stage) const;
  /// Returns whether --dump names this pass; "all" names no pass.
  bool dumpsPass(std::string_view pass) const;
};

/// Applies options of one kernel, given by name and value, to those of a session. Returns what is
/// wrong, if something is.
using OptionSetter = std::function<std::optional<std::string>(
    Options &options, const std::vector<std::pair<std::string, std::string>> &changes)>;

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_OPTIONS_H
