//===- DecisionFile.cpp - decisions of runs as text ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/DecisionFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ttjit::hw {

namespace {

constexpr std::string_view kHeader = "ttl-jit decisions 1";
constexpr std::string_view kDeliveries[] = {"late", "eager", "random"};

std::string_view nextLine(std::string_view &text) {
  size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view nextWord(std::string_view &line) {
  size_t end = line.find(' ');
  std::string_view word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return word;
}

bool parseNumber(std::string_view word, uint32_t &number) {
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

bool parseRun(std::string_view line, DecisionLog &log) {
  auto *delivery = std::ranges::find(kDeliveries, nextWord(line));
  if (delivery == std::end(kDeliveries) ||
      (line != "stays" && line != "switches" && line != "fair"))
    return false;
  log.delivery = static_cast<DeliveryPolicy>(delivery - kDeliveries);
  log.switchesAtEvents = line == "switches";
  log.isFair = line == "fair";
  return true;
}

bool parseDecision(std::string_view kind, std::string_view line, Decision &decision) {
  bool lands = kind == "l";
  decision.kind = lands ? Decision::Kind::Landing : Decision::Kind::Thread;
  if ((!lands && kind != "t") || !parseNumber(nextWord(line), decision.count))
    return false;
  if (lands && line == "-") {
    decision.choice = decision.count;
    return true;
  }
  return parseNumber(line, decision.choice) && decision.choice < decision.count;
}

} // namespace

std::string decisionFileHeader() { return fmt::format("{}\n", kHeader); }

std::string printDecisions(const DecisionLog &run) {
  std::string text = fmt::format("run {} {}\n", kDeliveries[static_cast<size_t>(run.delivery)],
                                 run.isFair             ? "fair"
                                 : run.switchesAtEvents ? "switches"
                                                        : "stays");
  auto out = std::back_inserter(text);
  for (const Decision &decision : run.decisions)
    if (decision.kind == Decision::Kind::Thread)
      fmt::format_to(out, "t {} {}\n", decision.count, decision.choice);
    else if (decision.choice < decision.count)
      fmt::format_to(out, "l {} {}\n", decision.count, decision.choice);
    else
      fmt::format_to(out, "l {} -\n", decision.count);
  return text;
}

std::optional<std::vector<DecisionLog>> parseDecisions(std::string_view text,
                                                       std::string &mistake) {
  std::vector<DecisionLog> runs;
  if (nextLine(text) != kHeader) {
    mistake = fmt::format("expected '{}' in the first line", kHeader);
    return std::nullopt;
  }
  for (int number = 2; !text.empty(); ++number) {
    std::string_view line = nextLine(text), rest = line, kind = nextWord(rest);
    bool understood;
    if (kind == "run") {
      understood = parseRun(rest, runs.emplace_back());
    } else {
      Decision decision{};
      understood = !runs.empty() && parseDecision(kind, rest, decision);
      if (understood)
        runs.back().decisions.push_back(decision);
    }
    if (understood)
      continue;
    mistake = fmt::format("line {}: '{}' is not a decision", number, line);
    return std::nullopt;
  }
  return runs;
}

} // namespace ttjit::hw
