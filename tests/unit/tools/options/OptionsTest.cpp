//===- OptionsTest.cpp - flags and variables ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/CommandLine.h"
#include "tools/options/OptionText.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

using namespace ttjit;
using namespace ttjit::options;

static CommandLine parse(std::vector<std::string> arguments) {
  CommandLine line;
  UsageError error = parseCommandLine(arguments, line);
  EXPECT_FALSE(error) << *error;
  return line;
}

static std::string errorOf(std::vector<std::string> arguments) {
  CommandLine line;
  return parseCommandLine(arguments, line).value_or("");
}

using Strings = std::vector<std::string>;
using Flags = std::vector<std::pair<std::string, std::string>>;

TEST(CommandLine, OptionsStandOnBothSidesOfTheFile) {
  CommandLine line = parse({"--engine=jit", "--grid", "4,2", "k.py", "--stats", "--seed=7"});
  EXPECT_EQ(line.file, "k.py");
  EXPECT_EQ(line.flags, (Flags{{"engine", "jit"}, {"grid", "4,2"}, {"stats", "1"}, {"seed", "7"}}));
  EXPECT_TRUE(line.script.empty());
}

TEST(CommandLine, FirstUnknownArgumentAfterTheFileBelongsToTheScript) {
  CommandLine line = parse({"k.py", "--strict", "--size=512", "--engine=jit"});
  EXPECT_EQ(line.flags, (Flags{{"strict", "1"}}));
  EXPECT_EQ(line.script, (Strings{"--size=512", "--engine=jit"}));
}

TEST(CommandLine, EverythingBehindTwoDashesBelongsToTheScript) {
  EXPECT_EQ(parse({"k.py", "--", "--engine=jit", "--"}).script, (Strings{"--engine=jit", "--"}));
}

TEST(CommandLine, HelpOfTheScriptIsItsOwn) {
  EXPECT_TRUE(parse({"--help"}).help);
  CommandLine line = parse({"k.py", "--help"});
  EXPECT_FALSE(line.help);
  EXPECT_EQ(line.script, (Strings{"--help"}));
}

TEST(CommandLine, MistakesSayWhatWasExpected) {
  EXPECT_NE(errorOf({}).find("no file to run"), std::string::npos);
  EXPECT_EQ(errorOf({"--engien=jit", "k.py"}), "unknown option --engien; did you mean --engine?");
  EXPECT_EQ(errorOf({"--shedule", "fair", "k.py"}),
            "unknown option --shedule; did you mean --schedule?");
  EXPECT_EQ(errorOf({"--wings", "k.py"}), "unknown option --wings; see ttl-jit --help");
  EXPECT_EQ(errorOf({"-x", "k.py"}), "unknown option -x; see ttl-jit --help");
  EXPECT_NE(errorOf({"--engine"}).find("--engine needs a value"), std::string::npos);
  EXPECT_EQ(errorOf({"--engine=fast", "k.py"}),
            "--engine: expected one of auto, jit, interp, emitted; found 'fast'");
}

static std::string setting(std::string_view name, std::string_view value) {
  Options options;
  return setOption(options, name, value).value_or("");
}

TEST(Options, OneKernelMayHaveMostOfThem) {
  Options options;
  EXPECT_EQ(setKernelOptions(options, {{"dst", "fpu"}, {"max-dfbs", "3"}, {"seed", "7"}}),
            std::nullopt);
  EXPECT_TRUE(options.passes.dst.fpu);
  EXPECT_EQ(options.passes.maxBuffers, 3);
  EXPECT_EQ(options.launch.run.seed, 7u);
  EXPECT_EQ(setKernelOptions(options, {{"bisect", "1"}}).value_or(""),
            "--bisect is an option of the whole process: give it to ttl-jit, or set TTL_BISECT");
  EXPECT_EQ(setKernelOptions(options, {{"schedule", "replay:f"}}).value_or(""),
            "--schedule=replay is an option of the whole process: give it to ttl-jit, or set "
            "TTL_SCHEDULE");
}

TEST(Options, WrongOptionsOfOneKernelAreRefused) {
  Options options;
  EXPECT_EQ(setKernelOptions(options, {{"max-l1", "0"}}).value_or(""),
            "--max-l1: expected a number of 1 or more; found '0'");
  options.emit.folder = "out";
  EXPECT_EQ(
      setKernelOptions(options, {{"stage", "compute"}}).value_or("").find("--emit needs stage"),
      0u);
  for (const auto &[name, value] : kernelOptions())
    EXPECT_EQ(valueOfOption(name), std::optional<std::string_view>(value));
}

TEST(Options, RefusesBadValues) {
  for (auto [name, value] :
       std::initializer_list<std::pair<const char *, const char *>>{{"grid", "8"},
                                                                    {"grid", "8,0"},
                                                                    {"grid", "8,-1"},
                                                                    {"grid", "5000,1"},
                                                                    {"grid", "8,8,8"},
                                                                    {"arch", "grayskull"},
                                                                    {"arch", "blackhole@0x4"},
                                                                    {"numerics", "fast"},
                                                                    {"schedule", "lucky"},
                                                                    {"dma", "soon"},
                                                                    {"seed", "-1"},
                                                                    {"seed", "1e3"},
                                                                    {"limit", "0"},
                                                                    {"limit", ""},
                                                                    {"dump", "ttl,foo"},
                                                                    {"dump", ""},
                                                                    {"strict", "maybe"},
                                                                    {"compare", "passes"},
                                                                    {"compare", "schedules:"},
                                                                    {"compare", "schedules:x"},
                                                                    {"compare", "schedules2"},
                                                                    {"trace", ""},
                                                                    {"check", ""},
                                                                    {"check", "race,rase"},
                                                                    {"explore", "0"},
                                                                    {"emit", ""},
                                                                    {"nonsense", "1"}})
    EXPECT_NE(setting(name, value), "") << name << "=" << value;
}

TEST(Options, SetsGoodValues) {
  Options options;
  for (auto [name, value] : std::initializer_list<std::pair<const char *, const char *>>{
           {"grid", "4,2"},
           {"arch", "blackhole@3x5"},
           {"schedule", "random"},
           {"dma", "eager"},
           {"seed", "18446744073709551615"},
           {"limit", "1000"},
           {"dump", "ttl,ttkernel"},
           {"dry-run", "1"},
           {"strict", "1"},
           {"check", "race"},
           {"engine", "interp"}})
    EXPECT_EQ(setOption(options, name, value), std::nullopt);
  EXPECT_EQ(options.grid, std::pair(4, 2));
  EXPECT_TRUE(options.passes.dryRun);
  EXPECT_EQ(options.archName, "blackhole@3x5");
  EXPECT_EQ(options.arch.gridY, 5);
  EXPECT_EQ(options.launch.run.schedule, hw::SchedulePolicy::Random);
  EXPECT_EQ(options.launch.run.delivery, hw::DeliveryPolicy::Eager);
  EXPECT_EQ(options.launch.run.seed, UINT64_MAX);
  EXPECT_TRUE(options.dumps("ttl") && options.dumps("ttkernel") && !options.dumps("dst"));
  EXPECT_TRUE(options.passes.strict);
  EXPECT_TRUE(options.launch.check.race);
  EXPECT_EQ(options.engine, EngineChoice::Interp);
}

TEST(Options, AMeshIsAShapeOrTheNameOfAMachine) {
  Options options;
  EXPECT_EQ(setOption(options, "mesh", "2x4"), std::nullopt);
  EXPECT_EQ(options.mesh, (std::vector<int>{2, 4}));
  EXPECT_EQ(options.archName, "wormhole_b0");
  EXPECT_EQ(options.links, 0); // 0 means that the number is unknown
  EXPECT_EQ(setOption(options, "mesh", "p150x4"), std::nullopt);
  EXPECT_EQ(options.mesh, (std::vector<int>{1, 4}));
  EXPECT_EQ(options.links, 4);
  EXPECT_EQ(options.archName, "blackhole");
  EXPECT_EQ(setOption(options, "mesh", "t3k"), std::nullopt);
  EXPECT_EQ(options.archName, "wormhole_b0@8x7");
  EXPECT_EQ(options.links, 2);
  EXPECT_EQ(setOption(options, "mesh", "1x8"), std::nullopt);
  EXPECT_EQ(options.links, 0);
  for (const char *wrong : {"", "8", "2x", "2x4x2", "0x4", "64x64", "t3000"})
    EXPECT_NE(setOption(options, "mesh", wrong).value_or("").find("expected rows x columns"),
              std::string::npos)
        << wrong;
}

TEST(Options, AFabric) {
  Options options;
  EXPECT_EQ(setOption(options, "fabric", "torus-x"), std::nullopt);
  EXPECT_EQ(options.fabric, "torus-x");
  EXPECT_NE(setOption(options, "fabric", "3d"), std::nullopt);
  EXPECT_FALSE(options.hostCollectives);
  EXPECT_EQ(setOption(options, "ccl", "host"), std::nullopt);
  EXPECT_TRUE(options.hostCollectives);
  EXPECT_NE(setOption(options, "ccl", "card").value_or("").find("kernels"), std::string::npos);
}

TEST(Options, RandomDeliveryWithASeed) {
  Options options;
  EXPECT_EQ(setOption(options, "dma", "random(7)"), std::nullopt);
  EXPECT_EQ(options.launch.run.delivery, hw::DeliveryPolicy::Random);
  EXPECT_EQ(options.launch.run.seed, 7u);
  EXPECT_NE(setOption(options, "dma", "random(x)"), std::nullopt);
  EXPECT_NE(setOption(options, "dma", "late(7)"), std::nullopt);
}

TEST(Options, Exploration) {
  Options options;
  EXPECT_EQ(setOption(options, "explore", "20:/tmp/orders"), std::nullopt);
  EXPECT_EQ(options.compare.explore.runs, 20u);
  EXPECT_EQ(options.compare.explore.file, "/tmp/orders");
}

TEST(Options, HostThreads) {
  Options options;
  EXPECT_EQ(setOption(options, "schedule", "parallel(12)"), std::nullopt);
  EXPECT_EQ(options.launch.run.schedule, hw::SchedulePolicy::Parallel);
  EXPECT_EQ(options.launch.run.hostThreads, 12u);
  EXPECT_EQ(setOption(options, "scheduler", "parallel"), std::nullopt);
  EXPECT_EQ(options.launch.run.hostThreads, 0u);
  for (const char *mistake : {"parallel()", "parallel(0)", "parallel(1025)", "parallel(-1)",
                              "parallel(2", "parallel2", "parallel(2)x"})
    EXPECT_NE(setOption(options, "schedule", mistake), std::nullopt) << mistake;
}

TEST(Options, ComparesEnginesOrSchedules) {
  Options options;
  EXPECT_FALSE(options.compare.engines);
  EXPECT_EQ(setOption(options, "compare", "schedules"), std::nullopt);
  EXPECT_EQ(options.compare.schedules, 20u);
  EXPECT_EQ(setOption(options, "compare", "schedules:0"), std::nullopt);
  EXPECT_EQ(options.compare.schedules, 0u);
  EXPECT_EQ(setOption(options, "compare", "engines"), std::nullopt);
  EXPECT_TRUE(options.compare.engines && !options.compare.schedules);
  setenv("TTL_BISECT", "1", 1);
  EXPECT_NE(readEnvironment(options).value_or("").find("leave one out"), std::string::npos);
  unsetenv("TTL_BISECT");
}

TEST(Options, TheDirectPathEndsWithStageLoops) {
  EXPECT_EQ(setting("emit-path", "short"),
            "--emit-path: expected one of ttkernel, direct; found 'short'");
  Options options;
  EXPECT_EQ(setOption(options, "emit-path", "direct"), std::nullopt);
  EXPECT_EQ(options.lastStep(), "") << "the JIT runs stage ttkernel";
  EXPECT_EQ(setOption(options, "engine", "emitted"), std::nullopt);
  EXPECT_EQ(options.lastStep(), "loops");
  EXPECT_EQ(setOption(options, "emit-path", "ttkernel"), std::nullopt);
  EXPECT_EQ(options.lastStep(), "");
}

// Returns what is wrong with using an option together with --emit-path=direct.
static std::string errorOnDirectPath(std::string_view name, std::string_view value,
                                     std::string_view engine) {
  Options options;
  EXPECT_EQ(setOption(options, name, value), std::nullopt);
  EXPECT_EQ(setOption(options, "engine", engine), std::nullopt);
  return setKernelOptions(options, {{"emit-path", "direct"}}).value_or("");
}

TEST(Options, TheDirectPathRefusesWhatNeedsStageTTKernel) {
  for (auto [name, value] : std::initializer_list<std::pair<const char *, const char *>>{
           {"start-from", "ttkernel"}, {"insert-pass", "cse@ttl-lower-compute"}})
    for (const char *engine : {"auto", "emitted"})
      EXPECT_TRUE(errorOnDirectPath(name, value, engine).starts_with("--emit-path=direct")) << name;
  for (auto [name, value] : std::initializer_list<std::pair<const char *, const char *>>{
           {"stage", "ttkernel"}, {"dry-run", "1"}, {"bisect", "1"}, {"compare", "engines"}}) {
    EXPECT_TRUE(errorOnDirectPath(name, value, "emitted").starts_with("--emit-path=direct"))
        << name;
    EXPECT_EQ(errorOnDirectPath(name, value, "auto"), "") << name;
  }
  EXPECT_EQ(errorOnDirectPath("start-from", "loops", "emitted"), "");
  EXPECT_EQ(errorOnDirectPath("insert-pass", "cse@loops", "emitted"), "");
}

TEST(Options, TheCacheHasAFolderOrIsOff) {
  Options options;
  setenv("XDG_CACHE_HOME", "/there", 1);
  EXPECT_EQ(readEnvironment(options), std::nullopt);
  EXPECT_EQ(options.jit.cacheFolder, "/there/ttl-jit");
  EXPECT_EQ(setOption(options, "cache", "off"), std::nullopt);
  EXPECT_EQ(options.jit.cacheFolder, "");
  EXPECT_EQ(setOption(options, "cache", testing::TempDir() + "new"), std::nullopt);
  EXPECT_EQ(options.jit.cacheFolder, testing::TempDir() + "new");
  EXPECT_EQ(setOption(options, "cache", ""), "--cache: expected off or a folder");
  EXPECT_NE(setOption(options, "cache", "/dev/null/x"), std::nullopt);
  unsetenv("XDG_CACHE_HOME");
}

TEST(Options, TimeIsOnOrJsonOrAFile) {
  Options options;
  EXPECT_EQ(setOption(options, "time", "1"), std::nullopt);
  EXPECT_EQ(options.passes.time, "on");
  EXPECT_EQ(setOption(options, "time", "json"), std::nullopt);
  EXPECT_EQ(options.passes.time, "json");
  EXPECT_EQ(setOption(options, "time", "out.json"), std::nullopt);
  EXPECT_EQ(options.passes.time, (std::filesystem::current_path() / "out.json").string());
  EXPECT_EQ(setOption(options, "time", "off"), std::nullopt);
  EXPECT_EQ(options.passes.time, "");
  EXPECT_NE(setOption(options, "time", "out.txt"), std::nullopt);
}

TEST(Options, WhatIfIsASwitchOrNamesWhatChanges) {
  for (auto [value, grids, blocks] :
       {std::tuple("1", true, true), std::tuple("off", false, false),
        std::tuple("grid", true, false), std::tuple("blocks", false, true),
        std::tuple("grid,blocks", true, true)}) {
    Options options;
    EXPECT_EQ(setOption(options, "what-if", value), std::nullopt);
    EXPECT_EQ(options.launch.whatIf.grids, grids) << value;
    EXPECT_EQ(options.launch.whatIf.blocks, blocks) << value;
  }
  Options options;
  for (const char *value : {"", "grids", "grid,,blocks", ",grid"})
    EXPECT_EQ(
        setOption(options, "what-if", value),
        fmt::format("--what-if: expected on, off, grid, blocks or grid,blocks; found '{}'", value));
}

TEST(Options, StatisticsMayGoToAFile) {
  Options options;
  EXPECT_EQ(setOption(options, "stats", "out.json"), std::nullopt);
  EXPECT_TRUE(options.records.stats);
  EXPECT_EQ(options.records.statsFile, (std::filesystem::current_path() / "out.json").string());
  EXPECT_EQ(setOption(options, "stats", "1"), std::nullopt);
  EXPECT_EQ(options.records.statsFile, "");
}

TEST(Options, TraceFilesAreAbsolute) {
  Options options;
  EXPECT_EQ(setOption(options, "trace", "out.json"), std::nullopt);
  EXPECT_EQ(options.records.trace, (std::filesystem::current_path() / "out.json").string());
  EXPECT_EQ(setOption(options, "trace", ""), "--trace: expected a file");
  EXPECT_EQ(setOption(options, "trace-time", "host"), std::nullopt);
  EXPECT_EQ(options.records.traceTime, trace::TraceTime::Host);
  EXPECT_EQ(setOption(options, "trace-time", "device"),
            "--trace-time: expected one of logical, host, cycles; found 'device'");
}

TEST(Options, ScheduleFilesAreReadAtOnce) {
  std::string path = testing::TempDir() + "options-test.mlir";
  std::ofstream(path) << "module {}";
  Options options;
  EXPECT_EQ(setOption(options, "schedule-file", path), std::nullopt);
  EXPECT_EQ(options.passes.schedulePath, path);
  EXPECT_EQ(options.passes.scheduleText, "module {}");
  std::filesystem::remove(path);
  EXPECT_EQ(setOption(options, "schedule-file", path), "--schedule-file: no such file: " + path);
  EXPECT_EQ(environmentName("schedule-file"), "TTL_SCHEDULE_FILE");
}

TEST(Options, DumpAllMeansEveryStage) {
  Options options;
  ASSERT_FALSE(setOption(options, "dump", "all"));
  EXPECT_TRUE(options.dumps("llvm") && options.dumps("ttl"));
}

TEST(Options, EnvironmentIsReadAndBadVariablesAreNamed) {
  setenv("TTL_ENGINE", "interp", 1);
  setenv("TTL_GRID", "", 1);
  Options options;
  EXPECT_EQ(readEnvironment(options), std::nullopt);
  EXPECT_EQ(options.engine, EngineChoice::Interp);
  EXPECT_FALSE(options.grid);
  setenv("TTL_ENGINE", "warp", 1);
  EXPECT_EQ(readEnvironment(options),
            "TTL_ENGINE: expected one of auto, jit, interp, emitted; found 'warp'");
  unsetenv("TTL_ENGINE");
  unsetenv("TTL_GRID");
}

TEST(Options, HelpHasShortLinesAndEveryOption) {
  std::string help = optionsHelp();
  EXPECT_NE(help.find("\n  --emit=DIR                   write each kernel"), std::string::npos);
  EXPECT_NE(help.find("\n  --schedule=fair|greedy|random|parallel[(N)]|replay:FILE\n"),
            std::string::npos);
  EXPECT_EQ(help.back(), '\n');
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_NE(line.back(), ' ') << line;
  }
}
