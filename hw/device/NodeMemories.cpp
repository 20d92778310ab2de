//===- NodeMemories.cpp - the memory of nodes while their threads run ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/NodeMemories.h"

#include "hw/device/HostMemory.h"
#include "hw/device/L1Word.h"

#include <fmt/format.h>

#include <cstring>

namespace ttjit::hw {

NodeMemories::NodeMemories(Machine &machine, MachineStorage &storage)
    : machine(machine), storage(storage) {
  const ComputeConfig &compute = machine.program.compute;
  capacity =
      static_cast<uint32_t>(machine.arch.dstCapacity(compute.fp32DestAccEn, compute.dstFullSyncEn));
  sections = compute.dstFullSyncEn ? 1 : 2;
}

bool NodeMemories::makeRegisters() {
  size_t registers = machine.grid.nodes().size() * registersPerNode();
  size_t bytes = registers * kDstTileElements * sizeof(float);
  if (!storage.dst.grow(bytes))
    return machine.faults.refuse(fmt::format("cannot map the DST registers of {} nodes: {}",
                                             machine.grid.nodes().size(),
                                             whyNoAddressSpace(bytes)));
  storage.dstWritten.assign(registers, 0);
  return true;
}

// Reads a word before it writes it: a page of L1 that is only read uses no memory of the host.
void NodeMemories::initSemaphores(const Node &node) {
  for (int id = 0; id < machine.arch.numSemaphores; ++id) {
    uint32_t value = 0;
    for (const SemaphoreConfig &semaphore : machine.program.semaphores)
      if (semaphore.id == id && semaphore.isOn(node.number))
        value = semaphore.initialValue;
    uint8_t *word = node.memory.l1 + machine.arch.semaphoreAddress(id);
    if (loadWord(word) != value)
      storeWord(word, value);
  }
}

void NodeMemories::initWords(const Node &node) {
  initSemaphores(node);
  for (const L1Range &range : machine.program.ranges)
    if (range.zeroed)
      std::memset(node.memory.l1 + range.address, 0, range.bytes);
}

// Returns the memory of a node of the partition that has ended, if there is one; otherwise that of
// the node's own core.
NodeMemory NodeMemories::memoryFor(const Node &node) {
  std::vector<NodeMemory> &unused = node.partition->unusedMemory;
  if (!unused.empty()) {
    NodeMemory memory = unused.back();
    unused.pop_back();
    std::memset(memory.dstWritten, 0, registersPerNode());
    return memory;
  }
  size_t first = node.number * registersPerNode();
  return {machine.memoriesOf(node).l1(node.x - node.firstColumn, node.y),
          reinterpret_cast<float *>(storage.dst.data()) + first * kDstTileElements,
          storage.dstWritten.data() + first};
}

bool NodeMemories::give(Node &node) {
  node.memory = memoryFor(node);
  if (!node.memory.l1)
    return machine.faults.refuse(fmt::format("cannot map the L1 of node {} of {}: {}", node.number,
                                             machine.grid.nodes().size(),
                                             whyNoAddressSpace(machine.memories.l1Bytes())));
  if (!node.isElsewhere)
    initWords(node);
  for (ThreadContext *thread : node.threads)
    if (thread)
      thread->l1 = node.memory.l1;
  if (ThreadContext *compute = node.threads[static_cast<size_t>(Processor::Compute)]) {
    compute->dst = node.memory.dst;
    compute->dstWritten = node.memory.dstWritten;
  }
  return true;
}

void NodeMemories::reuse(Node &node) {
  bool holdsTensors = machine.memories.lowestL1Tensor() < machine.arch.l1Bytes;
  if (machine.plan.nodeByNode && !holdsTensors && !node.partition->cancelled())
    node.partition->unusedMemory.push_back(node.memory);
}

} // namespace ttjit::hw
