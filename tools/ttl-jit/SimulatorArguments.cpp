//===- SimulatorArguments.cpp - the names and options of simulators -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/SimulatorArguments.h"

#include <filesystem>
#include <string_view>

std::string simulatorTool(const std::string &program) {
  std::string name = std::filesystem::path(program).filename();
  for (std::string_view prefix : {"tt-lang-", "ttlang-"})
    if (name.starts_with(prefix))
      return name.substr(prefix.size());
  return "";
}

// Returns whether `word` is an option of a simulator that has no effect here. Sets `takesValue` if
// the next word is its value.
static bool hasNoEffect(const std::string &word, bool &takesValue) {
  size_t equals = word.find('=');
  std::string name = word.substr(0, equals);
  bool hasValue = name == "--trace-events" || name == "--no-trace-events" || name == "--backend";
  takesValue = hasValue && equals == std::string::npos;
  return hasValue || word == "--no-float32-promotion" || word == "--num-devices=1";
}

// Translates options that only simulators have. `--trace` may come without the name of a file.
static std::vector<std::string> withoutSimulatorOptions(const std::vector<std::string> &words) {
  std::vector<std::string> result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      result.insert(result.end(), words.begin() + i, words.end());
      break;
    }
    bool isLast = i + 1 == words.size(), takesValue = false;
    if (hasNoEffect(words[i], takesValue)) {
      i += takesValue;
    } else if (words[i].starts_with("--num-devices")) {
      // Before the file, it is an unknown option, which is an error.
      bool isOne = words[i] == "--num-devices" && !isLast && words[i + 1] == "1";
      if (!isOne)
        result.insert(result.begin(), words[i]);
      i += isOne;
    } else if (words[i] == "--show-stats") {
      result.push_back("--stats");
    } else if (words[i] == "--trace" &&
               (isLast || words[i + 1].starts_with('-') || words[i + 1].ends_with(".py"))) {
      result.push_back("--trace=trace.jsonl");
    } else {
      result.push_back(words[i]);
    }
  }
  return result;
}

std::vector<std::string> commandOf(const std::string &tool, std::vector<std::string> arguments) {
  if (tool == "sim-stats")
    arguments.insert(arguments.begin(), {"report", "--counts"});
  if (tool != "sim")
    return arguments;
  arguments = withoutSimulatorOptions(arguments);
  bool isQuestion = arguments.empty() || arguments[0] == "--version" || arguments[0] == "--help";
  if (!isQuestion)
    arguments.insert(arguments.begin(), "run");
  return arguments;
}
