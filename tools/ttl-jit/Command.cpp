//===- Command.cpp - the commands of ttl-jit ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/Command.h"

#include "diagnostics/UserFile.h"
#include "jit/OnDemandLibrary.h"
#include "passes/UpstreamPasses.h"
#include "passes/modules/ModulePasses.h"
#include "tools/layout/LayoutCommand.h"
#include "tools/mlir-run/MlirProgram.h"
#include "tools/options/CommandLine.h"
#include "tools/options/OptionText.h"
#include "tools/session/Emission.h"
#include "tools/ttl-diff/Bisect.h"
#include "tools/ttl-diff/Exploration.h"
#include "tools/ttl-diff/OrderComparison.h"
#include "tools/ttl-jit/ModelArguments.h"
#include "tools/ttl-jit/SimulatorArguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace ttjit::diagnostics;
using namespace ttjit::layout;
using namespace ttjit::mlir_run;
using namespace ttjit::options;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

static void writeTo(FILE *stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

static CommandResult usageError(const std::string &message) {
  writeTo(stderr, fmt::format("ttl-jit: {}\n", message));
  return {int(ExitStatus::Usage)};
}

static CommandResult help() {
  writeTo(
      stdout,
      "usage: ttl-jit\n"
      "       ttl-jit [run] FILE [options] [-- arguments]\n"
      "       ttl-jit debug FILE [options] [-- arguments]\n"
      "       ttl-jit dap [--port=N]\n"
      "       ttl-jit bisect FILE [options] [-- arguments]\n"
      "       ttl-jit emit-report FILE [--json] [options] [-- arguments]\n"
      "       ttl-jit numerics FILE [--json=OUT] [--html=OUT] [--svg=OUT] [options] [-- "
      "arguments]\n"
      "       ttl-jit time FILE [--vs OTHER] [--json[=FILE.json]] [options] [-- arguments]\n"
      "       ttl-jit tune FILE --param NAME=VALUE,VALUE [...] [options] [-- arguments]\n"
      "       ttl-jit explore FILE [--orders=N] [options] [-- arguments]\n"
      "       ttl-jit report FILE [--counts] [--vs OTHER] [--html=OUT] [--json=OUT]\n"
      "       ttl-jit layout LAYOUT [--at=I,J] [--grid=YxX] [--svg=OUT]\n"
      "       ttl-jit explain [PASS]\n"
      "       ttlang-sim FILE [options] [-- arguments]\n"
      "       tt-lang-sim-stats FILE\n\n"
      "Without arguments: reads Python statements and commands; :help lists the commands.\n"
      "run: runs a TT-Lang script (.py) or an MLIR program (.mlir) on the emulated device.\n"
      "A module of TTIR, ttnn or TOSA may have --arg N=FILE.npy, --out N=FILE.npy and --function "
      "NAME after it.\n"
      "debug: runs a script or such a module and stops in its kernels; help lists the commands.\n"
      "dap: serves an editor's debugger by the Debug Adapter Protocol, on standard input and "
      "output,\n"
      "or for one connection to this TCP port.\n"
      "bisect: runs FILE and finds the first pass of the compiler that changes a result.\n"
      "emit-report: runs FILE and prints how many inits, tile operations, transfers and so on the "
      "C++ of its kernels has.\n"
      "numerics: runs FILE in the card's arithmetic and says where its errors come from.\n"
      "time: runs FILE and estimates how long its kernels take on a card, and what limits them.\n"
      "--what-if also runs each kernel with other grids and blocks, and says how long it takes "
      "then.\n"
      "--vs OTHER compares two scripts, or estimates of --json: which lines gained, which lost.\n"
      "tune: runs FILE with each combination of the values of --param, and ranks the estimates.\n"
      "Its options: --search=exhaustive|random:N[:SEED]|halving, --budget NAME=VALUE,VALUE, "
      "--tolerance=X,\n"
      "--kernel=NAME, --top=N, --json[=FILE.json], --workers=N, --cluster=ADDRESS, "
      "--journal=FILE.\n"
      "explore: runs FILE in --orders=N other orders of its threads (default 1000) and compares "
      "the "
      "results.\n"
      "Its options: --orders-per-run=N, --replay=FILE, --workers=N, --cluster=ADDRESS, "
      "--journal=FILE.\n"
      "report: shows a trace, which run --trace=FILE wrote, as text, a page or JSON.\n"
      "layout: shows where the elements of a tensor are, such as one of 33x128.\n"
      "explain: lists the passes of tt-mlir and those of ttl-jit that do their work, or describes "
      "one.\n"
      "ttlang-sim, tt-lang-sim: other names of ttl-jit run.\n"
      "ttlang-sim-stats, tt-lang-sim-stats: other names of ttl-jit report --counts.\n"
      "Each option is also an environment variable: TTL_ENGINE=jit means --engine=jit.\n"
      "If both are given, the option counts.\n\n" +
          optionsHelp() +
          "\nExit status: 0 success; 1 the script failed; 2 usage error; 3 compile-time error;\n"
          "4 fault while a kernel ran; 130 Ctrl-C; 143 SIGTERM.\n");
  return {};
}

// Returns the error that the library for MLIR modules cannot be loaded.
static CommandResult lacksModules(llvm::Error error) {
  return usageError(fmt::format("cannot load libttjit-modules.so, which reads MLIR modules: {}; "
                                "install ttl-jit again, or build the target ttjit-modules",
                                llvm::toString(std::move(error))));
}

// Lets Python run a module of ttir, ttnn or tosa.
static CommandResult runModel(const CommandLine &line, const std::vector<std::string> &arguments,
                              const Options &options, bool debugs, CommandResult result) {
  if (!options.passes.startFrom.empty())
    return usageError(fmt::format(
        "--start-from needs a .mlir file of kernels, and {} has functions of tensors", line.file));
  result.python = PythonRun{debugs ? "debug_model" : "model", line.file, arguments};
  return result;
}

// Writes the reports of --stats and --explain-numerics. Returns whether that was possible.
static bool deliverReports(Session &session, const Options &options) {
  auto toStream = [](FILE *stream) {
    return [stream](std::string_view text) { writeTo(stream, text); };
  };
  bool isDone = !options.records.stats ||
                deliver(session.takeReports(), options.records.statsFile, toStream(stderr));
  if (options.launch.explainNumerics)
    isDone &= deliver(session.takeExplanations(), options.records.numericsFiles, toStream(stdout));
  if (!options.passes.time.empty())
    isDone &=
        deliver(session.takeEstimates(), options.passes.time, toStream(stdout), toStream(stderr));
  return isDone;
}

// Runs @main of a program, or the functions of a module of d2m.
static CommandResult runKernels(const std::string &text, const std::string &path,
                                const Options &options) {
  auto messages = [](std::string_view text) { writeTo(stderr, text); };
  Bisect bisect;
  OrderComparison orders;
  Exploration exploration;
  llvm::Expected<void *> runProgram =
      ttjit::jit::loadFunction("ttjit-modules", kRunMlirProgramSymbol);
  if (!runProgram)
    return lacksModules(runProgram.takeError());
  Session session(options, messages,
                  options.compare.passes         ? bisect.observer(options)
                  : options.compare.explore.runs ? exploration.observer(options)
                                                 : orders.observer(options));
  // If JSON is printed, only it goes to standard output.
  FILE *stream = options.emit.report == EmitReport::Json ? stderr : stdout;
  session.setOutput([stream](const std::string &text) { writeTo(stream, text); });
  ExitStatus status = reinterpret_cast<decltype(&runMlirProgram)>(*runProgram)(
      text, path, session, [stream](std::string_view text) { writeTo(stream, text); }, messages);
  if (!deliverReports(session, options) && status == ExitStatus::Success)
    status = ExitStatus::RuntimeFault;
  if (options.compare.passes && status != ExitStatus::CompileError) {
    writeTo(stdout, bisect.report(path, options));
    if (bisect.comparison().difference)
      status = ExitStatus::ScriptFailed;
  }
  for (const std::string &difference : orders.take()) {
    messages("compare: " + difference);
    status = ExitStatus::ScriptFailed;
  }
  for (const std::string &report : exploration.take())
    messages("explore: " + report);
  messages(session.checkSummary());
  if (status == ExitStatus::Success)
    messages(session.noLaunchNote());
  if (status != ExitStatus::CompileError)
    writeTo(stdout, session.emitReport());
  session.close();
  return {int(status)};
}

// Returns why --what-if, which runs a script's operations again, cannot be used; empty: it can.
static std::string whatIfMistake(const Options &options, const std::string &file) {
  if (!options.launch.whatIf.grids && !options.launch.whatIf.blocks)
    return {};
  if (!file.ends_with(".py"))
    return fmt::format("--what-if calls the operations of a script (.py) again, and {} has none; "
                       "leave it out",
                       file);
  const std::string &time = options.passes.time;
  if (time.empty())
    return "--what-if adds to the report of --time; add --time, or use ttl-jit time";
  bool hasReport = time == "on" || time == "json" || time.starts_with("against:") ||
                   (time.ends_with(".json") && !time.starts_with("noc:"));
  if (!hasReport)
    return fmt::format("--what-if adds to the report and to the JSON of --time, and --time={} has "
                       "neither; leave one out",
                       time);
  const RecordOptions &records = options.records;
  bool hasRecord = !records.trace.empty() || !records.decisions.empty() || records.stats;
  if (hasRecord || options.emit.emits() || options.launch.explainNumerics || options.debug ||
      options.passes.compileOnly)
    return "--what-if runs kernels again, and --trace, --record, --stats, --emit, "
           "--explain-numerics, --compile-only and the debugger would take these runs for those of "
           "the program; leave one out";
  return {};
}

// Returns which option has no effect without another one, or cannot be used; empty: none.
static std::string mistakeOf(const Options &options, const std::string &file) {
  const RecordOptions &records = options.records;
  if (records.traceTime != ttjit::trace::TraceTime::Logical && records.trace.empty())
    return "--trace-time says in which time --trace writes: add --trace=FILE, or leave it out";
  if (!records.numericsFiles.empty() && !options.launch.explainNumerics)
    return "--numerics-files takes what --explain-numerics finds: add --explain-numerics, or use "
           "ttl-jit numerics";
  return whatIfMistake(options, file);
}

static CommandResult runMlir(const CommandLine &line, const std::vector<std::string> &arguments,
                             bool debugs, CommandResult result) {
  if (!line.script.empty())
    return usageError(
        fmt::format("a .mlir program takes no arguments; found {}", line.script.front()));
  Options options;
  UsageError error = readEnvironment(options);
  if (error)
    return usageError(*error);
  std::string mistake = mistakeOf(options, line.file);
  if (!mistake.empty())
    return usageError(mistake);
  std::optional<std::string> text = readUserFile(line.file, mistake);
  if (!text)
    return usageError(mistake);
  bool hasFiles = !arguments.empty() && text->find("d2m.") != std::string::npos;
  if (isModel(*text) || hasFiles)
    return runModel(line, arguments, options, debugs, std::move(result));
  if (debugs)
    return usageError(fmt::format(
        "debug needs a Python script or a module of ttir, ttnn or tosa, found {}", line.file));
  if (!arguments.empty())
    return usageError(
        fmt::format("{} is for modules of ttir, ttnn, tosa or d2m, and {} has no op of "
                    "these",
                    arguments.front(), line.file));
  return runKernels(*text, line.file, options);
}

// Sets a variable for this process, and for the Python that may run in it.
static void setVariable(CommandResult &result, const std::string &option,
                        const std::string &value) {
  setenv(environmentName(option).c_str(), value.c_str(), /*overwrite=*/1);
  result.environment.emplace_back(environmentName(option), value);
}

static CommandResult run(std::vector<std::string> arguments, CommandResult result,
                         const std::string &function = "run") {
  CommandLine line;
  std::vector<std::string> ofModel = takeModelArguments(arguments);
  if (UsageError error = parseCommandLine(arguments, line))
    return usageError(*error);
  if (line.help)
    return help();
  // Pass options on as environment variables, because the Python extension reads those.
  for (auto &[name, value] : line.flags)
    setVariable(result, name, value);
  if (std::optional<std::string> mistake = whyNotAFile(line.file))
    return usageError(*mistake);
  if ((function == "tune" || function == "explore") && !line.file.ends_with(".py"))
    return usageError(fmt::format("{} runs scripts (.py), found {}", function, line.file));
  if (line.file.ends_with(".mlir") && function != "compare_times")
    return runMlir(line, ofModel, function == "debug", std::move(result));
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  if (!options.passes.startFrom.empty())
    return usageError("--start-from needs a .mlir file: a script has no stage to start from");
  std::string mistake = function == "compare_times" ? "" : mistakeOf(options, line.file);
  if (!mistake.empty())
    return usageError(mistake);
  for (const std::string &warning : line.warnings)
    writeTo(stderr, fmt::format("ttl-jit: warning: {}\n", warning));
  result.python = PythonRun{function, line.file, line.script};
  return result;
}

// Runs the interactive session. Its options are those in the environment.
static CommandResult interact() {
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  CommandResult result;
  result.python = PythonRun{"interact", "", {}};
  return result;
}

// Shows a layout of tt-mlir.
static CommandResult layout(const std::vector<std::string> &arguments) {
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  LayoutOutcome outcome = runLayoutCommand(arguments, options.arch);
  writeTo(stdout, outcome.output);
  writeTo(stderr, outcome.errors);
  return {outcome.status};
}

// Prints which passes of ttl-jit do the work of passes of tt-mlir.
static CommandResult explain(const std::vector<std::string> &arguments) {
  if (arguments.size() > 1)
    return usageError(
        fmt::format("explain takes the name of one pass; found also '{}'", arguments[1]));
  if (arguments.empty()) {
    writeTo(stdout, ttjit::explainUpstreamPasses());
    return {};
  }
  llvm::Expected<const Emission *> emission = loadEmission();
  if (!emission)
    return usageError(llvm::toString(emission.takeError()));
  (*emission)->registerPass();
  if (llvm::Expected<void *> registerPasses =
          ttjit::jit::loadFunction("ttjit-modules", ttjit::kRegisterModulePassesSymbol))
    reinterpret_cast<void (*)()>(*registerPasses)();
  else
    return lacksModules(registerPasses.takeError());
  bool isKnown = false;
  std::string text = ttjit::explainPass(arguments[0], isKnown);
  writeTo(isKnown ? stdout : stderr, isKnown ? text : "ttl-jit: " + text);
  return {isKnown ? 0 : int(ExitStatus::Usage)};
}

// Returns OUT for an option such as --json=OUT, which names a file for the explanation of errors.
static std::optional<std::string> explanationFile(const std::string &argument,
                                                  std::string &mistake) {
  for (std::string kind : {"json", "html", "svg"}) {
    std::string flag = "--" + kind + "=", end = "." + kind;
    if (!argument.starts_with(flag))
      continue;
    std::string file = argument.substr(flag.size());
    if (!file.ends_with(end) || file.find(',') != std::string::npos)
      mistake = fmt::format("expected {}FILE{} without commas, found '{}'", flag, end, argument);
    return file;
  }
  return std::nullopt;
}

// Runs a file in device numerics and explains its errors.
static CommandResult numerics(const std::vector<std::string> &arguments) {
  CommandResult result;
  std::vector<std::string> rest;
  std::string files, mistake;
  for (auto it = arguments.begin(); it != arguments.end(); ++it) {
    if (*it == "--") {
      rest.insert(rest.end(), it, arguments.end());
      break;
    }
    if (std::optional<std::string> file = explanationFile(*it, mistake))
      files += (files.empty() ? "" : ",") + *file;
    else
      rest.push_back(*it);
  }
  if (!mistake.empty())
    return usageError(mistake);
  setVariable(result, "numerics", "device");
  setVariable(result, "explain-numerics", "on");
  if (!files.empty())
    setVariable(result, "numerics-files", files);
  return run(std::move(rest), std::move(result));
}

// Removes the options of these names before "--", with their values, and returns them as
// "--name=value" or, without a value, "--name".
static std::vector<std::string> takeOptions(std::vector<std::string> &arguments,
                                            std::initializer_list<std::string_view> names) {
  std::vector<std::string> found, rest;
  auto end = std::ranges::find(arguments, "--");
  for (auto word = arguments.begin(); word != end; ++word) {
    std::string name = word->substr(0, word->find('='));
    if (std::ranges::find(names, name) == names.end()) {
      rest.push_back(*word);
      continue;
    }
    bool isWhole = name.size() != word->size() || name == "--json" || word + 1 == end;
    found.push_back(isWhole ? *word : fmt::format("{}={}", *word, *(word + 1)));
    word += !isWhole;
  }
  rest.insert(rest.end(), end, arguments.end());
  arguments = std::move(rest);
  return found;
}

// Runs a function of _ttl_run.py that has options of its own. Its arguments are `own`, "--" and the
// arguments of the script.
static CommandResult runWithOptions(const std::string &function, std::vector<std::string> own,
                                    std::vector<std::string> arguments) {
  CommandResult result = run(std::move(arguments), {}, function);
  if (!result.python)
    return result;
  std::vector<std::string> &words = result.python->arguments;
  own.emplace_back("--");
  words.insert(words.begin(), own.begin(), own.end());
  return result;
}

// Runs a script many times, in a campaign: `function` is tune or explore.
static CommandResult campaign(const std::string &function, std::vector<std::string> arguments) {
  std::vector<std::string> own =
      takeOptions(arguments, {"--param", "--search", "--budget", "--tolerance", "--kernel", "--top",
                              "--json", "--orders", "--orders-per-run", "--replay", "--workers",
                              "--jobs", "--cluster", "--journal"});
  return runWithOptions(function, std::move(own), std::move(arguments));
}

// Compares the times of two programs.
static CommandResult compareTimes(std::vector<std::string> arguments) {
  std::vector<std::string> own = takeOptions(arguments, {"--vs", "--json"});
  return runWithOptions("compare_times", std::move(own), std::move(arguments));
}

static bool isVersus(const std::string &word) {
  return word == "--vs" || word.starts_with("--vs=");
}

// Returns the value of --time for options of `ttl-jit time`, and how many words these are.
namespace {
struct TimeForm {
  std::string form;
  size_t words = 0;
  std::string mistake;
};
} // namespace

static TimeForm timeForm(const std::vector<std::string> &arguments, size_t at) {
  const std::string &word = arguments[at];
  if (word == "--json")
    return {"json", 1, ""};
  size_t equals = word.find('=');
  std::string name = word.substr(0, equals);
  bool isJson = name == "--json", isCsv = name == "--csv", isProfile = name == "--device-csv";
  if (!isJson && !isCsv && !isProfile && name != "--noc-trace")
    return {};
  bool hasValue = equals != std::string::npos, isNext = !hasValue && at + 1 < arguments.size();
  std::string file = hasValue ? word.substr(equals + 1) : isNext ? arguments[at + 1] : "";
  std::string suffix = isCsv || isProfile ? ".csv" : ".json";
  if (!file.ends_with(suffix))
    return {"", 0,
            fmt::format("{} takes a file whose name ends in {}; found '{}'", name, suffix, file)};
  std::string prefix = isProfile ? "against:" : isJson || isCsv ? "" : "noc:";
  return {prefix + file, hasValue ? size_t(1) : size_t(2), ""};
}

static bool hasProgram(const std::vector<std::string> &arguments) {
  return std::ranges::any_of(arguments, [](const std::string &word) {
    return word.ends_with(".py") || word.ends_with(".mlir");
  });
}

// ttl-jit time --noc-trace FILE [--arch=NAME] [--json]: predicts a recorded trace.
static CommandResult predictTrace(const std::vector<std::string> &arguments) {
  std::string file, archName(ttjit::hw::kDefaultArch);
  bool isJson = false;
  for (const std::string &word : arguments) {
    if (word.starts_with("--noc-trace="))
      file = word.substr(std::string_view("--noc-trace=").size());
    else if (word.starts_with("--arch="))
      archName = word.substr(std::string_view("--arch=").size());
    else if (word == "--json")
      isJson = true;
    else if (word != "--noc-trace" && file.empty() && !word.starts_with("--"))
      file = word;
    else if (word != "--noc-trace")
      return usageError(fmt::format("time --noc-trace takes a file, --arch=NAME and --json; found "
                                    "'{}'",
                                    word));
  }
  std::optional<ttjit::hw::ArchDesc> arch = ttjit::hw::lookupArch(archName);
  if (!arch)
    return usageError(
        fmt::format("--arch: unknown chip '{}'; use wormhole_b0 or blackhole", archName));
  if (file.empty())
    return usageError("time --noc-trace needs a file: the JSON of a NoC trace");
  std::string mistake;
  std::string text = predictNocTrace(*arch, file, isJson, mistake);
  if (!mistake.empty())
    return usageError(mistake);
  writeTo(stdout, text);
  return {};
}

// Runs a program and prints how long its kernels take on a card. `--json`, `--json=FILE.json`,
// `--csv=FILE.csv`, `--device-csv FILE.csv` and `--noc-trace FILE.json` are short for values of
// --time. Without a program, `--noc-trace FILE` predicts a recorded trace.
static CommandResult time(std::vector<std::string> arguments) {
  if (std::any_of(arguments.begin(), std::ranges::find(arguments, "--"), isVersus))
    return compareTimes(std::move(arguments));
  bool hasTrace = std::ranges::any_of(
      arguments, [](const std::string &word) { return word.starts_with("--noc-trace"); });
  if (hasTrace && !hasProgram(arguments))
    return predictTrace(arguments);
  std::string form = "on";
  size_t end = size_t(std::ranges::find(arguments, "--") - arguments.begin());
  for (size_t at = 0; at < std::min(end, arguments.size());) {
    TimeForm found = timeForm(arguments, at);
    if (!found.mistake.empty())
      return usageError(found.mistake);
    if (found.words == 0) {
      ++at;
      continue;
    }
    form = found.form;
    auto first = arguments.begin() + static_cast<ptrdiff_t>(at);
    arguments.erase(first, first + static_cast<ptrdiff_t>(found.words));
    end -= found.words;
  }
  CommandResult result;
  setVariable(result, "time", form);
  return run(std::move(arguments), std::move(result));
}

// Returns whether the first argument is a file to run instead of a command.
static bool isProgramFile(const std::string &argument) {
  return argument.ends_with(".py") || argument.ends_with(".mlir");
}

// Removes --json from the options of emit-report and returns whether it was there.
static bool takeJson(std::vector<std::string> &arguments) {
  auto end = std::ranges::find(arguments, "--");
  auto found = std::find(arguments.begin(), end, "--json");
  bool isThere = found != end;
  if (isThere)
    arguments.erase(found);
  return isThere;
}

static CommandResult runArguments(std::vector<std::string> arguments) {
  if (arguments.empty())
    return interact();
  if (arguments[0] == "--help" || arguments[0] == "-h")
    return help();
  if (arguments[0] == "--version") {
    writeTo(stdout, fmt::format("ttl-jit {} (LLVM {})\n", TTJIT_VERSION, TTJIT_LLVM_VERSION));
    return {};
  }
  if (isProgramFile(arguments[0]))
    return run(arguments, {});
  CommandResult result;
  if (arguments[0] == "report" || arguments[0] == "dap") {
    result.python = PythonRun{arguments[0], "", {arguments.begin() + 1, arguments.end()}};
    return result;
  }
  if (arguments[0] == "layout")
    return layout({arguments.begin() + 1, arguments.end()});
  if (arguments[0] == "numerics")
    return numerics({arguments.begin() + 1, arguments.end()});
  if (arguments[0] == "explain")
    return explain({arguments.begin() + 1, arguments.end()});
  bool debugs = arguments[0] == "debug";
  if (arguments[0] == "time")
    return time({arguments.begin() + 1, arguments.end()});
  if (arguments[0] == "tune" || arguments[0] == "explore")
    return campaign(arguments[0], {arguments.begin() + 1, arguments.end()});
  bool counts = arguments[0] == "emit-report";
  if (arguments[0] != "run" && arguments[0] != "bisect" && !debugs && !counts)
    return usageError(fmt::format("unknown command '{}'; try ttl-jit run FILE", arguments[0]));
  if (arguments[0] == "bisect")
    setVariable(result, "bisect", "1");
  if (debugs)
    setVariable(result, "debug", "on");
  arguments.erase(arguments.begin());
  if (counts)
    setVariable(result, "emit-report", takeJson(arguments) ? "json" : "text");
  return run(arguments, std::move(result), debugs ? "debug" : "run");
}

// Refuses a tool that measures a simulator's Python code or estimates cycles; names another one.
static CommandResult refuseTool(const std::string &tool) {
  return usageError(fmt::format(
      "there is no tt-lang-{}: ttl-jit run FILE --stats prints times of compilation and launches, "
      "and --trace=OUT what every thread did and waited for, which ttl-jit report OUT shows; "
      "docs/debugging.md describes both",
      tool));
}

CommandResult runCommand(std::vector<std::string> words) {
  std::string tool = simulatorTool(words.front());
  words.erase(words.begin());
  if (tool == "sim-profile" || tool == "sim-cycles")
    return refuseTool(tool);
  return runArguments(commandOf(tool, std::move(words)));
}
