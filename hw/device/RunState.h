//===- RunState.h - reads the state of a run ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For listeners during an event, and for the owner of a paused run. No function changes what
// kernels see, except writeL1(), which is for debuggers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RUNSTATE_H
#define TTJIT_HW_DEVICE_RUNSTATE_H

#include "hw/device/Events.h"
#include "hw/device/ThreadPhase.h"

#include <span>
#include <vector>

namespace ttjit::hw {

struct Machine;
struct CircularBuffer;

/// One kernel thread.
struct ThreadView {
  AgentId agent = 0;
  NodeCoord node;
  const ThreadConfig *config = nullptr;
  ThreadPhase state = ThreadPhase::Starting;
  WaitKind wait = WaitKind::None; ///< what it waits for, if it is blocked
  uint32_t waitObject = 0;        ///< buffer index or L1 address
  uint32_t waitNeeded = 0;        ///< number of pages, or value of the semaphore
  SourceLocation location;        ///< of its last call of the device
};

class RunState {
public:
  explicit RunState(Machine &machine) : machine(machine) {}

  const Program &program() const;
  /// All threads of the program, those of each node together, in the order of the nodes.
  std::vector<ThreadView> threads() const;
  /// Returns null if the program has no such node, or if the node has no such buffer.
  const CircularBuffer *buffer(NodeCoord node, uint32_t index) const;
  /// Copies the bytes that kernels would read there. Returns false if the program does not run on
  /// this core, or if the range is not in its L1.
  bool readL1(NodeCoord node, uint32_t address, std::span<std::byte> to) const;
  /// Replaces bytes of L1. Listeners are not told. Returns false in the same cases as readL1().
  bool writeL1(NodeCoord node, uint32_t address, std::span<const std::byte> from) const;

private:
  Machine &machine;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RUNSTATE_H
