//===- MutationTest.cpp - modules with a line or a word changed ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes text that is nearly a module. The verifiers and every pass must survive everything that the
// parser still accepts. The changes are the same in every run.
//===--------------------------------------------------------------------------===//

#include "Isolated.h"
#include "Sources.h"

#include "passes/Pipeline.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::test;

namespace {

// Changes text at random places. The seed decides where.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}
  std::string mutate(StringRef text);

private:
  size_t below(size_t n) { return n ? random() % n : 0; }
  void changeLine(std::vector<std::string> &lines);
  std::string changeWord(StringRef line, const std::vector<std::string> &lines);

  std::mt19937 random;
};

bool isWord(char c) { return llvm::isAlnum(c) || StringRef("_.%@!#-").contains(c); }

std::vector<StringRef> wordsOf(StringRef line) {
  std::vector<StringRef> words;
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && isWord(line[end]))
      ++end;
    if (end > at)
      words.push_back(line.slice(at, end));
    at = end + 1;
  }
  return words;
}

// Replaces a number with another number, and any other word with one from anywhere in the text.
std::string Mutator::changeWord(StringRef line, const std::vector<std::string> &lines) {
  std::vector<StringRef> words = wordsOf(line), others = wordsOf(lines[below(lines.size())]);
  if (words.empty() || others.empty())
    return line.str();
  static constexpr StringRef kNumbers[] = {"0",  "1",  "2",          "3",
                                           "-1", "33", "2147483647", "9223372036854775807"};
  StringRef word = words[below(words.size())], other = others[below(others.size())];
  if (llvm::isDigit(word.front()))
    other = kNumbers[below(std::size(kNumbers))];
  size_t at = word.data() - line.data();
  return (line.take_front(at) + other + line.drop_front(at + word.size())).str();
}

// Lines that name a region's arguments stay where they are: MLIR's parser (22) frees a region whose
// op does not parse, although earlier ops may refer to its arguments.
bool namesRegionArguments(StringRef line) {
  return line.contains("^bb") || line.contains("%pipe") || line.contains("scf.");
}

void Mutator::changeLine(std::vector<std::string> &lines) {
  size_t at = below(lines.size());
  if (namesRegionArguments(lines[at]))
    return;
  switch (below(6)) {
  case 0:
    lines.erase(lines.begin() + at);
    return;
  case 1:
  case 2:
    if (size_t other = below(lines.size()); namesRegionArguments(lines[other]))
      return;
    else if (below(2))
      lines.insert(lines.begin() + at, std::string(lines[other]));
    else
      std::swap(lines[at], lines[other]);
    return;
  default:
    lines[at] = changeWord(lines[at], lines);
  }
}

std::string Mutator::mutate(StringRef text) {
  std::vector<std::string> lines;
  for (StringRef line : llvm::split(text, '\n'))
    if (!line.trim().starts_with("//") && !line.contains("loc(unknown)"))
      lines.push_back(line.str());
  for (size_t i = 0, changes = 1 + below(3); i < changes && lines.size() > 1; ++i)
    changeLine(lines);
  return llvm::join(lines, "\n");
}

class Mutation {
public:
  Mutation() : context(makeContext()), sources(testSources()), passes(passNames()) {
    llvm::append_range(sources, stageSources());
  }

  std::string text(size_t item) const {
    return Mutator(item).mutate(sources[item % sources.size()].text);
  }
  const std::string &name(size_t item) const { return sources[item % sources.size()].name; }
  std::string run(size_t item) const;

private:
  std::string runPasses(ModuleOp module, size_t item) const;

  std::unique_ptr<MLIRContext> context;
  std::vector<Source> sources;
  std::vector<std::string> passes;
};

std::string Mutation::runPasses(ModuleOp module, size_t item) const {
  std::string pipeline = item % 2 ? passes[item / 2 % passes.size()] : "ttl-to-ttkernel";
  std::string problem = runPipelineOn(module, pipeline);
  return problem.empty() ? problem : pipeline + ": " + problem;
}

std::string Mutation::run(size_t item) const {
  // This attribute crashes MLIR's parser; diagnostics/TextGuard.h refuses it.
  if (text(item).find("array<index") != std::string::npos)
    return "";
  OwningOpRef<ModuleOp> module;
  {
    Errors errors(*context);
    module = parseSourceString<ModuleOp>(text(item), context.get(), "mutant");
    if (!errors.withoutPosition.empty())
      return errors.withoutPosition;
  }
  return module ? runPasses(*module, item) : "";
}

// TTJIT_MUTANTS is the number of mutants, TTJIT_FIRST_MUTANT the number of the first one.
size_t fromEnvironment(const char *name, size_t otherwise) {
  const char *value = std::getenv(name);
  return value ? std::stoul(value) : otherwise;
}

TEST(Mutation, NothingDiesOnNearlyValidText) {
  Mutation mutation;
  size_t first = fromEnvironment("TTJIT_FIRST_MUTANT", 0);
  auto run = [&](size_t item) { return mutation.run(first + item); };
  for (const ItemFailure &failure : runIsolated(fromEnvironment("TTJIT_MUTANTS", 4000), run, 30)) {
    size_t item = first + failure.item;
    ADD_FAILURE() << "mutant " << item << " of " << mutation.name(item) << ": " << failure.reason;
    if (const char *folder = std::getenv("TTJIT_MUTANT_FOLDER")) {
      std::error_code error;
      llvm::raw_fd_ostream(std::string(folder) + "/" + std::to_string(item) + ".mlir", error)
          << mutation.text(item);
    }
  }
}

} // namespace
