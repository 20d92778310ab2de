//===- OptionTable.cpp - the options of ttl-jit -------------------------------- ===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionTable.h"

#include "jit/ObjectCache.h"
#include "tools/options/OptionParsers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

using namespace ttjit;
using namespace ttjit::session;

/// Rejects options that contradict each other.
static UsageError checkTogether(const Options &options) {
  if (!options.recordFile.empty() && !options.replayFile.empty())
    return "--record writes the decisions of a run, --schedule=replay takes them from a file; "
           "leave one out";
  if (options.bisect && !options.stage.empty())
    return "--bisect runs every stage; leave --stage out";
  if (options.bisect && !options.replayFile.empty())
    return "--bisect runs each kernel several times, and a file of --record holds the decisions of "
           "one run; leave --schedule=replay out";
  if (options.bisect && options.compare)
    return "--bisect compares passes, --compare compares engines and schedules; leave one out";
  if (options.explore.runs && (options.bisect || options.compare || !options.replayFile.empty()))
    return "--explore chooses the orders of threads itself; leave --bisect, --compare and "
           "--schedule=replay out";
  if (options.dryRun && (options.bisect || options.compare || options.explore.runs))
    return "--dry-run computes nothing that --bisect, --compare and --explore could compare; leave "
           "one out";
  if (options.dryRun && !options.emitDir.empty())
    return "--emit would write kernels that compute nothing; leave --dry-run out";
  if (options.dryRun && options.debug)
    return "the debugger runs kernels before the stage that --dry-run changes; leave --dry-run out";
  if (options.stage.empty())
    return std::nullopt;
  int last = static_cast<int>(pipelineSteps().size()) - 1, stage = *findStep(options.stage);
  if (!options.startFrom.empty() && *findStep(options.startFrom) > stage)
    return fmt::format("--start-from={} comes after --stage={}", options.startFrom, options.stage);
  if (stage == last)
    return std::nullopt;
  if (options.engine == EngineChoice::Jit || options.engine == EngineChoice::Emitted)
    return fmt::format("--engine={} runs stage ttkernel; only the interpreter runs --stage={}",
                       options.engine == EngineChoice::Jit ? "jit" : "emitted", options.stage);
  if (options.dryRun)
    return fmt::format("--dry-run changes stage ttkernel, and --stage={} stops before it",
                       options.stage);
  if (!options.emitDir.empty())
    return fmt::format("--emit needs stage ttkernel, and --stage={} stops before it",
                       options.stage);
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// The table of options
//===--------------------------------------------------------------------------===//

namespace {
struct OptionSpec {
  std::string_view name;
  std::string_view value; ///< the value as --help shows it; empty: the option is a switch
  UsageError (*set)(Options &, std::string_view);
  std::string_view help;
  bool shapesKernels = false; ///< changes the compiled kernel
  bool ofProcess = false;     ///< cannot be given for one kernel: options="..."
};
} // namespace

static constexpr OptionSpec kOptions[] = {
    {"engine", "auto|jit|interp|emitted", parseEngine,
     "auto (default): the interpreter runs the threads that the JIT cannot compile; emitted: the "
     "kernel as Metalium C++, compiled for this host"},
    {"grid", "COLUMNS,ROWS", parseGrid, "the grid of kernels without a grid, or with grid=\"auto\"",
     true},
    {"arch", "NAME[@COLSxROWS]", parseArch,
     "the chip, wormhole_b0 (default) or blackhole, and the size of its compute grid", true},
    {"numerics", "host", parseNumerics,
     "how numbers are rounded; the only choice is host: DST registers hold fp32"},
    {"schedule", "fair|greedy|random|parallel[(N)]|replay:FILE", parseSchedule,
     "which thread runs next; parallel: on N host threads (default: as many as the host has); "
     "without this option: fair, on several host threads if only the time can tell; "
     "replay repeats the choices of a file that --record wrote"},
    {"scheduler", "fair|greedy|random|parallel[(N)]", parseSchedule, "same as --schedule"},
    {"record", "FILE", parseRecord,
     "write the order of threads and transfers to FILE, for --schedule=replay", false, true},
    {"dma", "late|eager|random|random(SEED)", parseDma,
     "when a transfer completes (default late; with --schedule=random: random)"},
    {"seed", "N", parseSeed, "seed of random choices (default 0)"},
    {"strict", "", parseStrict,
     "report kernels that exceed the limits of the real chip as errors, not as warnings", true},
    {"compile-only", "", parseCompileOnly,
     "compile kernels and do not run them; mistakes that only a run would meet are warnings", true},
    {"trust", "", parseTrust,
     "let FILE.mlir call functions of any library of this host; without it, such a call is a fault",
     false, true},
    {"dry-run", "", parseChoice<&Options::dryRun>,
     "move data and check the protocol, but compute nothing: every block that a kernel computes is "
     "zero",
     true},
    {"max-dfbs", "N", parseMax<&Options::maxBuffers>,
     "warn about kernels with more than N buffers (default: as many as the chip has)", true},
    {"max-l1", "BYTES", parseMax<&Options::maxL1>,
     "warn about kernels whose buffers take more bytes of L1 than this", true},
    {"dump", "STAGE[,STAGE]|all", parseDump,
     "print the IR after a stage or pass. Stages: ttl, compute, sync, threads, buffers, dst, "
     "loops, ttkernel, llvm, asm. Also: input (the frontend's IR), schedule (after "
     "--schedule-file), l1 (the map of L1), dst-assignment (the values in each register)"},
    {"schedule-file", "FILE", parseScheduleFile,
     "apply this schedule, MLIR of the transform dialect, to each kernel", true},
    {"dst", "CHOICE[,CHOICE]", parseDST,
     "other ways to assign DST registers: schedule, lazy-loads, expire-at-use, fpu, pack-blocks",
     true},
    {"tile-loops", "on|off", parseChoice<&Options::tileLoops>,
     "on (default): the JIT computes the tiles of a DST section in one loop over their elements, "
     "and the products of a block at once; off: with one call per tile operation. Same bits",
     true},
    {"block-transfers", "on|off", parseChoice<&Options::blockTransfers>,
     "on (default): the JIT moves the pages of a block with one call; off: with one call per page. "
     "Results and statistics are the same",
     true},
    {"host-cpu", "NAME", parseHostCPU,
     "the CPU that the JIT compiles for, by LLVM's name, such as x86-64-v2; native (default): this "
     "host's. Same bits",
     true},
    {"opt-level", "0|1|2|3", parseOptLevel,
     "how much LLVM optimises the JIT's code (default 1, which is enough for loops over tiles). "
     "Same bits",
     true},
    {"gdb", "", parseGdb,
     "let gdb stop at lines of the kernel and show its variables; the code is not optimised", false,
     true},
    {"perf-map", "", parsePerfMap,
     "write the names of the JIT's functions to /tmp/perf-PID.map, where Linux' profiler perf "
     "finds "
     "them",
     false, true},
    {"aliases", "on|off", parseChoice<&Options::aliases>,
     "on (default): a read of pages of a tensor that the kernel does not write copies nothing "
     "until something needs the bytes in L1; off: it copies them. Nothing else differs"},
    {"share-arrays", "on|off", parseChoice<&Options::shareArrays>,
     "on (default): kernels read and write the arrays of host tensors; off: each launch copies "
     "them to the device and back. Results have the same bits"},
    {"emit", "DIR", parseEmit, "write the kernels as TT-Metalium C++ into DIR", false, true},
    {"metalium", "old|mid|new", parseMetalium,
     "the generation of tt-metal's API for --emit: old (until late 2025), mid (default), new (from "
     "mid 2026 on)"},
    {"stats", "", parseStats,
     "print the engine of each thread, times, and counts of transfers; --stats=FILE.json writes "
     "them",
     false, true},
    {"cache", "DIR|off", parseCache,
     "keep compiled code in this folder (default: ttl-jit in $XDG_CACHE_HOME or ~/.cache), or keep "
     "none"},
    {"trace", "FILE", parseTrace,
     "write what every thread did and waited for to FILE, for ttl-jit report and Perfetto; "
     "compressed if its name ends in .zst or .ttltrace",
     false, true},
    {"trace-time", "logical|host", parseTraceTime,
     "the times in a trace. logical (default): ticks that depend on the program only; host: "
     "nanoseconds of this host",
     false, true},
    {"check", "NAME,...|all|off", parseCheck,
     "find mistakes while kernels run. The names: race (uses of memory that nothing orders), init "
     "(of memory that nobody wrote), memory (of blocks that a thread gave away), numerics (where "
     "NaN and infinity begin), broadcast (missing broadcasts of reduced blocks), outputs (tensors "
     "that a kernel writes in part), protocol (blocks and signals that nobody takes). Kernels are "
     "slower then"},
    {"stage", "STAGE|PASS", parseStage,
     "stop the pipeline after this step and interpret the kernel; also --stop-after"},
    {"stop-after", "STAGE|PASS", parseStage, "same as --stage"},
    {"start-from", "STAGE|PASS", parseStartFrom,
     "FILE.mlir is the IR after this step; start the pipeline at the next one", true, true},
    {"debug", "on|off", parseChoice<&Options::debug>,
     "on: the interpreter runs kernels statement by statement, for ttl-jit debug"},
    {"bisect", "", parseBisect, "find the first pass that changes a result, as ttl-jit bisect does",
     false, true},
    {"compare", "engines|schedules[:N]", parseCompare,
     "repeat each launch on both engines, with schedules also under fair, greedy, parallel and N "
     "(default 20) random schedules, and report a result that differs",
     false, true},
    {"explore", "N[:FILE]", parseExplore,
     "repeat each launch in N other orders of threads and transfers; the first other result is a "
     "fault, and FILE (default explore.replay) is for --schedule=replay:FILE",
     false, true},
    {"pass-plugin", "FILE.so", parsePassPlugin, "load passes for --insert-pass", false, true},
    {"insert-pass", "PASS@STEP", parseInsertPass,
     "also run this pass, after that stage or pass of the pipeline"},
    {"limit", "N", parseLimit,
     "end a launch with a fault after N loop iterations and device calls of all its threads"},
};

static UsageError set(Options &options, const OptionSpec &spec, std::string_view value) {
  UsageError error = spec.set(options, value);
  if (!error && spec.shapesKernels)
    options.given.push_back(spec.value.empty() ? fmt::format("--{}", spec.name)
                                               : fmt::format("--{}={}", spec.name, value));
  return error;
}

static const OptionSpec *findOption(std::string_view name) {
  auto *found = std::ranges::find(kOptions, name, &OptionSpec::name);
  return found == std::end(kOptions) ? nullptr : found;
}

std::optional<std::string_view> session::valueOfOption(std::string_view name) {
  const OptionSpec *spec = findOption(name);
  return spec ? std::optional(spec->value) : std::nullopt;
}

UsageError session::setOption(Options &options, std::string_view name, std::string_view value) {
  const OptionSpec *spec = findOption(name);
  if (!spec)
    return unknownOption(name);
  if (UsageError error = set(options, *spec, value))
    return fmt::format("--{}: {}", name, *error);
  return std::nullopt;
}

UsageError
session::setKernelOptions(Options &options,
                          const std::vector<std::pair<std::string, std::string>> &changes) {
  for (const auto &[name, value] : changes) {
    const OptionSpec *spec = findOption(name);
    bool replays = spec && spec->set == parseSchedule && value.starts_with("replay");
    if (spec && (spec->ofProcess || replays))
      return fmt::format("--{}{} is an option of the whole process: give it to ttl-jit, or set {}",
                         name, replays ? "=replay" : "", environmentName(name));
    if (UsageError error = setOption(options, name, value))
      return error;
  }
  return checkTogether(options);
}

std::vector<std::pair<std::string, std::string>> session::kernelOptions() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const OptionSpec &spec : kOptions)
    if (!spec.ofProcess)
      found.emplace_back(spec.name, spec.value);
  return found;
}

std::vector<std::string> session::processOptions() {
  std::vector<std::string> found;
  for (const OptionSpec &spec : kOptions)
    if (spec.ofProcess)
      found.emplace_back(spec.name);
  return found;
}

std::string session::environmentName(std::string_view option) {
  std::string result = "TTL_";
  for (char c : option)
    result += c == '-' ? '_' : c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return result;
}

UsageError session::readEnvironment(Options &options) {
  options.cacheFolder = jit::defaultCacheFolder();
  for (const OptionSpec &spec : kOptions) {
    std::string variable = environmentName(spec.name);
    const char *value = std::getenv(variable.c_str());
    if (!value || !*value)
      continue;
    if (UsageError error = set(options, spec, value))
      return fmt::format("{}: {}", variable, *error);
  }
  return checkTogether(options);
}

/// Splits the text at spaces into lines of at most `columns` characters.
static std::vector<std::string> wrap(std::string_view text, size_t columns) {
  std::vector<std::string> lines;
  while (text.size() > columns) {
    size_t space = text.rfind(' ', columns);
    if (space == std::string_view::npos)
      break;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string session::optionsHelp() {
  constexpr size_t kFlagColumns = 28, kTextColumns = 66;
  const std::string indent = "\n" + std::string(kFlagColumns + 3, ' ');
  std::string text;
  for (const OptionSpec &spec : kOptions) {
    std::string flag =
        fmt::format("--{}{}{}", spec.name, spec.value.empty() ? "" : "=", spec.value);
    text += flag.size() > kFlagColumns ? fmt::format("  {}{}", flag, indent)
                                       : fmt::format("  {:<{}} ", flag, kFlagColumns);
    text += fmt::format("{}\n", fmt::join(wrap(spec.help, kTextColumns), indent));
  }
  return text;
}
