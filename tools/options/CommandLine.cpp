//===- CommandLine.cpp - the arguments of ttl-jit run -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/CommandLine.h"

#include <fmt/format.h>

using namespace ttjit;
using namespace ttjit::options;

// Reads the option at `index` and its value. Returns false if ttl-jit has no such
// option.
static bool takeOption(const std::vector<std::string> &arguments, size_t &index,
                       CommandLine &result, UsageError &error) {
  std::string_view text = arguments[index];
  if (!text.starts_with("--"))
    return false;
  text.remove_prefix(2);
  size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  std::optional<std::string_view> shownValue = valueOfOption(name);
  if (!shownValue)
    return false;
  std::string value;
  if (equals != std::string_view::npos) {
    value = text.substr(equals + 1);
  } else if (shownValue->empty()) {
    value = "1";
  } else if (index + 1 < arguments.size()) {
    value = arguments[++index];
  } else {
    error = fmt::format("--{} needs a value: --{}={}", name, name, *shownValue);
    return true;
  }
  Options scratch;
  error = setOption(scratch, name, value);
  result.flags.emplace_back(name, std::move(value));
  return true;
}

// Warns of arguments of the script that look like options of ttl-jit.
static void warnOfOptions(CommandLine &line) {
  for (const std::string &argument : line.script) {
    std::string_view text = argument;
    if (text == "--")
      return;
    // An option of the script may have one letter: -h.
    size_t dashes = text.starts_with("--") ? 2 : 1;
    if (!text.starts_with("-") || text.size() < 3)
      continue;
    std::string_view name = text.substr(dashes, text.find('=') - dashes);
    std::string similar =
        dashes == 1 && valueOfOption(name) ? std::string(name) : similarOption(name);
    if (dashes == 2 && valueOfOption(name))
      line.warnings.push_back(fmt::format(
          "{} is an argument of {}, because {} comes before it: write options of ttl-jit "
          "first, or -- before all arguments of the script",
          text, line.file, line.script.front()));
    else if (!similar.empty())
      line.warnings.push_back(fmt::format(
          "ttl-jit has no option {}{}, so {} gets it; did you mean --{}? Write -- before "
          "arguments of the script",
          text.substr(0, dashes), name, line.file, similar));
  }
}

UsageError options::parseCommandLine(const std::vector<std::string> &arguments,
                                     CommandLine &result) {
  auto rest = [&](size_t from) { result.script.assign(arguments.begin() + from, arguments.end()); };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    bool haveFile = !result.file.empty();
    UsageError error;
    if (haveFile && argument == "--") {
      rest(i + 1);
      break;
    }
    if (!haveFile && (argument == "--help" || argument == "-h")) {
      result.help = true;
      return std::nullopt;
    }
    if (takeOption(arguments, i, result, error)) {
      if (error)
        return error;
    } else if (haveFile) {
      rest(i);
      warnOfOptions(result);
      break;
    } else if (argument.size() > 1 && argument[0] == '-') {
      if (!argument.starts_with("--") && valueOfOption(argument.substr(1, argument.find('=') - 1)))
        return fmt::format("unknown option {}; did you mean -{}?", argument, argument);
      if (!argument.starts_with("--"))
        return fmt::format("unknown option {}; see ttl-jit --help", argument);
      return unknownOption(argument.substr(2, argument.find('=') - 2));
    } else {
      result.file = argument;
    }
  }
  if (result.file.empty())
    return "no file to run: ttl-jit run FILE [options] [-- arguments]";
  return std::nullopt;
}
