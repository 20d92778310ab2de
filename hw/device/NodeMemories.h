//===- NodeMemories.h - the memory of nodes while their threads run -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NODEMEMORIES_H
#define TTJIT_HW_DEVICE_NODEMEMORIES_H

#include "hw/device/Machine.h"
#include "hw/device/MachineStorage.h"

namespace ttjit::hw {

class NodeMemories {
public:
  NodeMemories(Machine &machine, MachineStorage &storage);

  /// Allocates the DST registers of all nodes. Returns false after recording a fault.
  bool makeRegisters();
  /// Gives memory to a node whose threads are about to start. Returns false after recording a
  /// fault.
  bool give(Node &node);
  /// Keeps the memory of `node`, whose threads have finished, for a node that starts later.
  void reuse(Node &node);

  uint32_t dstCapacity() const { return capacity; } ///< number of registers per section
  uint8_t dstSections() const { return sections; }

private:
  size_t registersPerNode() const { return static_cast<size_t>(capacity) * sections; }
  NodeMemory memoryFor(const Node &node);
  void initSemaphores(const Node &node);
  void initWords(const Node &node);

  Machine &machine;
  MachineStorage &storage;
  uint32_t capacity;
  uint8_t sections;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NODEMEMORIES_H
