//===- OptionText.cpp - the options for --help and docs/running.md ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/options/OptionText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace ttjit;
using namespace ttjit::options;

static std::string markdown(const OptionSpec &spec) {
  return std::string(spec.text) + (spec.list ? spec.list(/*links=*/true) : "");
}

// Returns the text without backticks and without a last sentence that begins "See [".
static std::string plain(const OptionSpec &spec) {
  std::string text(spec.text.substr(0, spec.text.find(". See [")));
  std::erase(text, '`');
  return text + (spec.list ? spec.list(/*links=*/false) : "");
}

// Splits the text at spaces into lines of at most `columns` characters.
static std::vector<std::string> wrap(std::string_view text, size_t columns) {
  std::vector<std::string> lines;
  while (text.size() > columns) {
    size_t space = text.rfind(' ', columns);
    if (space == std::string_view::npos)
      break;
    lines.emplace_back(text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  lines.emplace_back(text);
  return lines;
}

static std::string helpOf(const OptionSpec &spec) {
  return plain(spec) + (spec.alias.empty() ? "" : fmt::format("; also --{}", spec.alias));
}

std::string options::optionsHelp(OptionRows rows) {
  constexpr size_t kFlagColumns = 28, kTextColumns = 66;
  const std::string indent = "\n" + std::string(kFlagColumns + 3, ' ');
  std::string text;
  for (const OptionSpec &spec : rows) {
    std::string flag =
        fmt::format("--{}{}{}", spec.name, spec.value.empty() ? "" : "=", spec.value);
    text += flag.size() > kFlagColumns ? fmt::format("  {}{}", flag, indent)
                                       : fmt::format("  {:<{}} ", flag, kFlagColumns);
    text += fmt::format("{}\n", fmt::join(wrap(helpOf(spec), kTextColumns), indent));
  }
  return text;
}

// Returns the choices of a value as Markdown.
static std::string pageValue(std::string_view value) {
  std::string text;
  for (std::string_view choice : choicesOf(value))
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", choice);
  return text;
}

std::string options::optionsPage(OptionRows rows) {
  std::string text = "| option | values | meaning |\n| --- | --- | --- |\n";
  for (const OptionSpec &spec : rows) {
    std::string names = fmt::format("`--{}`", spec.name);
    if (!spec.alias.empty())
      names += fmt::format(", `--{}`", spec.alias);
    std::string value = pageValue(spec.value);
    text +=
        fmt::format("| {} |{}{} | {} |\n", names, value.empty() ? "" : " ", value, markdown(spec));
  }
  return text;
}
