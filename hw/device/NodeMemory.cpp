//===- NodeMemory.cpp - the memory of a node while its threads run --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/HostMemory.h"
#include "hw/device/L1Word.h"
#include "hw/device/Machine.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace ttjit::hw {

/// Reads before it writes: a page of L1 that is only read takes no memory of the host.
void Machine::initSemaphores(const Node &node) {
  for (int id = 0; id < arch.numSemaphores; ++id) {
    uint32_t value = 0;
    for (const SemaphoreConfig &semaphore : program.semaphores)
      if (semaphore.id == id && semaphore.isOn(node.number))
        value = semaphore.initialValue;
    uint8_t *word = node.memory.l1 + arch.semaphoreAddress(id);
    if (loadWord(word) != value)
      storeWord(word, value);
  }
}

/// Returns the memory of another node of the partition that has ended, else that of the node's own
/// core.
NodeMemory Machine::memoryFor(const Node &node) {
  std::vector<NodeMemory> &unused = node.partition->unusedMemory;
  if (!unused.empty()) {
    NodeMemory memory = unused.back();
    unused.pop_back();
    std::memset(memory.dstWritten, 0, registersPerNode());
    return memory;
  }
  size_t first = node.number * registersPerNode();
  return {memories.l1(node.x, node.y),
          reinterpret_cast<float *>(storage.dst.data()) + first * kDstTileElements,
          storage.dstWritten.data() + first};
}

bool Machine::giveMemory(Node &node) {
  node.memory = memoryFor(node);
  if (!node.memory.l1)
    return refuse(FaultKind::Resource,
                  fmt::format("cannot map the L1 of node {} of {}: {}", node.number, nodes.size(),
                              whyNoAddressSpace(memories.l1Bytes())));
  initSemaphores(node);
  for (const L1Range &range : program.ranges)
    if (range.zeroed)
      std::memset(node.memory.l1 + range.address, 0, range.bytes);
  for (ThreadContext *thread : node.threads)
    if (thread)
      thread->l1 = node.memory.l1;
  if (ThreadContext *compute = node.threads[static_cast<size_t>(Processor::Compute)]) {
    compute->dst = node.memory.dst;
    compute->dstWritten = node.memory.dstWritten;
  }
  return true;
}

void Machine::reuseMemory(Node &node) {
  bool holdsTensors = memories.lowestL1Tensor() < arch.l1Bytes;
  if (nodeByNode && !holdsTensors && !node.partition->cancelled())
    node.partition->unusedMemory.push_back(node.memory);
}

} // namespace ttjit::hw
