//===- L1Map.cpp - draws the buffers in a core's L1 ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/L1Map.h"

#include <fmt/format.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::plan;

namespace {

// Columns of the drawing. They span L1 from the end of the reserved part to the last buffer.
constexpr uint64_t kColumns = 40;

struct AddressRange {
  const hw::BufferConfig *buffer;
  uint64_t begin, end;
};

// The buffers with memory of their own, which no tensor backs.
struct Map {
  std::vector<AddressRange> ranges; // ranges, ordered by address
  uint64_t base, end;

  Map(const hw::Program &program, const hw::ArchDesc &arch)
      : base(arch.l1UnreservedBase), end(base) {
    for (const hw::BufferConfig &buffer : program.buffers) {
      if (buffer.backing)
        continue;
      uint64_t bytes = static_cast<uint64_t>(buffer.pageBytes) * buffer.numPages;
      ranges.push_back({&buffer, buffer.address, buffer.address + bytes});
      end = std::max(end, ranges.back().end);
    }
    std::ranges::stable_sort(ranges, {}, &AddressRange::begin);
  }
};

// Returns the bar of a range. It has at least one column, so that small buffers can be seen.
std::string bar(const Map &map, const AddressRange &range) {
  uint64_t span = std::max<uint64_t>(map.end - map.base, 1);
  uint64_t first = (range.begin - map.base) * kColumns / span;
  uint64_t last = std::max(((range.end - map.base) * kColumns + span - 1) / span, first + 1);
  return std::string(first, '.') + std::string(last - first, '#') +
         std::string(kColumns - std::min(last, kColumns), '.');
}

std::string partners(const Map &map, const AddressRange &range) {
  std::string names;
  for (const AddressRange &other : map.ranges)
    if (&other != &range && other.begin < range.end && range.begin < other.end)
      names += (names.empty() ? "" : ", ") + other.buffer->name;
  return names;
}

std::string contents(const hw::BufferConfig &buffer) {
  uint32_t pages = std::max(1u, buffer.pagesPerBlock), blocks = buffer.numPages / pages;
  return fmt::format("{} block{} of {} page{} of {} B {}", blocks, blocks == 1 ? "" : "s", pages,
                     pages == 1 ? "" : "s", buffer.pageBytes, hw::formatName(buffer.format));
}

// Returns one line for each buffer that a tensor backs.
std::string describeBacked(const hw::Program &program) {
  std::string text;
  for (const hw::BufferConfig &buffer : program.buffers)
    if (buffer.backing)
      text += fmt::format("  buffer {} '{}' takes no L1 of its own: it is the part of tensor '{}' "
                          "from byte {} of each shard on, {}\n",
                          buffer.index, buffer.name, buffer.backing->tensor, buffer.backing->offset,
                          contents(buffer));
  return text;
}

} // namespace

std::string plan::drawL1Map(const hw::Program &program, const hw::ArchDesc &arch) {
  Map map(program, arch);
  size_t width = 8;
  uint64_t sum = 0;
  for (const AddressRange &range : map.ranges) {
    width = std::max(width, range.buffer->name.size());
    sum += range.end - range.begin;
  }
  std::string text = fmt::format("L1 of each core of {}: {} bytes\n", arch.name, arch.l1Bytes);
  auto line = [&](uint64_t begin, uint64_t end, std::string_view index, std::string_view name,
                  const std::string &rest) {
    text += fmt::format("  {:#08x} to {:#08x} {:>8} B {:>3} {:<{}}  {}", begin, end, end - begin,
                        index, name, width, rest);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  line(0, map.base, "", "reserved", "");
  for (const AddressRange &range : map.ranges) {
    std::string with = partners(map, range);
    line(range.begin, range.end, std::to_string(range.buffer->index), range.buffer->name,
         "|" + bar(map, range) + "| " + contents(*range.buffer) +
             (with.empty() ? "" : "; shares memory with " + with));
  }
  if (map.end < arch.l1Bytes)
    line(map.end, arch.l1Bytes, "", "free", "");
  else if (map.end > arch.l1Bytes)
    text += fmt::format("  {} bytes more than the core has\n", map.end - arch.l1Bytes);
  uint64_t used = map.end - map.base;
  text += fmt::format("  buffers take {} of {} bytes", used, arch.l1Available());
  if (sum > used)
    text += fmt::format("; {} bytes are saved by sharing", sum - used);
  return text + "\n" + describeBacked(program);
}
