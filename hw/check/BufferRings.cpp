//===- BufferRings.cpp - which pages of the buffers are in use ------------------===//
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

void BufferRings::start(const Program &of) {
  program = &of;
  rings.clear();
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

/// The counts of Wait and Reserve begin at the oldest page that is not popped, or not pushed.
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
  default:
    return nullptr;
  }
}

std::pair<const BufferRing *, uint32_t> BufferRings::at(const MemoryPlace &place) const {
  if (place.memory != MemoryPlace::L1)
    return {};
  auto node = static_cast<uint32_t>(place.y * program->gridX + place.x);
  std::pair<const BufferRing *, uint32_t> unused{};
  for (const BufferConfig *buffer : configs) {
    if (!buffer || place.address < buffer->address ||
        place.address - buffer->address >= buffer->pageBytes * buffer->numPages)
      continue;
    auto found = rings.find({static_cast<uint32_t>(buffer->index), node});
    if (found == rings.end())
      continue;
    uint32_t page = (place.address - buffer->address) / buffer->pageBytes;
    if (found->second.isUsed(page))
      return {&found->second, page};
    unused = {&found->second, page};
  }
  return unused;
}

} // namespace ttjit::hw::check
