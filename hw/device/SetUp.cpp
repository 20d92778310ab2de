//===- SetUp.cpp - creates the nodes and threads of a run ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/SetUp.h"

#include "hw/tile/TileMath.h"

#include <algorithm>

namespace ttjit::hw {

namespace {

bool overlap(uint64_t begin, uint64_t end, uint64_t otherBegin, uint64_t otherEnd) {
  return otherBegin < end && begin < otherEnd;
}

// Ignores buffers that a tensor backs: the user lets them overlap on purpose.
bool sharesMemory(const Program &program, const BufferConfig &buffer) {
  return std::ranges::any_of(program.buffers, [&](const BufferConfig &other) {
    return &other != &buffer && !other.backing && !buffer.backing &&
           overlap(buffer.address, buffer.end(), other.address, other.end());
  });
}

} // namespace

bool SetUp::run() {
  makeNodes();
  makeBuffers();
  return makeThreads();
}

void SetUp::makeNodes() {
  machine.grid.makeNodes();
  std::span<Node> nodes = machine.grid.nodes();
  for (Node &node : nodes) {
    auto device = static_cast<size_t>(node.device);
    node.partition = machine.plan.inRounds ? &machine.partitions[device]
                                           : &machine.partitions.ofNode(node.number, nodes.size());
    node.turn = machine.plan.inRounds ? device + 1 : 0;
    node.isElsewhere = !workers[node.partition->number];
  }
}

bool SetUp::mayAlias(const BufferConfig &buffer) const {
  auto touches = [&](const L1Range &range) {
    return overlap(buffer.address, buffer.end(), range.address,
                   uint64_t(range.address) + range.bytes);
  };
  // Aliases need no lock, so only the host thread that runs a core may look at them.
  bool isAlone = machine.plan.numHostThreads == 1 || !program.reachesOtherCores;
  return machine.options.aliases && isAlone && !program.constantTensors.empty() &&
         !buffer.backing && !sharesMemory(program, buffer) &&
         std::ranges::none_of(program.ranges, touches);
}

void SetUp::makeBuffers() {
  std::span<Node> nodes = machine.grid.nodes();
  const uint32_t numBuffers = machine.index.numBuffers();
  size_t pagesPerNode = 0;
  std::vector<uint8_t> shares, aliasing;
  for (const BufferConfig &config : program.buffers) {
    pagesPerNode += config.numPages;
    shares.push_back(sharesMemory(program, config));
    aliasing.push_back(mayAlias(config));
  }
  bool someAlias = std::ranges::find(aliasing, 1) != aliasing.end();
  storage.buffers.assign(numBuffers * nodes.size(), CircularBuffer());
  storage.pagesWritten.assign(pagesPerNode * nodes.size(), 0);
  storage.acquisitions.assign(pagesPerNode * nodes.size(), Acquisition());
  storage.pageAliases.assign(pagesPerNode * nodes.size(), nullptr);

  const TileKernels &tiles = tileKernels(program.compute.numericsOn(machine.arch));
  uint8_t *written = storage.pagesWritten.data();
  Acquisition *acquisitions = storage.acquisitions.data();
  const uint8_t **aliases = storage.pageAliases.data();
  for (Node &node : nodes) {
    node.buffers = storage.buffers.data() + numBuffers * node.number;
    node.numBuffers = numBuffers;
    node.aliasingBuffers = someAlias ? numBuffers : 0;
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

bool SetUp::makeThreads() {
  if (!nodeMemories.makeRegisters())
    return false;
  machine.grid.makeThreads();
  for (Node &node : machine.grid.nodes()) {
    for (const ThreadConfig &config : program.threads)
      initThread(node, config);
    if (!machine.plan.nodeByNode && !nodeMemories.give(node))
      return false;
    for (ThreadContext *thread : node.threads)
      if (thread && !node.isElsewhere)
        node.partition->add(*thread);
  }
  return true;
}

void SetUp::initThread(Node &node, const ThreadConfig &config) {
  AgentId agent = node.number * kThreadsPerNode + static_cast<uint32_t>(config.processor);
  ThreadContext &thread = machine.grid.thread(agent);
  thread.machine = &machine;
  thread.worker = workers[node.partition->number].get();
  thread.partition = node.partition;
  thread.node = &node;
  thread.config = &config;
  thread.agent = agent;
  thread.quiet = !machine.listeners.areThere() && !machine.plan.actsAtEvents();
  thread.buffers = node.buffers;
  thread.numBuffers = node.numBuffers;
  thread.l1Bytes = static_cast<uint32_t>(machine.memories.l1Bytes());
  thread.processor = static_cast<uint8_t>(config.processor);
  thread.tiles = &tileKernels(program.compute.numericsOn(machine.arch));
  thread.x = node.x;
  thread.y = node.y;
  thread.commonArgs = config.commonArgs.data();
  thread.numCommonArgs = static_cast<uint32_t>(config.commonArgs.size());
  thread.nodeArgs = config.nodeArgs.data() + size_t(config.argsPerNode) * node.number;
  thread.numNodeArgs = config.argsPerNode;
  node.threads[thread.processor] = &thread;
  if (config.processor != Processor::Compute)
    return;
  thread.dstCapacity = nodeMemories.dstCapacity();
  thread.numSections = nodeMemories.dstSections();
}

} // namespace ttjit::hw
