//===- SetUp.h - creates the nodes and threads of a run -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_SETUP_H
#define TTJIT_HW_DEVICE_SETUP_H

#include "hw/device/MachineStorage.h"
#include "hw/device/NodeMemories.h"
#include "hw/device/Worker.h"

namespace ttjit::hw {

/// Creates the nodes, threads and workers of a program that ProgramCheck has accepted.
class SetUp {
public:
  using Workers = std::vector<std::unique_ptr<Worker>>;

  SetUp(Machine &machine, MachineStorage &storage, NodeMemories &nodeMemories, Workers &workers)
      : machine(machine), program(machine.program), storage(storage), nodeMemories(nodeMemories),
        workers(workers) {}

  /// Creates them. Returns false after recording a fault.
  bool run();

private:
  void makeNodes();
  bool mayAlias(const BufferConfig &buffer) const;
  void makeBuffers();
  bool makeThreads();
  void initThread(Node &node, const ThreadConfig &config);

  Machine &machine;
  const Program &program;
  MachineStorage &storage;
  NodeMemories &nodeMemories;
  Workers &workers;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_SETUP_H
