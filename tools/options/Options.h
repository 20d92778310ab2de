//===- Options.h - options of a run ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The options, in groups by the code that reads them. OptionTable.h fills them from the flags of
// ttl-jit and from the TTL_* environment variables, and checks every value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_OPTIONS_OPTIONS_H
#define TTJIT_TOOLS_OPTIONS_OPTIONS_H

#include "hw/device/Run.h"
#include "hw/facts/Arch.h"
#include "hw/facts/MetaliumVersion.h"
#include "hw/facts/Numerics.h"
#include "passes/Pipeline.h"
#include "tools/options/CheckChoices.h"
#include "tools/trace/TraceClock.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttjit::options {

enum class EngineChoice : uint8_t { Auto, Jit, Interp, Emitted };

/// --explore: how many orders to run (0: none), and the file for the decisions of a failed one.
struct ExploreChoice {
  uint64_t runs = 0;
  std::string file;
};

/// What the passes of a compilation do, and which of their IR is printed.
struct PassOptions {
  bool strict = false;
  int64_t maxBuffers = 0, maxL1 = 0; ///< of a core; 0: as many as the chip has
  bool compileOnly = false;          ///< whether calls compile their kernels and do not run them
  bool dryRun = false;               ///< whether kernels produce zeros instead of computing
  /// --time: whether to estimate times of a card; "on", "json" or the name of a file. Empty: not.
  std::string time;
  DSTChoices dst;
  /// First and last step of the pipeline, as in PipelineOptions; empty: the whole
  /// pipeline.
  std::string startFrom, stage;
  std::vector<std::string> plugins; ///< files of --pass-plugin, which are loaded
  std::vector<InsertedPass> inserted;
  /// Path and content of the schedule file; empty if there is none.
  std::string schedulePath, scheduleText;
  std::vector<std::string> dump; ///< stages and passes, or "all"
};

/// How the JIT compiles threads and C++.
struct JitOptions {
  bool tileLoops = true;      ///< whether to compute DST sections with loops over elements
  bool blockTransfers = true; ///< whether to move the pages of a block with one call
  std::string hostCPU;        ///< the CPU to compile for; empty: this host's
  int optLevel = 1;           ///< of LLVM's optimiser
  bool gdb = false;           ///< whether gdb learns of compiled functions
  bool perfMap = false;       ///< whether perf learns the names of compiled functions
  std::string cacheFolder;    ///< for compiled code; empty: no code is kept

  bool operator==(const JitOptions &) const = default;
};

/// The IR of which Metalium C++ is made: that of stage ttkernel, or of stage loops.
enum class EmitPath : uint8_t { TTKernel, Direct };

/// --emit-report: whether to print the costs of the emitted kernels, and in which form.
enum class EmitReport : uint8_t { None, Text, Json };

/// Metalium C++ of the kernels.
struct EmissionOptions {
  std::string folder; ///< empty: no files are written
  hw::MetaliumVersion metalium;
  EmitPath path = EmitPath::TTKernel;
  EmitReport report = EmitReport::None;

  bool emits() const { return !folder.empty() || report != EmitReport::None; }
};

/// --what-if: what to change in further runs, to see how long the kernel then takes.
struct WhatIfChoices {
  bool grids = false, blocks = false;
};

/// How compiled kernels run.
struct LaunchOptions {
  /// Without --schedule, several host threads may run a kernel.
  LaunchOptions() { run.mayUseHostThreads = true; }

  hw::RunOptions run;
  bool shareArrays = true; ///< whether kernels work on the arrays of host tensors
  CheckChoices check;
  bool explainNumerics = false; ///< whether to follow the errors of device numerics
  WhatIfChoices whatIf;
};

/// --compute-config: settings that replace those of every kernel; empty: the kernel's own.
struct ComputeChoices {
  std::optional<bool> fp32DestAccEn, dstFullSyncEn, mathApproxMode;
  std::optional<hw::MathFidelity> mathFidelity;

  bool operator==(const ComputeChoices &) const = default;
};

/// Names of files about the launches of a process. An empty name: no such file.
struct RecordOptions {
  std::string decisions; ///< FILE of --record
  std::string replayed;  ///< FILE of --schedule=replay:FILE
  std::string trace;
  trace::TraceTime traceTime = trace::TraceTime::Logical;
  bool stats = false;
  std::string statsFile; ///< FILE.json of --stats; empty: the user reads the statistics
  std::vector<std::string> numericsFiles; ///< of --numerics-files
};

/// Repetitions of each launch.
struct CompareOptions {
  bool passes = false;  ///< --bisect: whether to compare the results of every pass
  bool engines = false; ///< whether to compare the engines after each launch
  /// The number of random schedules to compare; empty: compare no schedules.
  std::optional<uint64_t> schedules;
  ExploreChoice explore;
};

struct Options {
  EngineChoice engine = EngineChoice::Auto;
  std::optional<std::pair<int, int>> grid; ///< of --grid: columns and rows, as autoGrid() says
  std::string archName{hw::kDefaultArch};
  hw::ArchDesc arch = hw::defaultArch();
  bool isArchGiven = false;     ///< by --arch, not only by the machine
  std::string machine;          ///< the name that --mesh gave; empty: it gave none
  hw::ArchDesc machineArch;     ///< its chip
  std::vector<int> mesh;        ///< extents of the mesh of chips; empty: --mesh was not given
  int links = 0;                ///< of the machine, between two neighbours; 0: unknown
  std::string fabric;           ///< the value of --fabric; empty: it was not given
  bool hostCollectives = false; ///< whether collectives run on the host, not as kernels
  hw::NumericMode numerics = hw::NumericMode::Host;
  ComputeChoices compute;
  /// Whether the interpreter runs the frontend's IR, or that of `passes.stage`, under a debugger.
  bool debug = false;
  bool trust = false; ///< whether a .mlir file may call any function of the host
  PassOptions passes;
  JitOptions jit;
  EmissionOptions emit;
  LaunchOptions launch;
  RecordOptions records;
  CompareOptions compare;
  /// The flags that change the IR of kernels, as the user wrote them, such as "--dst=fpu".
  std::vector<std::string> given;

  /// Returns the columns and rows of kernels without a grid, or with grid="auto" or "full".
  std::pair<int, int> autoGrid() const { return grid.value_or(std::pair(arch.gridX, arch.gridY)); }
  /// Returns whether exceeding the limits of the real chip is an error: --emit writes code for that
  /// chip.
  bool isStrict() const { return passes.strict || emit.emits(); }
  /// Returns whether kernels tell their operations to the time model.
  bool estimatesTime() const {
    return !passes.time.empty() || records.traceTime == trace::TraceTime::Cycles;
  }
  /// Returns whether the emitted C++ runs and is made without stage ttkernel.
  bool runsDirectPath() const {
    return engine == EngineChoice::Emitted && emit.path == EmitPath::Direct && !debug;
  }
  /// Name of the last step of the pipeline; empty: the whole pipeline.
  std::string lastStep() const;
  /// Returns whether --dump names this stage, engine text or "input"; "all" names all except
  /// "input".
  bool dumps(std::string_view stage) const;
  /// Returns whether --dump names this pass; "all" names no pass.
  bool dumpsPass(std::string_view pass) const;
};

} // namespace ttjit::options

#endif // TTJIT_TOOLS_OPTIONS_OPTIONS_H
