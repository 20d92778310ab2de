//===- ttl-jit.cpp - run TT-Lang scripts and .mlir programs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/diagnostics/UserFile.h"
#include "tools/mlir-run/MlirProgram.h"
#include "tools/options/CommandLine.h"
#include "tools/ttl-diff/Bisect.h"
#include "tools/ttl-diff/OrderComparison.h"
#include "tools/ttl-jit/EmbeddedPython.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

using namespace ttjit::session;

static void writeTo(FILE *stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

static int usageError(const std::string &message) {
  writeTo(stderr, fmt::format("ttl-jit: {}\n", message));
  return int(ExitStatus::Usage);
}

static int help() {
  writeTo(
      stdout,
      "usage: ttl-jit\n"
      "       ttl-jit run FILE [options] [-- arguments]\n"
      "       ttl-jit bisect FILE [options] [-- arguments]\n"
      "       ttlang-sim FILE [options] [-- arguments]\n\n"
      "Without arguments: reads Python statements and commands; :help lists the commands.\n"
      "run: runs a TT-Lang script (.py) or an MLIR program (.mlir) on the emulated device.\n"
      "bisect: runs FILE and finds the first pass of the compiler that changes a result.\n"
      "ttlang-sim, tt-lang-sim: other names of ttl-jit run.\n"
      "Each option is also an environment variable: TTL_ENGINE=jit means --engine=jit.\n"
      "If both are given, the option counts.\n\n" +
          optionsHelp() +
          "\nExit status: 0 success; 1 the script failed; 2 usage error; 3 compile-time error;\n"
          "4 fault while a kernel ran; 130 Ctrl-C.\n");
  return 0;
}

static int runMlir(const CommandLine &line) {
  if (!line.script.empty())
    return usageError(
        fmt::format("a .mlir program takes no arguments; found {}", line.script.front()));
  Options options;
  UsageError error = readEnvironment(options);
  if (error)
    return usageError(*error);
  std::string mistake;
  std::optional<std::string> text = readUserFile(line.file, mistake);
  if (!text)
    return usageError(mistake);
  auto messages = [](std::string_view text) { writeTo(stderr, text); };
  if (std::optional<std::string> warning = warningAbout(options))
    messages("warning: " + *warning + "\n");
  Bisect bisect;
  OrderComparison orders;
  Session session(options, messages,
                  options.bisect ? bisect.observer(options) : orders.observer(options));
  session.setOutput([](const std::string &text) { writeTo(stdout, text); });
  ExitStatus status = runMlirProgram(
      *text, line.file, session, [](std::string_view text) { writeTo(stdout, text); }, messages);
  if (options.stats)
    for (const ttjit::KernelReport &report : session.takeReports())
      messages(render(report));
  if (options.bisect && status != ExitStatus::CompileError) {
    writeTo(stdout, bisect.report(line.file, options));
    if (bisect.comparison().difference)
      status = ExitStatus::ScriptFailed;
  }
  for (const std::string &difference : orders.take()) {
    messages("compare: " + difference);
    status = ExitStatus::ScriptFailed;
  }
  return int(status);
}

static int run(const std::vector<std::string> &arguments) {
  CommandLine line;
  if (UsageError error = parseCommandLine(arguments, line))
    return usageError(*error);
  if (line.help)
    return help();
  // Pass options on as environment variables, because the Python extension reads those.
  for (auto &[name, value] : line.flags)
    setenv(environmentName(name).c_str(), value.c_str(), /*overwrite=*/1);
  if (std::optional<std::string> mistake = whyNotAFile(line.file))
    return usageError(*mistake);
  if (line.file.ends_with(".mlir"))
    return runMlir(line);
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  if (!options.startFrom.empty())
    return usageError("--start-from needs a .mlir file: a script has no stage to start from");
  return runPython(line.file, line.script);
}

/// Runs the interactive session. Its options are those of the environment.
static int interact() {
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  return runPython("", {});
}

static int runCommand(std::vector<std::string> arguments) {
  if (arguments.empty())
    return interact();
  if (arguments[0] == "--help" || arguments[0] == "-h")
    return help();
  if (arguments[0] == "--version") {
    writeTo(stdout, fmt::format("ttl-jit {} (LLVM {})\n", TTJIT_VERSION, TTJIT_LLVM_VERSION));
    return 0;
  }
  if (arguments[0] != "run" && arguments[0] != "bisect")
    return usageError(fmt::format("unknown command '{}'; try ttl-jit run FILE", arguments[0]));
  if (arguments[0] == "bisect")
    setenv(environmentName("bisect").c_str(), "1", /*overwrite=*/1);
  arguments.erase(arguments.begin());
  return run(arguments);
}

/// The names under which scripts and their documentation start a simulator.
static bool isSimulatorName(const char *program) {
  std::string name = std::filesystem::path(program).filename();
  return name == "ttlang-sim" || name == "tt-lang-sim";
}

/// The arguments of `ttl-jit`, whatever its name is.
static std::vector<std::string> commandOf(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!isSimulatorName(argv[0]))
    return arguments;
  bool isQuestion = arguments.empty() || arguments[0] == "--version" || arguments[0] == "--help";
  if (!isQuestion)
    arguments.insert(arguments.begin(), "run");
  return arguments;
}

int main(int argc, char **argv) {
  int status = runCommand(commandOf(argc, argv));
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  writeTo(stderr, "ttl-jit: cannot write to standard output\n");
  return status ? status : int(ExitStatus::ScriptFailed);
}
