//===- QuickCommand.cpp - commands that need no compiler ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/QuickCommand.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <unistd.h>

// Returns whether an environment variable may be an option. TTL_TTNN is not one.
static bool hasOptionInEnvironment() {
  for (char **variable = environ; *variable; ++variable) {
    std::string_view text = *variable;
    if (text.starts_with("TTL_") && !text.starts_with("TTL_TTNN="))
      return true;
  }
  return false;
}

static bool isReadableScript(const std::string &file) {
  std::error_code error;
  return file.ends_with(".py") && !file.starts_with("-") &&
         std::filesystem::is_regular_file(file, error) && access(file.c_str(), R_OK) == 0;
}

// Returns the arguments of the script, which follow its name in `words`; nothing if one of them may
// be an option of ttl-jit.
static std::optional<std::vector<std::string>>
scriptArguments(std::vector<std::string>::const_iterator begin,
                std::vector<std::string>::const_iterator end) {
  if (begin != end && *begin == "--")
    return std::vector<std::string>(begin + 1, end);
  auto dashes = std::find(begin, end, "--");
  if (std::any_of(begin, dashes, [](const std::string &word) { return word.starts_with("-"); }))
    return std::nullopt;
  return std::vector<std::string>(begin, end);
}

std::optional<CommandResult> quickCommand(const std::vector<std::string> &words) {
  bool isOwnName = std::filesystem::path(words.front()).filename() == "ttl-jit";
  auto file = words.begin() + 1;
  if (file != words.end() && *file == "run")
    ++file;
  if (!isOwnName || file == words.end() || !isReadableScript(*file) || hasOptionInEnvironment())
    return std::nullopt;
  std::optional<std::vector<std::string>> arguments = scriptArguments(file + 1, words.end());
  if (!arguments)
    return std::nullopt;
  CommandResult result;
  result.python = PythonRun{"run", *file, std::move(*arguments)};
  return result;
}
