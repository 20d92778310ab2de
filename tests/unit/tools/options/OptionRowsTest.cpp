//===- OptionRowsTest.cpp - what follows from a row of the table of options ---===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionText.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace ttjit;
using namespace ttjit::options;

// The value of an option that exists only in these tests.
static std::string wings;

static const OptionSpec kWings = {"wings",
                                  "few|many[:N]",
                                  [](Options &, std::string_view value) {
                                    wings = value;
                                    return UsageError();
                                  },
                                  OptionScope::changesCode([](const Options &) { return wings; }),
                                  OptionGiver::Kernel,
                                  "how many `wings` a kernel has. See [Wings](wings.md)",
                                  "feathers"};

static std::vector<OptionSpec> rowsWithWings() {
  std::vector<OptionSpec> rows(optionRows().begin(), optionRows().end());
  rows.push_back(kWings);
  return rows;
}

TEST(OptionRows, ANewOptionNeedsOneRow) {
  std::vector<OptionSpec> rows = rowsWithWings();
  Options options;
  wings.clear();
  std::string before = compileKey(options, rows);
  EXPECT_EQ(setOption(options, "feathers", "many", rows), std::nullopt);
  EXPECT_NE(compileKey(options, rows), before);
  EXPECT_NE(optionsHelp(rows).find("--wings=few|many[:N]         how many wings a kernel has; also "
                                   "--feathers\n"),
            std::string::npos);
  EXPECT_NE(optionsPage(rows).find("| `--wings`, `--feathers` | `few`, `many[:N]` | how many "
                                   "`wings` a kernel has. See [Wings](wings.md) |\n"),
            std::string::npos);
  EXPECT_EQ(kernelOptions(rows).back().first, "feathers");
  EXPECT_EQ(completionsOf("wings", rows), (std::vector<std::string>{"few", "many"}));
}

TEST(OptionRows, OptionsOfLaunchesAreForCompiledKernels) {
  EXPECT_EQ(launchOptions(),
            (std::vector<std::string>{"ccl", "explain-numerics", "schedule", "scheduler", "dma",
                                      "seed", "aliases", "kept-blocks", "share-arrays", "what-if",
                                      "check", "limit"}));
}

TEST(OptionRows, OptionsOfTheHostAreOptionsOfKernels) {
  EXPECT_EQ(hostOptions(), (std::vector<std::string>{"host-cpu", "cache"}));
  std::map<std::string, std::string> known;
  for (const auto &[name, value] : kernelOptions())
    known[name] = value;
  for (const std::string &name : hostOptions())
    EXPECT_TRUE(known.contains(name)) << name;
}

// Returns for each option a value that is not its default.
static std::map<std::string_view, std::string> otherValues() {
  std::string folder = testing::TempDir(), file = folder + "option-rows.mlir";
  std::ofstream(file) << "module {}";
  return {{"engine", "jit"},
          {"grid", "3,1"},
          {"arch", "blackhole"},
          {"mesh", "2x4"},
          {"fabric", "ring"},
          {"ccl", "host"},
          {"numerics", "device"},
          {"compute-config", "math_fidelity=HiFi2,fp32_dest_acc_en=on"},
          {"explain-numerics", "on"},
          {"numerics-files", file + ".json"},
          {"schedule", "fair"},
          {"debug", "on"},
          {"record", file},
          {"explore", "3"},
          {"dma", "eager"},
          {"seed", "3"},
          {"strict", "1"},
          {"compile-only", "1"},
          {"dry-run", "1"},
          {"trust", "1"},
          {"dump", "ttl"},
          {"dst", "fpu"},
          {"tile-loops", "off"},
          {"block-transfers", "off"},
          {"opt-level", "2"},
          {"host-cpu", "x86-64-v2"},
          {"gdb", "1"},
          {"perf-map", "1"},
          {"aliases", "off"},
          {"kept-blocks", "on"},
          {"share-arrays", "off"},
          {"stage", "dst"},
          {"start-from", "ttl"},
          {"bisect", "1"},
          {"insert-pass", "canonicalize@ttl"},
          {"compare", "engines"},
          {"emit", folder + "emitted"},
          {"emit-report", "json"},
          {"metalium", "new"},
          {"emit-path", "direct"},
          {"schedule-file", file},
          {"stats", "1"},
          {"check", "race"},
          {"time", "on"},
          {"what-if", "grid"},
          {"trace", file},
          {"trace-time", "cycles"},
          {"cache", "off"},
          {"rank-output", "off"},
          {"max-dfbs", "3"},
          {"max-l1", "3"},
          {"limit", "3"}};
}

// Returns whether an option needs the path of a library.
static bool needsALibrary(std::string_view name) { return name == "pass-plugin"; }

TEST(OptionRows, TheKeyHasEveryOptionThatChangesAKernelAndNoOther) {
  std::map<std::string_view, std::string> values = otherValues();
  std::string plain = compileKey(Options());
  for (const OptionSpec &spec : optionRows()) {
    if (needsALibrary(spec.name))
      continue;
    ASSERT_TRUE(values.contains(spec.name)) << "no value for --" << spec.name;
    Options options;
    ASSERT_EQ(setOption(options, spec.name, values[spec.name]), std::nullopt);
    EXPECT_EQ(compileKey(options) != plain, spec.scope.isInKey()) << spec.name;
  }
}

TEST(OptionRows, TheKeyHasTheContentOfAScheduleFile) {
  std::string file = testing::TempDir() + "option-rows-schedule.mlir";
  auto keyWith = [&](const char *content) {
    std::ofstream(file) << content;
    Options options;
    EXPECT_EQ(setOption(options, "schedule-file", file), std::nullopt);
    return compileKey(options);
  };
  EXPECT_NE(keyWith("module {}"), keyWith("module { }"));
}

TEST(OptionRows, TheKeyHasThePlaceOfAnInsertedPass) {
  Options one, other;
  EXPECT_EQ(setOption(one, "insert-pass", "a@ttl"), std::nullopt);
  EXPECT_EQ(setOption(other, "insert-pass", "a@dst"), std::nullopt);
  EXPECT_NE(compileKey(one), compileKey(other));
}

TEST(OptionRows, CompletionOffersWordsOnly) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(completionsOf("schedule"), (Words{"fair", "greedy", "random", "parallel"}));
  EXPECT_EQ(completionsOf("arch"), (Words{"wormhole_b0", "blackhole"}));
  EXPECT_EQ(completionsOf("grid"), Words());
  EXPECT_EQ(completionsOf("check"), (Words{"race", "init", "memory", "numerics", "broadcast",
                                           "outputs", "protocol", "all", "off"}));
  EXPECT_EQ(completionsOf("nonsense"), Words());
}

TEST(OptionRows, HelpNamesEveryCheck) {
  std::istringstream words(optionsHelp());
  std::string help; // the help, joined to one line
  for (std::string word; words >> word;)
    help += word + " ";
  for (const CheckSpec &check : kChecks)
    EXPECT_NE(help.find(std::string(check.name) + " ("), std::string::npos) << check.name;
}
