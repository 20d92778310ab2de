//===- Grid.h - the nodes of a run and their threads ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_GRID_H
#define TTJIT_HW_DEVICE_GRID_H

#include "hw/device/LandingQueues.h"
#include "hw/device/Memories.h"
#include "hw/device/Node.h"
#include "hw/device/Program.h"
#include "hw/device/ThreadContext.h"

namespace ttjit::hw {

class Grid {
public:
  Grid(const Program &program, Memories &memories)
      : queues(program), program(program), memories(memories) {}

  LandingQueues queues;

  /// Makes the nodes of the program, without memory and threads.
  void makeNodes();
  /// Makes a thread for each processor of each node. `config` stays null if no thread runs there.
  void makeThreads();

  std::span<Node> nodes() { return allNodes; }
  std::span<const Node> nodes() const { return allNodes; }
  /// The threads, indexed by AgentId. They never move.
  std::span<ThreadContext> threads() { return allThreads; }
  ThreadContext &thread(AgentId agent) { return allThreads[agent]; }

  /// Returns the node at these coordinates; null if no thread of the program runs there.
  Node *nodeAt(int x, int y);
  Node *nodeAtVirtual(int x, int y);
  /// Returns the host address of the L1 of any core of the chip or the grid; null if there is
  /// no such core.
  uint8_t *l1At(int x, int y);
  uint8_t *l1AtVirtual(int x, int y);

private:
  const Program &program;
  Memories &memories;
  std::vector<Node> allNodes;
  std::vector<ThreadContext> allThreads;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_GRID_H
