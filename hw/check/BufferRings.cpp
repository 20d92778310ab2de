//===- BufferRings.cpp - which pages of the buffers are in use ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/BufferRings.h"

#include "hw/device/Program.h"

#include <algorithm>

namespace ttjit::hw::check {

bool BufferRing::isIn(uint32_t page, uint64_t begin, uint64_t end) const {
  uint64_t distance = (page + buffer->numPages - begin % buffer->numPages) % buffer->numPages;
  return begin + distance < end;
}

void BufferRing::restart() {
  uint64_t pages = buffer->numPages, end = std::max({pushed, popped, reservedEnd, waitedEnd});
  start = (end + pages - 1) / pages * pages;
  pushed = popped = reservedEnd = waitedEnd = start;
}

void BufferRings::start(const Program &of) {
  program = &of;
  rings.clear();
  lastOf.clear();
  configs.clear();
  for (const BufferConfig &buffer : of.buffers) {
    configs.resize(std::max(configs.size(), static_cast<size_t>(buffer.index) + 1));
    configs[static_cast<size_t>(buffer.index)] = &buffer;
  }
}

BufferRing &BufferRings::ringOf(const Event &event) {
  auto index = static_cast<uint32_t>(event.object);
  BufferRing &ring = rings[{index, event.agent / kThreadsPerNode}];
  ring.buffer = configs[index];
  return ring;
}

// Adds the event to its ring. Wait and Reserve count from the oldest page not popped or not pushed.
BufferRing *BufferRings::follow(const Event &event) {
  switch (event.kind) {
  case EventKind::Reserve: {
    BufferRing &ring = ringOf(event);
    ring.reservedEnd = std::max(ring.reservedEnd, ring.pushed + event.count);
    return &ring;
  }
  case EventKind::Wait: {
    BufferRing &ring = ringOf(event);
    ring.waitedEnd = std::max(ring.waitedEnd, ring.popped + event.count);
    return &ring;
  }
  case EventKind::Push: {
    BufferRing &ring = ringOf(event);
    ring.pushed += event.count;
    ring.pushLoc = event.loc;
    return &ring;
  }
  case EventKind::Pop: {
    BufferRing &ring = ringOf(event);
    ring.popped += event.count;
    ring.popLoc = event.loc;
    return &ring;
  }
  case EventKind::BufferReset: {
    BufferRing &ring = ringOf(event);
    ring.restart();
    return &ring;
  }
  default:
    return nullptr;
  }
}

std::optional<uint32_t> BufferRings::pageAt(const BufferConfig &buffer, uint32_t address) {
  if (address < buffer.address || address - buffer.address >= buffer.pageBytes * buffer.numPages)
    return std::nullopt;
  return (address - buffer.address) / buffer.pageBytes;
}

std::pair<const BufferRing *, uint32_t> BufferRings::at(const MemoryPlace &place) const {
  if (place.memory != MemoryPlace::L1)
    return {};
  auto node = static_cast<uint32_t>(place.y * program->gridX + place.x);
  lastOf.resize(std::max(lastOf.size(), size_t{node} + 1));
  if (const BufferRing *last = lastOf[node])
    if (std::optional<uint32_t> page = pageAt(*last->buffer, place.address);
        page && last->isUsed(*page))
      return {last, *page};
  std::pair<const BufferRing *, uint32_t> unused{};
  for (const BufferConfig *buffer : configs) {
    std::optional<uint32_t> page = buffer ? pageAt(*buffer, place.address) : std::nullopt;
    auto found = page ? rings.find({static_cast<uint32_t>(buffer->index), node}) : rings.end();
    if (found == rings.end())
      continue;
    unused = {&found->second, *page};
    if (!found->second.isUsed(*page))
      continue;
    lastOf[node] = &found->second;
    break;
  }
  return unused;
}

} // namespace ttjit::hw::check
