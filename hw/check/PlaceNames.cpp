//===- PlaceNames.cpp - the user's names for memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/PlaceNames.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw::check {

const BufferConfig *PlaceNames::bufferAt(const MemoryPlace &place) const {
  if (place.memory == MemoryPlace::L1)
    for (const BufferConfig &buffer : program->buffers)
      if (place.address >= buffer.address &&
          place.address - buffer.address < buffer.pageBytes * buffer.numPages)
        return &buffer;
  return nullptr;
}

std::string PlaceNames::of(const MemoryPlace &place) const {
  if (const BufferConfig *buffer = bufferAt(place))
    return fmt::format("page {} of '{}'", (place.address - buffer->address) / buffer->pageBytes,
                       buffer->name);
  if (std::string name = tensorName(place); !name.empty())
    return name;
  if (place.memory == MemoryPlace::DRAM && program->numDevices > 1)
    return fmt::format("DRAM bank {} of device {} at 0x{:x}", place.x, place.y, place.address);
  if (place.memory == MemoryPlace::DRAM)
    return fmt::format("DRAM bank {} at 0x{:x}", place.x, place.address);
  if (program->numDevices > 1)
    return fmt::format("L1 of {} at 0x{:x}", describeNode(*program, place.x, place.y),
                       place.address);
  return fmt::format("L1 of core ({}, {}) at 0x{:x}", place.x, place.y, place.address);
}

const ThreadConfig *PlaceNames::configOf(AgentId agent) const {
  for (const ThreadConfig &thread : program->threads)
    if (static_cast<AgentId>(thread.processor) == agent % kThreadsPerNode)
      return &thread;
  return nullptr;
}

std::string PlaceNames::ofThread(AgentId agent, NodeCoord node) const {
  const ThreadConfig *thread = configOf(agent);
  return fmt::format("{}() of {}", thread ? thread->name : "a thread",
                     describeNode(*program, node.x, node.y));
}

NodeCoord PlaceNames::ofDevice(NodeCoord node) const {
  return nodeOfDevice(*program, node.x, node.y);
}

bool PlaceNames::belongsToPipe(const SemaphoreConfig &semaphore) const {
  return program->isOfPipe(semaphore);
}

SourceLocation PlaceNames::location(uint32_t loc) const {
  return loc < program->locations.size() ? program->locations[loc] : SourceLocation{};
}

} // namespace ttjit::hw::check
