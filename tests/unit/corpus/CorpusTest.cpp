//===- CorpusTest.cpp - every kernel after every pass -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs each kernel of the corpus as it is after each pass that changes it, on the
// interpreter, then on the JIT, and compares all bits of all tensors: what
// `ttl-jit bisect` does, in one process.
//===--------------------------------------------------------------------------===//

#include "tests/unit/corpus/Corpus.h"

#include "tools/mlir-run/MlirProgram.h"
#include "tools/ttl-diff/Bisect.h"
#include "tools/ttl-diff/OrderComparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace ttjit;
using namespace ttjit::test;
using namespace ttjit::diagnostics;
using namespace ttjit::mlir_run;
using namespace ttjit::options;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

// Returns whether a file of another test is a program that runs without options and succeeds.
static bool joinsCorpus(const std::filesystem::path &file) {
  std::ifstream stream(file);
  bool runs = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.find("not ttl-jit") != std::string::npos || line.find(" --trust") != std::string::npos)
      return false;
    runs |= line.starts_with("// RUN: ttl-jit run %s");
  }
  return runs;
}

std::vector<std::filesystem::path> test::corpusFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(TTJIT_CORPUS))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path());
  for (const auto &entry : std::filesystem::directory_iterator(TTJIT_PROGRAMS))
    if (entry.path().extension() == ".mlir" && joinsCorpus(entry.path()))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

static void readOptions(std::string_view words, Options &options) {
  std::istringstream stream{std::string(words)};
  for (std::string word; stream >> word;) {
    size_t equals = word.find('=');
    std::string value = equals == std::string::npos ? "1" : word.substr(equals + 1);
    ASSERT_TRUE(word.starts_with("--")) << word;
    EXPECT_EQ(setOption(options, word.substr(2, equals - 2), value), std::nullopt);
  }
}

CorpusKernel test::readKernel(const std::filesystem::path &file) {
  CorpusKernel kernel;
  kernel.path = file.string();
  std::ifstream stream(file, std::ios::binary);
  kernel.text.assign(std::istreambuf_iterator<char>(stream), {});
  std::istringstream lines(kernel.text);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    std::string_view head = line;
    constexpr std::string_view kOptions = "// options: ", kStatus = "// status: ";
    if (head.starts_with(kOptions))
      readOptions(head.substr(kOptions.size()), kernel.options);
    if (head.starts_with(kStatus)) {
      EXPECT_EQ(head.substr(kStatus.size()), "fault");
      kernel.expected = ExitStatus::RuntimeFault;
    }
  }
  return kernel;
}

namespace {
class Corpus : public testing::TestWithParam<std::filesystem::path> {};
} // namespace

TEST_P(Corpus, EveryPassKeepsTheBits) {
  CorpusKernel kernel = readKernel(GetParam());
  kernel.options.compare.passes = true;
  std::string output;
  TextSink sink = [&](std::string_view text) { output += text; };
  Bisect bisect;
  Session session(kernel.options, sink, bisect.observer(kernel.options));
  ExitStatus status = runMlirProgram(kernel.text, kernel.path, session, sink, sink);
  EXPECT_EQ(int(status), int(kernel.expected)) << output;
  const PassComparison &found = bisect.comparison();
  EXPECT_FALSE(found.difference) << bisect.report(kernel.path, kernel.options);
  EXPECT_GE(found.launches, 1u);
  EXPECT_GE(found.versions, found.launches);
}

// Compares results and events of the JIT and of the interpreter.
TEST_P(Corpus, EnginesMakeTheSameEvents) {
  CorpusKernel kernel = readKernel(GetParam());
  kernel.options.compare.engines = true;
  std::string output;
  TextSink sink = [&](std::string_view text) { output += text; };
  OrderComparison comparison;
  Session session(kernel.options, sink, comparison.observer(kernel.options));
  ExitStatus status = runMlirProgram(kernel.text, kernel.path, session, sink, sink);
  EXPECT_EQ(int(status), int(kernel.expected)) << output;
  for (const std::string &difference : comparison.take())
    ADD_FAILURE() << difference;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(corpusFiles()),
                         [](const testing::TestParamInfo<std::filesystem::path> &info) {
                           std::string name = info.param.stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });
