//===- PrintedLines.cpp - what the threads of a run printed -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/PrintedLines.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

using namespace ttjit::ttl_diff;

void PrintedLines::add(const std::string &text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (++numLines > kMaxLines)
      return;
    size_t end = line.find(": ");
    std::string rest = end == std::string::npos ? line : line.substr(end + 2);
    if (!rest.starts_with("<DataflowBuffer "))
      threads[line.substr(0, end)].push_back(std::move(rest));
  }
}

std::optional<std::string> PrintedLines::difference(const PrintedLines &after) const {
  if (std::max(numLines, after.numLines) > kMaxLines)
    return std::nullopt;
  std::set<std::string> names;
  for (const auto *lines : {&threads, &after.threads})
    for (const auto &[name, texts] : *lines)
      names.insert(name);
  static const std::vector<std::string> none;
  for (const std::string &name : names) {
    auto one = threads.find(name), other = after.threads.find(name);
    const auto &a = one == threads.end() ? none : one->second;
    const auto &b = other == after.threads.end() ? none : other->second;
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      std::string before = i < a.size() ? "\"" + a[i] + "\"" : "nothing";
      std::string now = i < b.size() ? "\"" + b[i] + "\"" : "nothing";
      if (before != now)
        return fmt::format("  line {} that {} prints: {} before, {} after\n", i + 1, name, before,
                           now);
    }
  }
  return std::nullopt;
}
