//===- MemoryCheck.cpp - finds uses of pages that a thread gave away ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/MemoryCheck.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

namespace ttjit::hw::check {

void MemoryCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  rings.start(of);
}

void MemoryCheck::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::Reserve:
  case EventKind::Push:
  case EventKind::Wait:
  case EventKind::Pop:
  case EventKind::BufferReset:
    rings.follow(event);
    return;
  case EventKind::ReadIssued:
    return checkUse(event, event.destination, true);
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
    return checkUse(event, event.source, false);
  case EventKind::Access:
    checkUse(event, event.source, false);
    return checkUse(event, event.destination, true);
  default:
    return;
  }
}

// Checks only uses by threads of the same node: only they know the state of a buffer.
void MemoryCheck::checkUse(const Event &event, const MemoryPlace &place, bool writes) {
  if (place.x != event.node.x || place.y != event.node.y)
    return;
  auto [ring, page] = rings.at(place);
  if (ring && !ring->buffer->backing)
    checkRing(event, place, writes, *ring, page);
}

void MemoryCheck::checkRing(const Event &event, const MemoryPlace &place, bool writes,
                            const BufferRing &ring, uint32_t page) {
  if (ring.isUsed(page) || !reported.insert(event.loc).second)
    return;
  Fault &fault = found.emplace_back();
  fault.kind = FaultKind::OutOfBounds;
  fault.node = nodeOfDevice(*program, event.node.x, event.node.y);
  fault.location = names.location(event.loc);
  if (const ThreadConfig *thread = names.configOf(event.agent))
    fault.thread = thread->name;
  fault.message = fmt::format("{} {} {}, which is neither reserved nor waited for",
                              names.ofThread(event.agent, event.node), writes ? "writes" : "reads",
                              names.of(place));
  if (ring.pushLoc)
    fault.notes.push_back({"the last push", names.location(ring.pushLoc)});
  if (ring.popLoc)
    fault.notes.push_back({"the last pop", names.location(ring.popLoc)});
  fault.notes.push_back({"use the address of a page between its reserve and its push, or between "
                         "its wait and its pop",
                         {}});
}

} // namespace ttjit::hw::check
