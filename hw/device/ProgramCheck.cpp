//===- ProgramCheck.cpp - refuses programs that the device cannot run ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/ProgramCheck.h"

#include "hw/device/HostMemory.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttjit::hw {

// A buffer must have fewer pages than this, so that 16-bit counters compare correctly
// after a wrap-around.
static constexpr uint32_t kMaxPages = 1u << 16;

bool ProgramCheck::checkGrid() {
  int64_t cells = static_cast<int64_t>(program.gridX) * program.gridY;
  if (program.gridX < 1 || program.gridY < 1 || program.numNodes < 1 || program.numNodes > cells)
    return refuse(fmt::format("a grid of {} x {} cannot hold {}", program.gridX, program.gridY,
                              plural(program.numNodes, "node")));
  bool taken[kThreadsPerNode] = {};
  for (const ThreadConfig &thread : program.threads) {
    auto processor = static_cast<size_t>(thread.processor);
    bool isShared = processor < kThreadsPerNode && taken[processor];
    if (processor >= kThreadsPerNode || isShared || !thread.entry)
      return refuse(fmt::format("thread {}() {}", thread.name,
                                isShared        ? "shares its processor with another thread"
                                : !thread.entry ? "has no code"
                                                : "has an unknown processor"),
                    thread.location);
    taken[processor] = true;
  }
  return true;
}

bool ProgramCheck::checkBuffer(const BufferConfig &buffer) {
  if (machine.index.bufferConfig(static_cast<uint32_t>(buffer.index)) != &buffer)
    return refuse(fmt::format("buffer '{}' needs an index of its own below {}", buffer.name,
                              ProgramIndex::kMaxBuffers),
                  buffer.location);
  if (!buffer.pageBytes || !buffer.numPages || buffer.numPages >= kMaxPages)
    return refuse(fmt::format("buffer '{}' has {} of {}; expected 1 to {} pages that are "
                              "not empty",
                              buffer.name, plural(buffer.numPages, "page"),
                              plural(buffer.pageBytes, "byte"), kMaxPages - 1),
                  buffer.location);
  if (buffer.address < arch.l1UnreservedBase || buffer.address % arch.l1Alignment)
    return refuse(fmt::format("buffer '{}' is at L1 address {:#x}; expected a multiple of {} "
                              "from {:#x} on",
                              buffer.name, buffer.address, arch.l1Alignment, arch.l1UnreservedBase),
                  buffer.location);
  if (!buffer.onNode.empty() && buffer.onNode.size() != static_cast<size_t>(program.numNodes))
    return refuse(fmt::format("buffer '{}' has a list of {}, but the program has {}", buffer.name,
                              plural(buffer.onNode.size(), "node"),
                              plural(program.numNodes, "node")),
                  buffer.location);
  return true;
}

bool ProgramCheck::checkBuffers() {
  return std::ranges::all_of(program.buffers,
                             [&](const BufferConfig &buffer) { return checkBuffer(buffer); });
}

bool ProgramCheck::checkSemaphores() {
  for (const SemaphoreConfig &semaphore : program.semaphores)
    if (semaphore.id < 0 || semaphore.id >= arch.numSemaphores)
      return refuse(
          fmt::format("semaphore '{}' has number {}, but {} has only {} semaphores per core",
                      semaphore.name, semaphore.id, arch.name, arch.numSemaphores));
  return true;
}

bool ProgramCheck::checkRanges() {
  for (const L1Range &range : program.ranges)
    if (range.address < arch.l1UnreservedBase || range.address % arch.l1Alignment || !range.bytes)
      return refuse(fmt::format("'{}' has {} bytes at L1 address {:#x}; expected a multiple of {} "
                                "from {:#x} on",
                                range.name, range.bytes, range.address, arch.l1Alignment,
                                arch.l1UnreservedBase),
                    range.location);
  for (const ThreadConfig &thread : program.threads)
    if (thread.nodeArgs.size() != size_t(thread.argsPerNode) * size_t(program.numNodes))
      return refuse(fmt::format("thread {}() has {}; expected {} for each of {}", thread.name,
                                plural(thread.nodeArgs.size(), "node argument"), thread.argsPerNode,
                                plural(program.numNodes, "node")),
                    thread.location);
  return true;
}

// Refuses a grid that needs more memory than the host has. Without this check the host would grant
// the memory, and end the process when it uses it.
bool ProgramCheck::checkHostMemory() {
  constexpr int kSmallGrid = 4096;
  if (program.numNodes <= kSmallGrid)
    return true;
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kL1 = 2 * kPage; // the first page of L1, and its page table
  constexpr uint64_t kStack =
      3 * kPage; // the first two pages of a stack, and the guard's page table
  auto more = [](uint64_t wanted, uint64_t present) { return wanted - std::min(wanted, present); };
  auto numNodes = static_cast<uint64_t>(program.numNodes);
  uint64_t numThreads = numNodes * program.threads.size();
  uint64_t numStacks = 0;
  for (const auto &worker : storage.workers)
    numStacks += worker->stacks.size();
  uint64_t perNode = sizeof(Node);
  for (const BufferConfig &buffer : program.buffers)
    perNode += sizeof(CircularBuffer) + buffer.numPages * (1 + sizeof(uint32_t) + sizeof(void *));
  uint64_t needed = numNodes * perNode + numThreads * sizeof(ThreadContext) +
                    more(numNodes, machine.memories.numCores()) * kL1 +
                    more(numThreads, numStacks) * kStack;
  uint64_t available = availableMemory();
  if (needed <= available)
    return true;
  return refuse(fmt::format("a grid of {} needs at least {} of the host's memory, of which "
                            "{} are available",
                            plural(program.numNodes, "node"), describeBytes(needed),
                            describeBytes(available)));
}

// Makes L1 as large as the program's buffers need, unless the buffers would overlap
// tensors.
bool ProgramCheck::growL1() {
  uint64_t end = arch.l1Bytes, limit = machine.memories.lowestL1Tensor();
  auto fits = [&](const std::string &what, uint64_t stop, const SourceLocation &location) {
    end = std::max(end, stop);
    return limit >= arch.l1Bytes || stop <= limit ||
           refuse(fmt::format("{} ends at L1 address {:#x}, but tensors in L1 begin at {:#x}", what,
                              stop, limit),
                  location);
  };
  for (const BufferConfig &buffer : program.buffers)
    if (!buffer.backing &&
        !fits(fmt::format("buffer '{}'", buffer.name), buffer.end(), buffer.location))
      return false;
  for (const L1Range &range : program.ranges)
    if (!fits(fmt::format("'{}'", range.name), uint64_t(range.address) + range.bytes,
              range.location))
      return false;
  if (end > UINT32_MAX)
    return refuse(fmt::format("the buffers end at L1 address {:#x}; addresses have 32 bits", end));
  if (machine.memories.growL1(end))
    return true;
  return refuse(fmt::format("cannot map {} bytes of L1 per core: {}", end, whyNoAddressSpace(end)));
}

} // namespace ttjit::hw
