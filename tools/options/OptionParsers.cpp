//===- OptionParsers.cpp - the values of options ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionParsers.h"
#include "tools/options/ReadText.h"

#include "diagnostics/UserFile.h"
#include "jit/CodeGenerator.h"
#include "jit/ObjectCache.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::options;

UsageError options::parseEngine(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, EngineChoice> names[] = {
      {"auto", EngineChoice::Auto},
      {"jit", EngineChoice::Jit},
      {"interp", EngineChoice::Interp},
      {"emitted", EngineChoice::Emitted}};
  return parseNamed<EngineChoice>(names, value, options.engine);
}

UsageError options::parseGrid(Options &options, std::string_view value) {
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

UsageError options::setArch(Options &options, std::string_view value) {
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

UsageError options::parseArch(Options &options, std::string_view value) {
  options.isArchGiven = true;
  return setArch(options, value);
}

UsageError options::parseNumerics(Options &options, std::string_view value) {
  if (value != "host" && value != "device")
    return fmt::format("expected host or device; found '{}'", value);
  options.numerics = value == "host" ? hw::NumericMode::Host : hw::NumericMode::Device;
  return std::nullopt;
}

static UsageError parseSetting(ComputeChoices &choices, std::string_view name,
                               std::string_view value) {
  static constexpr std::pair<std::string_view, hw::MathFidelity> fidelities[] = {
      {"LoFi", hw::MathFidelity::LoFi},
      {"HiFi2", hw::MathFidelity::HiFi2},
      {"HiFi3", hw::MathFidelity::HiFi3},
      {"HiFi4", hw::MathFidelity::HiFi4}};
  static constexpr std::pair<std::string_view, std::optional<bool> ComputeChoices::*> flags[] = {
      {"fp32_dest_acc_en", &ComputeChoices::fp32DestAccEn},
      {"dst_full_sync_en", &ComputeChoices::dstFullSyncEn},
      {"math_approx_mode", &ComputeChoices::mathApproxMode}};
  if (name == "math_fidelity")
    return parseNamed<hw::MathFidelity>(fidelities, value, choices.mathFidelity.emplace());
  for (auto &[flag, member] : flags)
    if (flag == name) // Python passes True and False
      return readSwitch((choices.*member).emplace(), value == "True"    ? "true"
                                                     : value == "False" ? "false"
                                                                        : value);
  return fmt::format("expected math_fidelity, fp32_dest_acc_en, dst_full_sync_en or "
                     "math_approx_mode; found '{}'",
                     name);
}

UsageError options::parseComputeConfig(Options &options, std::string_view value) {
  ComputeChoices choices;
  for (size_t from = 0; from <= value.size();) {
    size_t comma = std::min(value.find(',', from), value.size());
    std::string_view setting = value.substr(from, comma - from);
    from = comma + 1;
    size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
      return fmt::format("expected NAME=VALUE, such as math_fidelity=HiFi2; found '{}'", setting);
    std::string_view name = setting.substr(0, equals);
    if (UsageError error = parseSetting(choices, name, setting.substr(equals + 1)))
      return fmt::format("{}: {}", name, *error);
  }
  options.compute = choices;
  return std::nullopt;
}

// Parses parallel or parallel(N). Returns false if `value` is neither.
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
  options.launch.run.schedule = hw::SchedulePolicy::Parallel;
  options.launch.run.hostThreads = threads;
  return true;
}

UsageError options::parseSchedule(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, hw::SchedulePolicy> names[] = {
      {"fair", hw::SchedulePolicy::Fair},
      {"greedy", hw::SchedulePolicy::Greedy},
      {"random", hw::SchedulePolicy::Random}};
  constexpr std::string_view replay = "replay:";
  options.launch.run.mayUseHostThreads = false;
  if (value.starts_with(replay) && value.size() > replay.size()) {
    options.launch.run.schedule = hw::SchedulePolicy::Replay;
    options.records.replayed = value.substr(replay.size());
    return whyNotAFile(options.records.replayed);
  }
  options.records.replayed.clear();
  if (!parseParallel(options, value) &&
      parseNamed<hw::SchedulePolicy>(names, value, options.launch.run.schedule))
    return fmt::format("expected one of fair, greedy, random, parallel, parallel(N) with 1 to 1024 "
                       "host threads, or replay:FILE; found '{}'",
                       value);
  return std::nullopt;
}

UsageError options::parseRecord(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a file";
  options.records.decisions = value;
  return whyNotWritable(options.records.decisions);
}

UsageError options::parseDma(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, hw::DeliveryPolicy> names[] = {
      {"late", hw::DeliveryPolicy::Late},
      {"eager", hw::DeliveryPolicy::Eager},
      {"random", hw::DeliveryPolicy::Random}};
  constexpr std::string_view random = "random(";
  if (value.starts_with(random) && value.ends_with(')') &&
      parseNumber(value.substr(random.size(), value.size() - random.size() - 1),
                  options.launch.run.seed))
    value = "random";
  hw::DeliveryPolicy policy{};
  UsageError error = parseNamed<hw::DeliveryPolicy>(names, value, policy);
  if (!error)
    options.launch.run.delivery = policy;
  return error;
}

UsageError options::parseSeed(Options &options, std::string_view value) {
  if (!parseNumber(value, options.launch.run.seed))
    return fmt::format("expected a number of 0 or more; found '{}'", value);
  return std::nullopt;
}

UsageError options::parseLimit(Options &options, std::string_view value) {
  if (!parseNumber(value, options.launch.run.stepLimit) || options.launch.run.stepLimit == 0)
    return fmt::format("expected a number of steps, 1 or more; found '{}'", value);
  return std::nullopt;
}

UsageError options::readSwitch(bool &choice, std::string_view value) {
  static constexpr std::pair<std::string_view, bool> names[] = {
      {"1", true}, {"0", false}, {"true", true}, {"false", false}, {"on", true}, {"off", false}};
  return parseNamed<bool>(names, value, choice);
}

UsageError options::parseStrict(Options &options, std::string_view value) {
  return readSwitch(options.passes.strict, value);
}

UsageError options::parseCompileOnly(Options &options, std::string_view value) {
  return readSwitch(options.passes.compileOnly, value);
}

UsageError options::parseTrust(Options &options, std::string_view value) {
  return readSwitch(options.trust, value);
}

UsageError options::parseDebug(Options &options, std::string_view value) {
  return readSwitch(options.debug, value);
}

UsageError options::parseAliases(Options &options, std::string_view value) {
  return readSwitch(options.launch.run.aliases, value);
}

UsageError options::parseKeptBlocks(Options &options, std::string_view value) {
  return readSwitch(options.launch.run.keptBlocks, value);
}

UsageError options::readMaximum(int64_t &maximum, std::string_view value) {
  if (!parseNumber(value, maximum) || maximum < 1)
    return fmt::format("expected a number of 1 or more; found '{}'", value);
  return std::nullopt;
}

UsageError options::parseNumericsFiles(Options &options, std::string_view value) {
  options.records.numericsFiles.clear();
  for (size_t from = 0; from <= value.size();) {
    size_t comma = std::min(value.find(',', from), value.size());
    std::string_view file = value.substr(from, comma - from);
    from = comma + 1;
    if (!file.ends_with(".json") && !file.ends_with(".html") && !file.ends_with(".svg"))
      return fmt::format("expected files whose names end in .json, .html or .svg; found '{}'",
                         file);
    options.records.numericsFiles.push_back(std::filesystem::absolute(file).string());
  }
  return std::nullopt;
}

UsageError options::parseRankOutput(Options &, std::string_view value) {
  bool isShown = false;
  return readSwitch(isShown, value);
}

UsageError options::parseStats(Options &options, std::string_view value) {
  options.records.statsFile.clear();
  if (!value.ends_with(".json")) {
    if (readSwitch(options.records.stats, value))
      return fmt::format("expected on, off, or a file whose name ends in .json; found '{}'", value);
    return std::nullopt;
  }
  options.records.stats = true;
  // The program may change its working directory.
  options.records.statsFile = std::filesystem::absolute(value).string();
  return whyNotWritable(options.records.statsFile);
}

// Reads names of true-or-false choices, separated by commas. Sets the named choices only.
template <typename Choices>
static UsageError parseChoices(Names<bool Choices::*> names, std::string_view value,
                               Choices &choices) {
  choices = {};
  while (!value.empty()) {
    std::string_view name = value.substr(0, value.find(','));
    bool Choices::*choice = nullptr;
    if (UsageError error = parseNamed<bool Choices::*>(names, name, choice))
      return error;
    choices.*choice = true;
    value.remove_prefix(std::min(value.size(), name.size() + 1));
  }
  return std::nullopt;
}

UsageError options::parseDST(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, bool DSTChoices::*> names[] = {
      {"schedule", &DSTChoices::schedule},
      {"lazy-loads", &DSTChoices::lazyLoads},
      {"expire-at-use", &DSTChoices::expireAtUse},
      {"fpu", &DSTChoices::fpu},
      {"pack-blocks", &DSTChoices::packBlocks}};
  return parseChoices<DSTChoices>(names, value, options.passes.dst);
}

UsageError options::parseCheck(Options &options, std::string_view value) {
  CheckChoices all;
  std::vector<std::pair<std::string_view, CheckChoices>> names;
  for (const CheckSpec &check : kChecks) {
    all.*check.choice = true;
    names.emplace_back(check.name, CheckChoices{}).second.*check.choice = true;
  }
  names.emplace_back("all", all);
  names.emplace_back("off", CheckChoices{.off = true});
  CheckChoices found;
  do {
    std::string_view name = value.substr(0, value.find(','));
    CheckChoices choice;
    if (UsageError error = parseNamed<CheckChoices>(names, name, choice))
      return error;
    for (const CheckSpec &check : kChecks)
      found.*check.choice |= choice.*check.choice;
    found.off |= choice.off;
    value.remove_prefix(std::min(value.size(), name.size() + 1));
  } while (!value.empty());
  options.launch.check = found;
  return std::nullopt;
}

UsageError options::parseDump(Options &options, std::string_view value) {
  static constexpr std::string_view stages[] = {
      "ttl", "compute", "sync", "threads",  "buffers",        "dst",    "loops", "ttkernel",
      "l1",  "llvm",    "asm",  "schedule", "dst-assignment", "config", "all"};
  options.passes.dump.clear();
  while (true) {
    size_t comma = value.find(',');
    std::string_view stage = value.substr(0, comma);
    if (std::ranges::find(stages, stage) == std::end(stages) && !findStep(stage))
      return fmt::format("expected stages out of {}, or passes; found '{}'",
                         fmt::join(stages, ", "), stage);
    options.passes.dump.emplace_back(stage);
    if (comma == std::string_view::npos)
      return std::nullopt;
    value.remove_prefix(comma + 1);
  }
}

UsageError options::parseEmit(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a directory";
  options.emit.folder = value;
  return whyNoDirectory(options.emit.folder);
}

UsageError options::parseMetalium(Options &options, std::string_view value) {
  std::optional<hw::MetaliumGeneration> generation = hw::parseMetaliumGeneration(value);
  if (!generation)
    return fmt::format("expected old, mid or new; found '{}'", value);
  options.emit.metalium.generation = *generation;
  return std::nullopt;
}

UsageError options::parseEmitPath(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, EmitPath> names[] = {
      {"ttkernel", EmitPath::TTKernel}, {"direct", EmitPath::Direct}};
  return parseNamed<EmitPath>(names, value, options.emit.path);
}

static UsageError parseStep(std::string_view value, std::string &result) {
  if (!findStep(value))
    return fmt::format("expected {}; found '{}'", describeSteps(), value);
  result = value;
  return std::nullopt;
}

UsageError options::parseStage(Options &options, std::string_view value) {
  return parseStep(value, options.passes.stage);
}

UsageError options::parseStartFrom(Options &options, std::string_view value) {
  return parseStep(value, options.passes.startFrom);
}

UsageError options::parseEmitReport(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, EmitReport> names[] = {{"text", EmitReport::Text},
                                                                      {"json", EmitReport::Json}};
  return parseNamed<EmitReport>(names, value, options.emit.report);
}

// Reads the file only once, so that every kernel of a run gets the same schedule.
UsageError options::parseScheduleFile(Options &options, std::string_view value) {
  std::string mistake;
  std::optional<std::string> text = readUserFile(std::string(value), mistake);
  if (!text)
    return mistake;
  options.passes.schedulePath = value;
  options.passes.scheduleText = std::move(*text);
  return std::nullopt;
}

UsageError options::parseBisect(Options &options, std::string_view value) {
  return readSwitch(options.compare.passes, value);
}

UsageError options::parseCompare(Options &options, std::string_view value) {
  static constexpr std::string_view schedules = "schedules";
  constexpr uint64_t kSeeds = 20;
  options.compare.engines = true;
  options.compare.schedules.reset();
  if (value == "engines")
    return std::nullopt;
  uint64_t seeds = kSeeds;
  bool isList = value.starts_with(schedules);
  std::string_view count = isList ? value.substr(schedules.size()) : "";
  if (!isList || (!count.empty() && (count[0] != ':' || !parseNumber(count.substr(1), seeds))))
    return fmt::format("expected engines, schedules, or schedules:N; found '{}'", value);
  options.compare.schedules = seeds;
  return std::nullopt;
}

UsageError options::parseExplore(Options &options, std::string_view value) {
  size_t colon = std::min(value.find(':'), value.size());
  std::string_view count = value.substr(0, colon), file = value.substr(colon);
  if (!parseNumber(count, options.compare.explore.runs) || !options.compare.explore.runs ||
      file == ":")
    return fmt::format("expected a number of runs, and perhaps :FILE; found '{}'", value);
  // The program may change its working directory.
  options.compare.explore.file =
      std::filesystem::absolute(file.empty() ? "explore.replay" : file.substr(1)).string();
  return file.empty() ? std::nullopt : whyNotWritable(options.compare.explore.file);
}

UsageError options::parseTime(Options &options, std::string_view value) {
  std::string &time = options.passes.time;
  bool isOn = false;
  if (value == "json" || value == "cycles") {
    time = value;
  } else if (value.starts_with("against:") || value.starts_with("noc:")) {
    size_t length = value.find(':') + 1; // the path becomes absolute: the folder may change
    if (value.size() == length)
      return fmt::format("expected a file after '{}'", value);
    std::string file = std::filesystem::absolute(value.substr(length)).string();
    time = std::string(value.substr(0, length)) + file;
    return value.starts_with("noc:") ? whyNotWritable(file) : whyNotAFile(file);
  } else if (value.ends_with(".json") || value.ends_with(".csv")) {
    time = std::filesystem::absolute(value).string();
    return whyNotWritable(time);
  } else if (readSwitch(isOn, value)) {
    return fmt::format("expected on, off, cycles, json, a file whose name ends in .json or .csv, "
                       "against:FILE or noc:FILE; found '{}'",
                       value);
  } else {
    time = isOn ? "on" : "";
  }
  return std::nullopt;
}

UsageError options::parseWhatIf(Options &options, std::string_view value) {
  bool isAll = false;
  if (!readSwitch(isAll, value)) {
    options.launch.whatIf = {isAll, isAll};
    return std::nullopt;
  }
  WhatIfChoices found;
  for (std::string_view rest = value, name; !rest.empty() || name.empty();) {
    name = rest.substr(0, rest.find(','));
    if (name != "grid" && name != "blocks")
      return fmt::format("expected on, off, grid, blocks or grid,blocks; found '{}'", value);
    (name == "grid" ? found.grids : found.blocks) = true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  options.launch.whatIf = found;
  return std::nullopt;
}

UsageError options::parseTrace(Options &options, std::string_view value) {
  if (value.empty())
    return "expected a file";
  // The program may change its working directory.
  options.records.trace = std::filesystem::absolute(value).string();
  return whyNotWritable(options.records.trace);
}

UsageError options::parseTraceTime(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, trace::TraceTime> names[] = {
      {"logical", trace::TraceTime::Logical},
      {"host", trace::TraceTime::Host},
      {"cycles", trace::TraceTime::Cycles}};
  return parseNamed<trace::TraceTime>(names, value, options.records.traceTime);
}

UsageError options::parseCache(Options &options, std::string_view value) {
  options.jit.cacheFolder.clear();
  if (value == "off")
    return std::nullopt;
  if (value.empty())
    return "expected off or a folder";
  // The program may change its working directory.
  options.jit.cacheFolder = std::filesystem::absolute(value).string();
  return whyNoDirectory(options.jit.cacheFolder);
}

UsageError options::parseHostCPU(Options &options, std::string_view value) {
  options.jit.hostCPU = value == "native" ? "" : value;
  llvm::Expected<jit::CodeGenerator> found = jit::CodeGenerator::create(options.jit.hostCPU, 1);
  if (!found)
    return llvm::toString(found.takeError());
  return std::nullopt;
}

UsageError options::parseOptLevel(Options &options, std::string_view value) {
  static constexpr std::pair<std::string_view, int> names[] = {
      {"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}};
  return parseNamed<int>(names, value, options.jit.optLevel);
}

UsageError options::parseGdb(Options &options, std::string_view value) {
  return readSwitch(options.jit.gdb, value);
}

UsageError options::parsePerfMap(Options &options, std::string_view value) {
  return readSwitch(options.jit.perfMap, value);
}

UsageError options::parsePassPlugin(Options &options, std::string_view value) {
  llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(std::string(value));
  if (!plugin)
    return llvm::toString(plugin.takeError());
  plugin->registerPassRegistryCallbacks();
  options.passes.plugins.emplace_back(value);
  return std::nullopt;
}

UsageError options::parseInsertPass(Options &options, std::string_view value) {
  size_t at = value.find('@');
  std::string_view after = at == std::string_view::npos ? "" : value.substr(at + 1);
  if (at == 0 || !findStep(after))
    return fmt::format("expected PASS@STEP, where STEP is {}; found '{}'", describeSteps(), value);
  options.passes.inserted.push_back({std::string(value.substr(0, at)), std::string(after)});
  return std::nullopt;
}
