//===- RunState.cpp - reads the state of a run --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RunState.h"

#include "hw/device/Machine.h"
#include "hw/device/PageAliases.h"

#include <cstring>

namespace ttjit::hw {

const Program &RunState::program() const { return machine.program; }

static ThreadView viewOf(const Machine &machine, const ThreadContext &thread) {
  ThreadView view;
  view.agent = thread.agent;
  view.node = {thread.x, thread.y};
  view.config = thread.config;
  view.state = thread.state;
  view.wait = thread.wait.kind;
  view.waitObject = thread.wait.object;
  view.waitNeeded = thread.wait.needed;
  view.location = machine.index.location(thread);
  return view;
}

std::vector<ThreadView> RunState::threads() const {
  std::vector<ThreadView> views;
  for (const Node &node : machine.grid.nodes())
    for (const ThreadContext *thread : node.threads)
      if (thread)
        views.push_back(viewOf(machine, *thread));
  return views;
}

const CircularBuffer *RunState::buffer(NodeCoord coord, uint32_t index) const {
  const Node *node = machine.grid.nodeAt(coord.x, coord.y);
  if (!node || index >= node->numBuffers || !node->buffers[index].numPages)
    return nullptr;
  return &node->buffers[index];
}

bool RunState::readL1(NodeCoord coord, uint32_t address, std::span<std::byte> to) const {
  Node *node = machine.grid.nodeAt(coord.x, coord.y);
  uint64_t end = machine.memories.l1Bytes();
  if (!node || address > end || to.size() > end - address)
    return false;
  settle(*node, address, to.size());
  std::memcpy(to.data(), node->memory.l1 + address, to.size());
  return true;
}

bool RunState::writeL1(NodeCoord coord, uint32_t address, std::span<const std::byte> from) const {
  Node *node = machine.grid.nodeAt(coord.x, coord.y);
  uint64_t end = machine.memories.l1Bytes();
  if (!node || address > end || from.size() > end - address)
    return false;
  settle(*node, address, from.size());
  std::memcpy(node->memory.l1 + address, from.data(), from.size());
  return true;
}

} // namespace ttjit::hw
