//===- OptionTable.cpp - the options of ttl-jit -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionTable.h"

#include "jit/ObjectCache.h"
#include "tools/options/OptionParsers.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

using namespace ttjit;
using namespace ttjit::options;

// Rejects what a dry run cannot do.
static UsageError checkDryRun(const Options &options) {
  const CompareOptions &compare = options.compare;
  if (compare.passes || compare.engines || compare.explore.runs)
    return "--dry-run computes nothing that --bisect, --compare and --explore could compare; leave "
           "one out";
  if (options.emit.emits())
    return "--emit would write kernels that compute nothing; leave --dry-run out";
  if (options.debug)
    return "the debugger runs kernels before the stage that --dry-run changes; leave --dry-run out";
  return std::nullopt;
}

// Returns the first line of MLIR's message. Further lines show the place in the pipeline's text.
static std::string firstLine(llvm::StringRef message) {
  llvm::StringRef line = message.trim().split('\n').first;
  size_t error = line.find(": error: ");
  return (error == llvm::StringRef::npos ? line : line.substr(error + 9)).str();
}

static bool isAfterLoops(std::string_view step) { return *findStep(step) > *findStep("loops"); }

// Rejects what needs stage ttkernel, which the direct path to C++ does not have.
static UsageError checkDirectPath(const Options &options) {
  constexpr const char *kDirect = "--emit-path=direct makes C++ of stage loops";
  if (!options.passes.startFrom.empty() && isAfterLoops(options.passes.startFrom))
    return fmt::format("{}, and --start-from={} is after it; leave one out", kDirect,
                       options.passes.startFrom);
  for (const InsertedPass &inserted : options.passes.inserted)
    if (isAfterLoops(inserted.after))
      return fmt::format("{}, and --insert-pass={}@{} changes later IR; leave one out", kDirect,
                         inserted.passes, inserted.after);
  if (!options.runsDirectPath())
    return std::nullopt;
  if (!options.passes.stage.empty())
    return fmt::format("{}, and --engine=emitted runs that; leave --stage out", kDirect);
  if (options.passes.dryRun)
    return fmt::format("{}, and --dry-run changes stage ttkernel; leave one out", kDirect);
  const CompareOptions &compare = options.compare;
  if (compare.passes || compare.engines || compare.explore.runs)
    return fmt::format("{}, and --bisect, --compare and --explore run stage ttkernel; leave one "
                       "out, or --engine=emitted",
                       kDirect);
  return std::nullopt;
}

// Rejects what the time model, which needs ops of stage ttkernel, cannot do.
static UsageError checkTime(const Options &options) {
  bool isTrace = options.passes.time.empty();
  const char *name = isTrace ? "--trace-time=cycles" : "--time";
  if (options.engine == EngineChoice::Emitted)
    return fmt::format(
        "{} needs an engine that runs stage ttkernel, and --engine=emitted runs C++; "
        "leave one out (all engines have the same events, and so the same time)",
        name);
  const CompareOptions &compare = options.compare;
  if (!isTrace && (compare.passes || compare.engines || compare.explore.runs))
    return "--time records one run of each launch, and --bisect, --compare and --explore repeat "
           "them; leave --time out";
  std::string last = options.lastStep();
  if (!last.empty() && *findStep(last) + 1 < static_cast<int>(pipelineSteps().size()))
    return options.passes.stage.empty()
               ? fmt::format("{} needs the operations of stage ttkernel, and the debugger runs "
                             "an earlier stage; add --stage=ttkernel",
                             name)
               : fmt::format("{} needs the operations of stage ttkernel, and --stage={} stops "
                             "before it; leave one out",
                             name, options.passes.stage);
  return std::nullopt;
}

// Rejects stages whose IR does not determine yet which unit of the card computes.
static UsageError checkNumerics(const Options &options) {
  if (options.numerics == hw::NumericMode::Host)
    return std::nullopt;
  if (options.compare.passes)
    return "--bisect compares every stage, and those before stage loops do not say which unit of "
           "the card computes; leave --numerics=device out";
  std::string last = options.lastStep();
  if (!last.empty() && *findStep(last) < *findStep("loops"))
    return fmt::format("--numerics=device needs stage loops or a later one, which says which unit "
                       "of the card computes, and {}; use --numerics=host",
                       options.passes.stage.empty() ? std::string("the debugger runs earlier ones")
                                                    : fmt::format("--stage={} is earlier", last));
  return std::nullopt;
}

// Rejects passes that do not exist. This is checked after all options, because a later option may
// load the passes that an earlier one names.
static UsageError checkInserted(const Options &options) {
  if (options.passes.inserted.empty())
    return std::nullopt;
  registerNamedPasses();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const InsertedPass &inserted : options.passes.inserted) {
    mlir::PassManager manager(&context);
    std::string why;
    if (failed(parsePasses(inserted.passes, manager, why)))
      return fmt::format("--insert-pass={}@{}: {}", inserted.passes, inserted.after,
                         firstLine(why));
  }
  return std::nullopt;
}

// Rejects options that contradict each other.
static UsageError checkTogether(const Options &options) {
  if (!options.machine.empty() && options.machineArch.name != options.arch.name)
    return fmt::format("the machine {} of --mesh has chips of {}, and --arch={} is another chip; "
                       "leave --arch out, or give --mesh the rows and columns: {}",
                       options.machine, options.machineArch.name, options.archName,
                       fmt::join(options.mesh, "x"));
  if (!options.records.decisions.empty() && !options.records.replayed.empty())
    return "--record writes the decisions of a run, --schedule=replay takes them from a file; "
           "leave one out";
  if (options.compare.passes && !options.passes.stage.empty())
    return "--bisect runs every stage; leave --stage out";
  if (options.compare.passes && !options.records.replayed.empty())
    return "--bisect runs each kernel several times, and a file of --record holds the decisions of "
           "one run; leave --schedule=replay out";
  if (options.compare.passes && options.compare.engines)
    return "--bisect compares passes, --compare compares engines and schedules; leave one out";
  if (options.compare.explore.runs &&
      (options.compare.passes || options.compare.engines || !options.records.replayed.empty()))
    return "--explore chooses the orders of threads itself; leave --bisect, --compare and "
           "--schedule=replay out";
  if (options.passes.dryRun)
    if (UsageError error = checkDryRun(options))
      return error;
  if (options.estimatesTime())
    if (UsageError error = checkTime(options))
      return error;
  if (UsageError error = checkInserted(options))
    return error;
  if (UsageError error = checkNumerics(options))
    return error;
  if (options.emit.path == EmitPath::Direct)
    if (UsageError error = checkDirectPath(options))
      return error;
  if (options.passes.stage.empty())
    return std::nullopt;
  int last = static_cast<int>(pipelineSteps().size()) - 1, stage = *findStep(options.passes.stage);
  if (!options.passes.startFrom.empty() && *findStep(options.passes.startFrom) > stage)
    return fmt::format("--start-from={} comes after --stage={}", options.passes.startFrom,
                       options.passes.stage);
  if (stage == last)
    return std::nullopt;
  if (options.engine == EngineChoice::Jit || options.engine == EngineChoice::Emitted)
    return fmt::format("--engine={} runs stage ttkernel; only the interpreter runs --stage={}",
                       options.engine == EngineChoice::Jit ? "jit" : "emitted",
                       options.passes.stage);
  if (options.passes.dryRun)
    return fmt::format("--dry-run changes stage ttkernel, and --stage={} stops before it",
                       options.passes.stage);
  if (options.emit.emits())
    return fmt::format("--emit needs stage ttkernel, and --stage={} stops before it",
                       options.passes.stage);
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Rows
//===--------------------------------------------------------------------------===//

static const OptionSpec *findOption(std::string_view name, OptionRows rows = optionRows()) {
  auto found = std::ranges::find_if(rows, [&](const OptionSpec &spec) {
    return name == spec.name || (!spec.alias.empty() && name == spec.alias);
  });
  return found == rows.end() ? nullptr : &*found;
}

// Returns the names of the rows for which `holds` is true, and their aliases.
static std::vector<std::pair<std::string, std::string>>
namesWhere(OptionRows rows, llvm::function_ref<bool(const OptionSpec &)> holds) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const OptionSpec &spec : rows) {
    if (!holds(spec))
      continue;
    found.emplace_back(spec.name, spec.value);
    if (!spec.alias.empty())
      found.emplace_back(spec.alias, spec.value);
  }
  return found;
}

static std::vector<std::string>
firsts(const std::vector<std::pair<std::string, std::string>> &pairs) {
  std::vector<std::string> names;
  for (const auto &[name, value] : pairs)
    names.push_back(name);
  return names;
}

std::vector<std::pair<std::string, std::string>> options::kernelOptions(OptionRows rows) {
  return namesWhere(rows, [](auto &spec) { return spec.giver != OptionGiver::Process; });
}

std::vector<std::string> options::hostOptions(OptionRows rows) {
  return firsts(namesWhere(rows, [](auto &spec) { return spec.giver == OptionGiver::Host; }));
}

std::vector<std::string> options::launchOptions(OptionRows rows) {
  return firsts(namesWhere(rows, [](auto &spec) {
    return spec.giver != OptionGiver::Process && spec.scope.kind() == OptionScope::Kind::Launch;
  }));
}

std::vector<std::string> options::processOptions(OptionRows rows) {
  return firsts(namesWhere(rows, [](auto &spec) { return spec.giver == OptionGiver::Process; }));
}

std::optional<std::string_view> options::valueOfOption(std::string_view name) {
  const OptionSpec *spec = findOption(name);
  return spec ? std::optional(spec->value) : std::nullopt;
}

std::string options::compileKey(const Options &options, OptionRows rows) {
  std::string key;
  for (const OptionSpec &spec : rows)
    if (spec.scope.isInKey()) {
      // Write the length, so that no value looks like the next option.
      std::string value = spec.scope.valueIn(options);
      key += fmt::format("{}={}:{} ", spec.name, value.size(), value);
    }
  return key;
}

std::vector<std::string_view> options::choicesOf(std::string_view value) {
  std::vector<std::string_view> choices;
  while (!value.empty()) {
    choices.push_back(value.substr(0, value.find('|')));
    value.remove_prefix(std::min(value.size(), choices.back().size() + 1));
  }
  return choices;
}

std::vector<std::string> options::completionsOf(std::string_view name, OptionRows rows) {
  std::vector<std::string> words;
  const OptionSpec *spec = findOption(name, rows);
  for (std::string_view choice : spec ? choicesOf(spec->value) : std::vector<std::string_view>()) {
    if (choice == "NAME,...") // only --check takes such a list
      for (const CheckSpec &check : kChecks)
        words.emplace_back(check.name);
    std::string_view word = choice.substr(0, choice.find('['));
    if (std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }))
      words.emplace_back(word);
  }
  return words;
}

//===--------------------------------------------------------------------------===//
// Setting options
//===--------------------------------------------------------------------------===//

static UsageError set(Options &options, const OptionSpec &spec, std::string_view value) {
  UsageError error = spec.set(options, value);
  if (!error && spec.scope.kind() == OptionScope::Kind::IR)
    options.given.push_back(spec.value.empty() ? fmt::format("--{}", spec.name)
                                               : fmt::format("--{}={}", spec.name, value));
  return error;
}

UsageError options::setOption(Options &options, std::string_view name, std::string_view value,
                              OptionRows rows) {
  const OptionSpec *spec = findOption(name, rows);
  if (!spec)
    return unknownOption(name);
  if (UsageError error = set(options, *spec, value))
    return fmt::format("--{}: {}", name, *error);
  return std::nullopt;
}

UsageError
options::setKernelOptions(Options &options,
                          const std::vector<std::pair<std::string, std::string>> &changes) {
  for (const auto &[name, value] : changes) {
    const OptionSpec *spec = findOption(name);
    bool replays = spec && spec->set == parseSchedule && value.starts_with("replay");
    if (spec && (spec->giver == OptionGiver::Process || replays))
      return fmt::format("--{}{} is an option of the whole process: give it to ttl-jit, or set {}",
                         name, replays ? "=replay" : "", environmentName(name));
    if (UsageError error = setOption(options, name, value))
      return error;
  }
  return checkTogether(options);
}

std::string options::environmentName(std::string_view option) {
  std::string result = "TTL_";
  for (char c : option)
    result += c == '-' ? '_' : c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return result;
}

static UsageError readVariable(Options &options, const OptionSpec &spec, std::string_view name) {
  std::string variable = environmentName(name);
  const char *value = std::getenv(variable.c_str());
  if (!value || !*value)
    return std::nullopt;
  if (UsageError error = set(options, spec, value))
    return fmt::format("{}: {}", variable, *error);
  return std::nullopt;
}

UsageError options::readEnvironment(Options &options) {
  options.jit.cacheFolder = jit::defaultCacheFolder();
  for (const OptionSpec &spec : optionRows())
    for (std::string_view name : {spec.name, spec.alias})
      if (!name.empty())
        if (UsageError error = readVariable(options, spec, name))
          return error;
  return checkTogether(options);
}
