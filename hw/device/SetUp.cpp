//===- SetUp.cpp - creates the nodes and threads of a run -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostMemory.h"
#include "hw/device/Machine.h"
#include "hw/facts/Words.h"
#include "hw/tile/TileMath.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ttjit::hw {

namespace {

/// A buffer must have fewer pages than this, so that 16-bit counters compare correctly
/// after a wrap-around.
constexpr uint32_t kMaxPages = 1u << 16;
constexpr int kMaxBuffers = 1024;

uint64_t endOf(const BufferConfig &buffer) {
  return buffer.address + static_cast<uint64_t>(buffer.pageBytes) * buffer.numPages;
}

bool overlap(uint64_t begin, uint64_t end, uint64_t otherBegin, uint64_t otherEnd) {
  return otherBegin < end && begin < otherEnd;
}

/// Buffers that a tensor backs do not count: the user lets them overlap on purpose.
bool sharesMemory(const Program &program, const BufferConfig &buffer) {
  return std::ranges::any_of(program.buffers, [&](const BufferConfig &other) {
    return &other != &buffer && !other.backing && !buffer.backing &&
           overlap(buffer.address, endOf(buffer), other.address, endOf(other));
  });
}

} // namespace

bool Machine::setUp() {
  return checkGrid() && checkBuffers() && checkBackedBuffers() && checkSemaphores() &&
         checkRanges() && checkHostMemory() && growL1() &&
         (makeNodes(), markConstants(true), makeBuffers(), makeThreads());
}

void Machine::markConstants(bool areConstant) {
  // Functions of the host may write any tensor.
  bool possible = options.aliases && program.hostFunctions.empty();
  for (uint32_t base : program.constantTensors)
    if (Tensor *tensor = memories.find(BufferType::DRAM, base))
      tensor->access.isConstant = areConstant && possible;
}

bool Machine::refuse(FaultKind kind, std::string message, const SourceLocation &location) {
  Fault fault = faultOf(nullptr, kind, std::move(message));
  fault.location = location;
  record(std::move(fault), nullptr);
  return false;
}

bool Machine::checkGrid() {
  int64_t cells = static_cast<int64_t>(program.gridX) * program.gridY;
  if (program.gridX < 1 || program.gridY < 1 || program.numNodes < 1 || program.numNodes > cells)
    return refuse(FaultKind::Resource,
                  fmt::format("a grid of {} x {} cannot hold {}", program.gridX, program.gridY,
                              plural(program.numNodes, "node")));
  bool taken[kThreadsPerNode] = {};
  for (const ThreadConfig &thread : program.threads) {
    auto processor = static_cast<size_t>(thread.processor);
    if (processor >= kThreadsPerNode || taken[processor] || !thread.entry)
      return refuse(FaultKind::Resource,
                    fmt::format("thread {}() has no processor of its own, or no code", thread.name),
                    thread.location);
    taken[processor] = true;
  }
  return true;
}

bool Machine::checkBuffers() {
  for (const BufferConfig &buffer : program.buffers) {
    if (buffer.index < 0 || buffer.index >= kMaxBuffers || bufferConfig(buffer.index))
      return refuse(
          FaultKind::Resource,
          fmt::format("buffer '{}' has no index of its own below {}", buffer.name, kMaxBuffers),
          buffer.location);
    if (!buffer.pageBytes || !buffer.numPages || buffer.numPages >= kMaxPages)
      return refuse(FaultKind::Resource,
                    fmt::format("buffer '{}' has {} of {}; expected 1 to {} pages that are "
                                "not empty",
                                buffer.name, plural(buffer.numPages, "page"),
                                plural(buffer.pageBytes, "byte"), kMaxPages - 1),
                    buffer.location);
    if (buffer.address < arch.l1UnreservedBase || buffer.address % arch.l1Alignment)
      return refuse(FaultKind::Resource,
                    fmt::format("buffer '{}' is at L1 address {:#x}; expected a multiple of {} "
                                "from {:#x} on",
                                buffer.name, buffer.address, arch.l1Alignment,
                                arch.l1UnreservedBase),
                    buffer.location);
    if (!buffer.onNode.empty() && buffer.onNode.size() != static_cast<size_t>(program.numNodes))
      return refuse(FaultKind::Resource,
                    fmt::format("buffer '{}' has a list of {}, but the program has {}", buffer.name,
                                plural(buffer.onNode.size(), "node"),
                                plural(program.numNodes, "node")),
                    buffer.location);
    size_t index = static_cast<size_t>(buffer.index);
    bufferConfigs.resize(std::max(bufferConfigs.size(), index + 1));
    bufferConfigs[index] = &buffer;
  }
  return true;
}

bool Machine::checkSemaphores() {
  for (const SemaphoreConfig &semaphore : program.semaphores)
    if (semaphore.id < 0 || semaphore.id >= arch.numSemaphores)
      return refuse(
          FaultKind::Resource,
          fmt::format("semaphore '{}' has number {}, but {} has only {} semaphores per core",
                      semaphore.name, semaphore.id, arch.name, arch.numSemaphores));
  semaphoresDiffer = std::ranges::any_of(
      program.semaphores, [](const SemaphoreConfig &each) { return !each.onNode.empty(); });
  return true;
}

bool Machine::checkRanges() {
  for (const L1Range &range : program.ranges)
    if (range.address < arch.l1UnreservedBase || range.address % arch.l1Alignment || !range.bytes)
      return refuse(FaultKind::Resource,
                    fmt::format("'{}' has {} bytes at L1 address {:#x}; expected a multiple of {} "
                                "from {:#x} on",
                                range.name, range.bytes, range.address, arch.l1Alignment,
                                arch.l1UnreservedBase),
                    range.location);
  for (const ThreadConfig &thread : program.threads)
    if (thread.nodeArgs.size() != size_t(thread.argsPerNode) * size_t(program.numNodes))
      return refuse(FaultKind::Resource,
                    fmt::format("thread {}() has {}; expected {} for each of {}", thread.name,
                                plural(thread.nodeArgs.size(), "node argument"), thread.argsPerNode,
                                plural(program.numNodes, "node")),
                    thread.location);
  return true;
}

/// Refuses a grid that needs more memory than the host has. Without this check the host
/// would grant the memory and end the process once it is used.
bool Machine::checkHostMemory() {
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
  for (const auto &partition : storage.partitions)
    numStacks += partition->stacks.size();
  uint64_t perNode = sizeof(Node);
  for (const BufferConfig &buffer : program.buffers)
    perNode += sizeof(CircularBuffer) + buffer.numPages * (1 + sizeof(uint32_t) + sizeof(void *));
  uint64_t needed = numNodes * perNode + numThreads * sizeof(ThreadContext) +
                    more(numNodes, memories.numCores()) * kL1 +
                    more(numThreads, numStacks) * kStack;
  uint64_t available = availableMemory();
  if (needed <= available)
    return true;
  return refuse(FaultKind::Resource,
                fmt::format("a grid of {} needs at least {} of the host's memory, of which "
                            "{} are available",
                            plural(program.numNodes, "node"), describeBytes(needed),
                            describeBytes(available)));
}

/// Makes L1 as large as the program's buffers need, unless the buffers would reach
/// tensors.
bool Machine::growL1() {
  uint64_t end = arch.l1Bytes, limit = memories.lowestL1Tensor();
  auto fits = [&](const std::string &what, uint64_t stop, const SourceLocation &location) {
    end = std::max(end, stop);
    return limit >= arch.l1Bytes || stop <= limit ||
           refuse(FaultKind::Resource,
                  fmt::format("{} ends at L1 address {:#x}, but tensors in L1 begin at {:#x}", what,
                              stop, limit),
                  location);
  };
  for (const BufferConfig &buffer : program.buffers)
    if (!buffer.backing &&
        !fits(fmt::format("buffer '{}'", buffer.name), endOf(buffer), buffer.location))
      return false;
  for (const L1Range &range : program.ranges)
    if (!fits(fmt::format("'{}'", range.name), uint64_t(range.address) + range.bytes,
              range.location))
      return false;
  if (end > UINT32_MAX)
    return refuse(FaultKind::Resource,
                  fmt::format("the buffers end at L1 address {:#x}; addresses have 32 bits", end));
  if (memories.growL1(end))
    return true;
  return refuse(FaultKind::Resource,
                fmt::format("cannot map {} bytes of L1 per core: {}", end, whyNoAddressSpace(end)));
}

void Machine::makeNodes() {
  nodes.resize(static_cast<size_t>(program.numNodes));
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    node.number = static_cast<uint32_t>(i);
    node.partition = &partitions.ofNode(i, nodes.size());
    node.x = static_cast<int>(i) % program.gridX;
    node.y = static_cast<int>(i) / program.gridX;
  }
}

bool Machine::mayAlias(const BufferConfig &buffer) const {
  auto touches = [&](const L1Range &range) {
    return overlap(buffer.address, endOf(buffer), range.address,
                   uint64_t(range.address) + range.bytes);
  };
  // Only the host thread of a core may look at its aliases.
  bool isAlone = partitions.isOne() || !program.reachesOtherCores;
  return options.aliases && isAlone && !program.constantTensors.empty() && !buffer.backing &&
         !sharesMemory(program, buffer) && std::ranges::none_of(program.ranges, touches);
}

void Machine::makeBuffers() {
  size_t pagesPerNode = 0;
  std::vector<uint8_t> shares, aliasing;
  for (const BufferConfig &config : program.buffers) {
    pagesPerNode += config.numPages;
    shares.push_back(sharesMemory(program, config));
    aliasing.push_back(mayAlias(config));
  }
  bool someAlias = std::ranges::find(aliasing, 1) != aliasing.end();
  storage.buffers.assign(numBuffers() * nodes.size(), CircularBuffer());
  storage.pagesWritten.assign(pagesPerNode * nodes.size(), 0);
  storage.acquisitions.assign(pagesPerNode * nodes.size(), Acquisition());
  storage.pageAliases.assign(pagesPerNode * nodes.size(), nullptr);

  const TileKernels &tiles = tileKernels(program.compute.numerics);
  uint8_t *written = storage.pagesWritten.data();
  Acquisition *acquisitions = storage.acquisitions.data();
  const uint8_t **aliases = storage.pageAliases.data();
  for (Node &node : nodes) {
    node.buffers = storage.buffers.data() + numBuffers() * node.number;
    node.aliasingBuffers = someAlias ? numBuffers() : 0;
    for (const BufferConfig &config : program.buffers) {
      if (!config.onNode.empty() && !config.onNode[node.number])
        continue;
      CircularBuffer &buffer = node.buffers[config.index];
      buffer.address = config.address;
      buffer.pageBytes = config.pageBytes;
      buffer.numPages = config.numPages;
      buffer.written = written;
      buffer.acquisitions = acquisitions;
      buffer.aliases = aliases;
      buffer.format = static_cast<uint8_t>(config.format);
      buffer.holdsTiles =
          tiles.format(config.format) && config.pageBytes >= tileBytes(config.format);
      auto number = static_cast<size_t>(&config - program.buffers.data());
      buffer.sharesMemory = shares[number];
      buffer.mayAlias = aliasing[number];
      written += config.numPages;
      acquisitions += config.numPages;
      aliases += config.numPages;
    }
  }
}

bool Machine::makeThreads() {
  const ComputeConfig &compute = program.compute;
  dstCapacity =
      static_cast<uint32_t>(arch.dstCapacity(compute.fp32DestAccEn, compute.dstFullSyncEn));
  dstSections = compute.dstFullSyncEn ? 1 : 2;
  size_t bytes = nodes.size() * registersPerNode() * kDstTileElements * sizeof(float);
  if (!storage.dst.grow(bytes))
    return refuse(FaultKind::Resource, fmt::format("cannot map the DST registers of {} nodes: {}",
                                                   nodes.size(), whyNoAddressSpace(bytes)));
  storage.dstWritten.assign(nodes.size() * registersPerNode(), 0);

  threads = std::vector<ThreadContext>(nodes.size() * kThreadsPerNode);
  for (Node &node : nodes) {
    for (const ThreadConfig &config : program.threads)
      initThread(node, config);
    if (!nodeByNode && !giveMemory(node))
      return false;
    for (ThreadContext *thread : node.threads)
      if (thread)
        node.partition->scheduler.add(*thread);
  }
  return true;
}

void Machine::initThread(Node &node, const ThreadConfig &config) {
  AgentId agent = node.number * kThreadsPerNode + static_cast<uint32_t>(config.processor);
  ThreadContext &thread = threads[agent];
  thread.machine = this;
  thread.partition = node.partition;
  thread.node = &node;
  thread.config = &config;
  thread.agent = agent;
  thread.quiet = !watched && !switches;
  thread.buffers = node.buffers;
  thread.numBuffers = numBuffers();
  thread.l1Bytes = static_cast<uint32_t>(memories.l1Bytes());
  thread.processor = static_cast<uint8_t>(config.processor);
  thread.tiles = &tileKernels(program.compute.numerics);
  thread.x = node.x;
  thread.y = node.y;
  thread.commonArgs = config.commonArgs.data();
  thread.numCommonArgs = static_cast<uint32_t>(config.commonArgs.size());
  thread.nodeArgs = config.nodeArgs.data() + size_t(config.argsPerNode) * node.number;
  thread.numNodeArgs = config.argsPerNode;
  node.threads[thread.processor] = &thread;
  if (config.processor != Processor::Compute)
    return;
  thread.dstCapacity = dstCapacity;
  thread.numSections = dstSections;
}

void Machine::collectStats() {
  for (const Node &node : nodes)
    for (const BufferConfig &config : program.buffers) {
      if (!node.buffers)
        continue;
      const CircularBuffer &buffer = node.buffers[config.index];
      uint32_t pages = std::max(1u, config.pagesPerBlock);
      stats.blocksPushed += buffer.received / pages;
      stats.blocksPopped += buffer.acked / pages;
    }
  for (const auto &partition : partitions)
    addStats(*partition);
}

void Machine::addStats(const Partition &partition) {
  const RunStats &own = partition.stats;
  stats.bytesRead += own.bytesRead;
  stats.bytesWritten += own.bytesWritten;
  stats.bytesSent += own.bytesSent;
  stats.bytesReceived += own.bytesReceived;
  stats.blocksPushed += own.blocksPushed; // of buffers that were reset
  stats.blocksPopped += own.blocksPopped;
  stats.transfers += own.transfers;
  stats.mostOutstanding = std::max(stats.mostOutstanding, own.mostOutstanding);
  stats.outstanding += own.outstanding;
  stats.contextSwitches += partition.scheduler.switches();
  stats.steps += partition.steps;
}

} // namespace ttjit::hw
