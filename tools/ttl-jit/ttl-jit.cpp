//===- ttl-jit.cpp - run TT-Lang scripts and .mlir programs --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/MlirProgram.h"
#include "tools/ttl-jit/EmbeddedPython.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

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
  writeTo(stdout, "usage: ttl-jit run FILE [options] [-- arguments]\n"
                  "       ttl-jit bisect FILE [options] [-- arguments]\n\n"
                  "Runs a TT-Lang script (.py) or a program of MLIR (.mlir) on the emulated\n"
                  "device. bisect runs every kernel after every pass of the pipeline too and names\n"
                  "the first pass that changes a result. Options may also be given as environment variables, as TTL_ENGINE\n"
                  "for --engine; options win.\n\n" +
                      optionsHelp() +
                      "\nExit status: 0; 1 the script failed; 2 usage; 3 compile-time errors;\n"
                      "4 a fault while a kernel ran.\n");
  return 0;
}

static int runMlir(const CommandLine &line) {
  Options options;
  UsageError error = readEnvironment(options);
  if (error)
    return usageError(*error);
  std::ifstream stream(line.file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    return usageError(fmt::format("cannot read {}", line.file));
  auto messages = [](std::string_view text) { writeTo(stderr, text); };
  Session session(options, messages);
  ExitStatus status = runMlirProgram(
      text, line.file, session, [](std::string_view text) { writeTo(stdout, text); }, messages);
  if (options.stats)
    for (const KernelReport &report : session.takeReports())
      messages(render(report));
  if (options.bisect && status != ExitStatus::CompileError) {
    writeTo(stdout, render(session.comparison(), line.file));
    if (session.comparison().difference)
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
  // One road for both kinds of programs: the extension reads the environment.
  for (auto &[name, value] : line.flags)
    setenv(environmentName(name).c_str(), value.c_str(), /*overwrite=*/1);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(line.file, ignored))
    return usageError(fmt::format("no such file: {}", line.file));
  if (line.file.ends_with(".mlir"))
    return runMlir(line);
  Options options;
  if (UsageError error = readEnvironment(options))
    return usageError(*error);
  if (!options.startFrom.empty())
    return usageError("--start-from: a script has no stage to start from; FILE is a .mlir file");
  return runPython(line.file, line.script);
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h")
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
