//===- Profile.cpp - zones as CSV of the card's profiler ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The first line has chip and clock, the second the columns. Each further line is the begin or end
// of a zone on one RISC-V core (profile_log_device.csv of tt-metal). Columns may come in any order,
// and unknown columns are skipped.
//===--------------------------------------------------------------------------===//

#include "tools/timing/Profile.h"

#include "tools/timing/ReadTime.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

using namespace ttjit;
using namespace ttjit::timing;

static constexpr const char *kRiscs[] = {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"};

std::string timing::renderProfile(const std::vector<Estimate> &estimates) {
  const Estimate *first = estimates.empty() ? nullptr : &estimates.front();
  std::string text =
      fmt::format("ARCH: {}, CHIP_FREQ[MHz]: {:.0f}\n"
                  "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since "
                  "reset], data, run host ID, trace id, trace id counter, zone name, type, source "
                  "line, source file, meta data\n",
                  first ? first->arch : "unknown", first ? first->clockMHz : 0);
  for (size_t run = 0; run < estimates.size(); ++run)
    for (const ZoneMark &mark : estimates[run].marks)
      text += fmt::format("0,{},{},{},{},{},0,{},,,{},{},{},{},\n", mark.at.first, mark.at.second,
                          kRiscs[mark.core], mark.zone == kNone ? 0 : mark.zone + 1,
                          mark.time / hw::kTicksPerCycle, run + 1, mark.name,
                          mark.isEnd ? "ZONE_END" : "ZONE_START", mark.line, mark.file);
  return text;
}

namespace {
struct Durations {
  uint32_t count = 0;
  double total = 0, longest = 0;

  void add(double cycles) {
    ++count;
    total += cycles;
    longest = std::max(longest, cycles);
  }
};

// Indexed by the name of the zone and of the RISC-V core.
using Zones = std::map<std::pair<std::string, std::string>, Durations>;

// Pairs begins and ends of zones.
class Pairing {
public:
  Zones zones;

  // Adds a begin or end. Returns what is wrong with it; empty: nothing.
  std::string mark(const std::string &core, const std::string &risc, const std::string &zone,
                   bool isEnd, double time) {
    std::vector<double> &begins = open[fmt::format("{} of {} on core ({})", zone, risc, core)];
    if (!isEnd) {
      begins.push_back(time);
      return {};
    }
    if (begins.empty())
      return "ends, but did not begin";
    if (time < begins.back())
      return fmt::format("ends at {:.0f}, before it begins at {:.0f}", time, begins.back());
    zones[{zone, risc}].add(time - begins.back());
    begins.pop_back();
    return {};
  }
  // Returns, for each core, processor and zone, the number of begins without an end.
  std::map<std::string, size_t> unended() const {
    std::map<std::string, size_t> found;
    for (const auto &[key, begins] : open)
      if (!begins.empty())
        found[key] = begins.size();
    return found;
  }

private:
  std::map<std::string, std::vector<double>> open;
};

// The columns of a profile that are read.
enum Column { CoreX, CoreY, Risc, Time, Zone, Phase, NumColumns };

class Reader {
public:
  Reader(const std::string &name, std::string_view csv) : name(name), rest(csv) {}
  std::string read(); // returns the mistake; empty: none
  Pairing pairing;
  std::string arch; // of the card

private:
  bool nextLine();
  std::string mistake(const std::string &what) const {
    return fmt::format("{}:{}: {}", name, number, what);
  }
  std::string readColumns();
  std::string readRow();
  std::string checkClock();

  const std::string &name;
  std::string_view rest;
  int number = 0;
  std::vector<std::string> fields;
  std::array<size_t, NumColumns> columns{};
};
} // namespace

static std::string trimmed(std::string_view text) {
  auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && isSpace(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back()))
    text.remove_suffix(1);
  return std::string(text);
}

bool Reader::nextLine() {
  fields.clear();
  if (rest.empty())
    return false;
  size_t length = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, length);
  rest.remove_prefix(std::min(length + 1, rest.size()));
  ++number;
  for (size_t at = 0; at <= line.size();) {
    size_t end = std::min(line.find(',', at), line.size());
    fields.push_back(trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
  return true;
}

std::string Reader::readColumns() {
  static const std::vector<std::string> names[NumColumns] = {{"core_x"},
                                                             {"core_y"},
                                                             {"RISC processor type"},
                                                             {"time[cycles since reset]"},
                                                             {"zone name"},
                                                             {"type", "zone phase"}};
  for (size_t i = 0; i < NumColumns; ++i) {
    auto found = std::ranges::find_first_of(fields, names[i]);
    if (found == fields.end())
      return mistake(fmt::format("expected a column '{}' of the card's profiler, found: {}; use "
                                 "the profile_log_device.csv that tt-metal writes",
                                 names[i].front(), fmt::join(fields, ", ")));
    columns[i] = static_cast<size_t>(found - fields.begin());
  }
  return {};
}

// The second field of the first line is `CHIP_FREQ[MHz]: NUMBER`.
std::string Reader::checkClock() {
  std::string clock = fields.size() < 2 ? "" : fields[1];
  std::string number = trimmed(std::string_view(clock).substr(clock.find(':') + 1));
  double megahertz = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), megahertz);
  bool isWhole = error == std::errc() && end == number.data() + number.size();
  if (clock.starts_with("CHIP_FREQ[MHz]:") && isWhole && megahertz > 0)
    return {};
  return mistake(
      fmt::format("expected 'CHIP_FREQ[MHz]: NUMBER' with a number above 0, found '{}'", clock));
}

std::string Reader::readRow() {
  size_t needed = std::ranges::max(columns) + 1;
  if (fields.size() == 1 && fields[0].empty())
    return {};
  if (fields.size() < needed)
    return mistake(fmt::format("expected {} columns, found {}", needed, fields.size()));
  const std::string &time = fields[columns[Time]], &phase = fields[columns[Phase]];
  bool isBegin = phase == "ZONE_START" || phase == "begin";
  bool isEnd = phase == "ZONE_END" || phase == "end";
  if (!isBegin && !isEnd)
    return {}; // the line has data that the kernel recorded
  double cycles = 0;
  auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), cycles);
  if (error != std::errc() || end != time.data() + time.size())
    return mistake(fmt::format("expected a time in cycles, found '{}'", time));
  if (std::string wrong = whyNoTime(cycles); !wrong.empty())
    return mistake(wrong);
  std::string core = fields[columns[CoreX]] + "," + fields[columns[CoreY]];
  const std::string &risc = fields[columns[Risc]], &zone = fields[columns[Zone]];
  std::string wrong = pairing.mark(core, risc, zone, isEnd, cycles);
  return wrong.empty()
             ? wrong
             : mistake(fmt::format("zone '{}' of {} on core ({}) {}", zone, risc, core, wrong));
}

std::string Reader::read() {
  if (!nextLine() || fields[0].find("ARCH") == std::string::npos)
    return fmt::format(
        "{}:1: expected 'ARCH: NAME, CHIP_FREQ[MHz]: NUMBER', the first line of a "
        "profile of a card, found '{}'; use the profile_log_device.csv that tt-metal "
        "writes",
        name, fields.empty() ? "" : fields[0]);
  arch = trimmed(std::string_view(fields[0]).substr(fields[0].find(':') + 1));
  if (std::string wrong = checkClock(); !wrong.empty())
    return wrong;
  if (!nextLine())
    return mistake("expected a line of column names, found the end of the file");
  std::string wrong = readColumns();
  while (wrong.empty() && nextLine())
    wrong = readRow();
  return wrong;
}

static Zones zonesOf(const std::vector<Estimate> &estimates) {
  Pairing pairing;
  for (const Estimate &estimate : estimates)
    for (const ZoneMark &mark : estimate.marks)
      pairing.mark(std::to_string(mark.agent), kRiscs[mark.core], mark.name, mark.isEnd,
                   static_cast<double>(mark.time) / hw::kTicksPerCycle);
  return pairing.zones;
}

TextOrMistake timing::compareProfile(const std::vector<Estimate> &estimates,
                                     const std::string &name, std::string_view csv) {
  Reader reader(name, csv);
  if (std::string wrong = reader.read(); !wrong.empty())
    return {"", wrong};
  Zones estimated = zonesOf(estimates);
  const Zones &measured = reader.pairing.zones;
  std::string text;
  if (!estimates.empty() && reader.arch != estimates.front().arch)
    text = fmt::format("{} is of a {}, and the estimate is of a {}: --arch chooses the chip\n",
                       name, reader.arch, estimates.front().arch);
  text += fmt::format("zones of {} (cycles of the longest one, and how many):\n"
                      "  measured        estimate        est./meas.  zone\n",
                      name);
  std::string only;
  for (const auto &[place, count] : reader.pairing.unended())
    only += fmt::format("  {}: {} without an end\n", place, count == 1 ? "a begin" : "begins");
  for (const auto &[key, found] : measured) {
    auto other = estimated.find(key);
    if (other == estimated.end()) {
      only += fmt::format("  {} of {}: no estimate\n", key.first, key.second);
      continue;
    }
    text += fmt::format("  {:>9.0f} x{:<5} {:>9.0f} x{:<5} {:>9.2f}  {} of {}\n", found.longest,
                        found.count, other->second.longest, other->second.count,
                        found.longest > 0 ? other->second.longest / found.longest : 0, key.first,
                        key.second);
  }
  for (const auto &[key, found] : estimated)
    if (!measured.contains(key))
      only += fmt::format("  {} of {}: not in the profile\n", key.first, key.second);
  return {text + only, ""};
}
