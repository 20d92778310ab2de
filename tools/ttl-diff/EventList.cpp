//===- EventList.cpp - the events of a run, to compare ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/EventList.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

using namespace ttjit;
using namespace ttjit::ttl_diff;

void EventList::onRunStart(const hw::Program &program) {
  locations = program.locations;
  events.clear();
  count = 0;
}

void EventList::onEvent(const hw::Event &event) {
  ++count;
  if (events.size() == kMaxEvents)
    return;
  events.push_back(event);
  events.back().text = {}; // the text is valid only during this call
}

const hw::SourceLocation &EventList::locationOf(const hw::Event &event) const {
  static const hw::SourceLocation unknown;
  return event.loc < locations.size() ? locations[event.loc] : unknown;
}

static auto fields(const hw::Event &event) {
  return std::tie(event.kind, event.agent, event.object, event.count, event.received, event.acked,
                  event.source, event.destination, event.transferId, event.stream);
}

bool EventList::isEqual(const EventList &other, size_t number) const {
  const hw::Event &a = events[number], &b = other.events[number];
  const hw::SourceLocation &here = locationOf(a), &there = other.locationOf(b);
  return fields(a) == fields(b) && here.line == there.line && here.column == there.column;
}

std::string EventList::text(size_t number) const {
  if (number >= count)
    return "no event";
  const hw::Event &event = events[number];
  const hw::SourceLocation &where = locationOf(event);
  return fmt::format("{} of object {:#x}, count {}, by thread {} of node ({}, {}) at {}:{}:{}",
                     hw::eventName(event.kind), event.object, event.count,
                     event.agent % hw::kThreadsPerNode, event.node.x, event.node.y, where.file,
                     where.line, where.column);
}

std::optional<std::string> EventList::difference(const EventList &other, const std::string &name,
                                                 const std::string &otherName) const {
  size_t common = std::min(events.size(), other.events.size());
  for (size_t i = 0; i < common; ++i)
    if (!isEqual(other, i))
      return fmt::format("  event {}: {}: {}\n    {}: {}\n", i, name, text(i), otherName,
                         other.text(i));
  if (count == other.count)
    return std::nullopt;
  if (common == kMaxEvents)
    return fmt::format("  {}: {} events, {}: {} events\n", name, count, otherName, other.count);
  return fmt::format("  event {}: {}: {}\n    {}: {}\n", common, name, text(common), otherName,
                     other.text(common));
}
