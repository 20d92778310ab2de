//===- InitCheck.cpp - finds uses of bytes that nobody wrote ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/InitCheck.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw::check {

void InitCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  rings.start(of);
}

void InitCheck::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::Reserve:
    return reserve(event);
  case EventKind::Push:
  case EventKind::Wait:
  case EventKind::Pop:
  case EventKind::BufferReset:
    rings.follow(event);
    return;
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastLeg:
    return memory.copy(event.source, event.destination, event.loc, event.agent);
  case EventKind::Access:
    return access(event);
  default:
    return;
  }
}

// Marks the pages that this event adds to the reserved ones as unwritten. A buffer that is part of
// a tensor has the content of the tensor.
void InitCheck::reserve(const Event &event) {
  const BufferRing &ring = *rings.follow(event);
  const BufferConfig &buffer = *ring.buffer;
  uint64_t &end = reservedEnds[{event.object, event.agent / kThreadsPerNode}];
  for (end = std::max(end, ring.pushed); end < ring.reservedEnd && !buffer.backing; ++end) {
    auto page = static_cast<uint32_t>(end % buffer.numPages);
    MemoryPlace place{MemoryPlace::L1, event.node.x, event.node.y,
                      buffer.address + page * buffer.pageBytes, buffer.pageBytes};
    memory.add(place, {place, -1, event.loc});
  }
}

void InitCheck::access(const Event &event) {
  if (event.destination)
    return memory.remove(event.destination);
  if (memory.empty())
    return;
  if (const UnwrittenOrigin *origin = memory.find(event.source))
    use(event, *origin);
}

void InitCheck::use(const Event &event, const UnwrittenOrigin &origin) {
  int buffer = origin.tensor < 0 ? rings.at(origin.page).first->buffer->index : -1;
  if (std::ranges::none_of(found, [&](const UnwrittenUse &other) {
        return other.buffer == buffer && other.origin.tensor == origin.tensor;
      }))
    found.push_back({origin, buffer, explain(event, origin)});
}

Fault InitCheck::explain(const Event &event, const UnwrittenOrigin &origin) const {
  Fault fault;
  fault.kind = FaultKind::UninitializedRead;
  fault.node = nodeOfDevice(*program, event.node.x, event.node.y);
  fault.location = names.location(event.loc);
  if (const ThreadConfig *thread = names.configOf(event.agent))
    fault.thread = thread->name;
  fault.message = fmt::format("{} uses bytes of {} that nobody has written",
                              names.ofThread(event.agent, event.node), names.of(origin.page));
  if (origin.copyLoc)
    fault.notes.push_back(
        {fmt::format("{}() copies the unwritten bytes", names.configOf(origin.copiedBy)->name),
         names.location(origin.copyLoc)});
  if (origin.reserveLoc)
    fault.notes.push_back({"the block is reserved here, and not all of it is written",
                           names.location(origin.reserveLoc)});
  return fault;
}

} // namespace ttjit::hw::check
