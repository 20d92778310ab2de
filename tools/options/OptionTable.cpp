//===- OptionTable.cpp - the options of ttl-jit --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionTable.h"

#include "jit/CodeGenerator.h"
#include "jit/ObjectCache.h"
#include "tools/diagnostics/UserFile.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <span>

using namespace ttjit;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// Values
//===--------------------------------------------------------------------------===//

template <typename T> static bool parseNumber(std::string_view text, T &result) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size();
}

template <typename T> using Names = std::span<const std::pair<std::string_view, T>>;

template <typename T>
static UsageError parseNamed(Names<T> names, std::string_view value, T &result) {
  std::string expected;
  for (auto &[name, meaning] : names) {
    if (name == value) {
      result = meaning;
      return std::nullopt;
    }
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  return fmt::format("expected one of {}; found '{}'", expected, value);
}

static UsageError parseEngine(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, EngineChoice> names[] = {
      {"auto", EngineChoice::Auto},
      {"jit", EngineChoice::Jit},
      {"interp", EngineChoice::Interp},
      {"emitted", EngineChoice::Emitted}};
  return parseNamed<EngineChoice>(names, value, options.engine);
}

static UsageError parseGrid(Options &options, std::string_view value) {
  size_t comma = value.find_first_of(",x");
  std::pair<int, int> grid;
  if (comma == std::string_view::npos || !parseNumber(value.substr(0, comma), grid.first) ||
      !parseNumber(value.substr(comma + 1), grid.second))
    return fmt::format("expected columns,rows as in 8,8; found '{}'", value);
  if (grid.first < 1 || grid.second < 1 || grid.first > 4096 || grid.second > 4096)
    return fmt::format("a grid must have 1 to 4096 columns and rows; found '{}'", value);
  options.grid = grid;
  return std::nullopt;
}

static UsageError parseArch(Options &options, std::string_view value) {
  std::optional<hw::ArchDesc> arch = hw::lookupArch(value);
  if (!arch) {
    std::string known;
    for (const hw::ArchDesc &each : hw::kArchs)
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    return fmt::format("expected one of {}, optionally with a grid as in wormhole_b0@32x32; "
                       "found '{}'",
                       known, value);
  }
  options.arch = *arch;
  options.archName = value;
  return std::nullopt;
}

static UsageError parseNumerics(Options &, std::string_view value) {
  if (value == "host")
    return std::nullopt;
  if (value == "device")
    return "device numerics are not available in this version; use host";
  return fmt::format("expected host; found '{}'", value);
}

/// Parses parallel or parallel(N). Returns false if `value` is neither.
static bool parseParallel(Options &options, std::string_view value) {
  constexpr std::string_view parallel = "parallel";
  constexpr unsigned kMaxHostThreads = 1024;
  if (!value.starts_with(parallel))
    return false;
  value.remove_prefix(parallel.size());
  unsigned threads = 0;
  if (!value.empty()) {
    if (!value.starts_with('(') || !value.ends_with(')') ||
        !parseNumber(value.substr(1, value.size() - 2), threads) || threads < 1 ||
        threads > kMaxHostThreads)
      return false;
  }
  options.schedule = hw::SchedulePolicy::Parallel;
  options.hostThreads = threads;
  return true;
}

static UsageError parseSchedule(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, hw::SchedulePolicy> names[] = {
      {"fair", hw::SchedulePolicy::Fair},
      {"greedy", hw::SchedulePolicy::Greedy},
      {"random", hw::SchedulePolicy::Random}};
  constexpr std::string_view replay = "replay:";
  options.defaultSchedule = false;
  if (value.starts_with(replay) && value.size() > replay.size()) {
    options.schedule = hw::SchedulePolicy::Replay;
    options.replayFile = value.substr(replay.size());
    return whyNotAFile(options.replayFile);
  }
  options.replayFile.clear();
  if (!parseParallel(options, value) &&
      parseNamed<hw::SchedulePolicy>(names, value, options.schedule))
    return fmt::format("expected one of fair, greedy, random, parallel, parallel(N) with 1 to 1024 "
                       "host threads, or replay:FILE; found '{}'",
                       value);
  return std::nullopt;
}

static UsageError parseRecord(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a file";
  options.recordFile = value;
  return whyNotWritable(options.recordFile);
}

static UsageError parseDma(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, hw::DeliveryPolicy> names[] = {
      {"late", hw::DeliveryPolicy::Late},
      {"eager", hw::DeliveryPolicy::Eager},
      {"random", hw::DeliveryPolicy::Random}};
  hw::DeliveryPolicy policy{};
  UsageError error = parseNamed<hw::DeliveryPolicy>(names, value, policy);
  if (!error)
    options.dma = policy;
  return error;
}

static UsageError parseSeed(Options &options, std::string_view value) {
  if (!parseNumber(value, options.seed))
    return fmt::format("expected a number of 0 or more; found '{}'", value);
  return std::nullopt;
}

static UsageError parseLimit(Options &options, std::string_view value) {
  if (!parseNumber(value, options.limit) || options.limit == 0)
    return fmt::format("expected a number of steps, 1 or more; found '{}'", value);
  return std::nullopt;
}

static UsageError parseSwitch(std::string_view value, bool &result) {
  static constexpr std::pair<std::string_view, bool> names[] = {
      {"1", true}, {"0", false}, {"true", true}, {"false", false}, {"on", true}, {"off", false}};
  return parseNamed<bool>(names, value, result);
}

static UsageError parseStrict(Options &options, std::string_view value) {
  return parseSwitch(value, options.strict);
}

template <int64_t Options::*Limit>
static UsageError parseMax(Options &options, std::string_view value) {
  if (!parseNumber(value, options.*Limit) || options.*Limit < 1)
    return fmt::format("expected a number of 1 or more; found '{}'", value);
  return std::nullopt;
}

static UsageError parseStats(Options &options, std::string_view value) {
  options.statsFile.clear();
  if (!value.ends_with(".json"))
    return parseSwitch(value, options.stats);
  options.stats = true;
  // The program may change its working directory.
  options.statsFile = std::filesystem::absolute(value).string();
  return std::nullopt;
}

static UsageError parseDST(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, bool DSTChoices::*> names[] = {
      {"schedule", &DSTChoices::schedule},
      {"lazy-loads", &DSTChoices::lazyLoads},
      {"expire-at-use", &DSTChoices::expireAtUse},
      {"fpu", &DSTChoices::fpu},
      {"pack-blocks", &DSTChoices::packBlocks}};
  options.dst = {};
  while (!value.empty()) {
    std::string_view name = value.substr(0, value.find(','));
    bool DSTChoices::*choice = nullptr;
    if (UsageError error = parseNamed<bool DSTChoices::*>(names, name, choice))
      return error;
    options.dst.*choice = true;
    value.remove_prefix(std::min(value.size(), name.size() + 1));
  }
  return std::nullopt;
}

template <bool Options::*choice>
static UsageError parseChoice(Options &options, std::string_view value) {
  return parseSwitch(value, options.*choice);
}

static UsageError parseDump(Options &options, std::string_view value) {
  static constexpr std::string_view stages[] = {
      "ttl", "compute", "sync", "threads",  "buffers",        "dst", "loops", "ttkernel",
      "l1",  "llvm",    "asm",  "schedule", "dst-assignment", "all"};
  options.dump.clear();
  while (true) {
    size_t comma = value.find(',');
    std::string_view stage = value.substr(0, comma);
    if (std::ranges::find(stages, stage) == std::end(stages) && !findStep(stage))
      return fmt::format("expected stages out of {}, or passes; found '{}'",
                         fmt::join(stages, ", "), stage);
    options.dump.emplace_back(stage);
    if (comma == std::string_view::npos)
      return std::nullopt;
    value.remove_prefix(comma + 1);
  }
}

static UsageError parseEmit(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a directory";
  options.emitDir = value;
  return whyNoDirectory(options.emitDir);
}

static UsageError parseMetalium(Options &options, std::string_view value) {
  std::optional<hw::MetaliumGeneration> generation = hw::parseMetaliumGeneration(value);
  if (!generation)
    return fmt::format("expected old, mid or new; found '{}'", value);
  options.metalium.generation = *generation;
  return std::nullopt;
}

static UsageError parseStep(std::string_view value, std::string &result) {
  if (!findStep(value))
    return fmt::format("expected {}; found '{}'", describeSteps(), value);
  result = value;
  return std::nullopt;
}

static UsageError parseStage(Options &options, std::string_view value) {
  return parseStep(value, options.stage);
}

static UsageError parseStartFrom(Options &options, std::string_view value) {
  return parseStep(value, options.startFrom);
}

// The file is read only once, so that every kernel of a run gets the same schedule.
static UsageError parseScheduleFile(Options &options, std::string_view value) {
  std::string mistake;
  std::optional<std::string> text = readUserFile(std::string(value), mistake);
  if (!text)
    return mistake;
  options.schedulePath = value;
  options.scheduleText = std::move(*text);
  return std::nullopt;
}

static UsageError parseBisect(Options &options, std::string_view value) {
  return parseSwitch(value, options.bisect);
}

static UsageError parseCompare(Options &options, std::string_view value) {
  static constexpr std::string_view schedules = "schedules";
  constexpr uint64_t kSeeds = 20;
  options.compare = true;
  options.compareSchedules.reset();
  if (value == "engines")
    return std::nullopt;
  uint64_t seeds = kSeeds;
  bool isList = value.starts_with(schedules);
  std::string_view count = isList ? value.substr(schedules.size()) : "";
  if (!isList || (!count.empty() && (count[0] != ':' || !parseNumber(count.substr(1), seeds))))
    return fmt::format("expected engines, schedules, or schedules:N; found '{}'", value);
  options.compareSchedules = seeds;
  return std::nullopt;
}

static UsageError parseTrace(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a file";
  // The program may change its working directory.
  options.traceFile = std::filesystem::absolute(value).string();
  return std::nullopt;
}

static UsageError parseTraceTime(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, trace::TraceTime> names[] = {
      {"logical", trace::TraceTime::Logical}, {"host", trace::TraceTime::Host}};
  return parseNamed<trace::TraceTime>(names, value, options.traceTime);
}

static UsageError parseCache(Options &options, std::string_view value) {
  options.cacheFolder.clear();
  if (value == "off")
    return std::nullopt;
  if (value.empty())
    return "expected off or a folder";
  // The program may change its working directory.
  options.cacheFolder = std::filesystem::absolute(value).string();
  return whyNoDirectory(options.cacheFolder);
}

static UsageError parseHostCPU(Options &options, std::string_view value) {
  options.hostCPU = value == "native" ? "" : value;
  llvm::Expected<jit::CodeGenerator> found = jit::CodeGenerator::create(options.hostCPU, 1);
  if (!found)
    return llvm::toString(found.takeError());
  return std::nullopt;
}

static UsageError parseOptLevel(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, int> names[] = {
      {"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}};
  return parseNamed<int>(names, value, options.optLevel);
}

static UsageError parsePerfMap(Options &options, std::string_view value) {
  return parseSwitch(value, options.perfMap);
}

static UsageError parsePassPlugin(Options &, std::string_view value) {
  llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(std::string(value));
  if (!plugin)
    return llvm::toString(plugin.takeError());
  plugin->registerPassRegistryCallbacks();
  return std::nullopt;
}

static UsageError parseInsertPass(Options &options, std::string_view value) {
  size_t at = value.find('@');
  std::string_view after = at == std::string_view::npos ? "" : value.substr(at + 1);
  if (at == 0 || !findStep(after))
    return fmt::format("expected PASS@STEP, where STEP is {}; found '{}'", describeSteps(), value);
  options.inserted.push_back({std::string(value.substr(0, at)), std::string(after)});
  return std::nullopt;
}

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
    {"dma", "late|eager|random", parseDma,
     "when a transfer completes (default late; with --schedule=random: random)"},
    {"seed", "N", parseSeed, "seed of random choices (default 0)"},
    {"strict", "", parseStrict,
     "report kernels that exceed the limits of the real chip as errors, not as warnings", true},
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
    {"stage", "STAGE|PASS", parseStage,
     "stop the pipeline after this step and interpret the kernel; also --stop-after"},
    {"stop-after", "STAGE|PASS", parseStage, "same as --stage"},
    {"start-from", "STAGE|PASS", parseStartFrom,
     "FILE.mlir is the IR after this step; start the pipeline at the next one", true, true},
    {"bisect", "", parseBisect, "find the first pass that changes a result, as ttl-jit bisect does",
     false, true},
    {"compare", "engines|schedules[:N]", parseCompare,
     "repeat each launch on both engines, with schedules also under fair, greedy, parallel and N "
     "(default 20) random schedules, and report a result that differs",
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
