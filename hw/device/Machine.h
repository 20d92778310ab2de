//===- Machine.h - what the workers of a run share ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// hw/device/Execution.h begins and ends a run, and hw/device/Worker.h runs the threads of a
// partition. The functions of the kernel API (hw/calls) use both files.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MACHINE_H
#define TTJIT_HW_DEVICE_MACHINE_H

#include "hw/device/EngineState.h"
#include "hw/device/Faults.h"
#include "hw/device/Grid.h"
#include "hw/device/Listeners.h"
#include "hw/device/Memories.h"
#include "hw/device/Partition.h"
#include "hw/device/ProgramIndex.h"
#include "hw/device/RunPlan.h"

namespace ttjit::hw {

/// The parts of a run that all its threads use. A part may use those that are declared before it.
struct Machine {
  Machine(const Program &program, const RunOptions &options, const RunPlan &plan,
          Memories &memories, const std::atomic<bool> &interrupted)
      : program(program), options(options), plan(plan), memories(memories), arch(memories.arch()),
        interrupted(interrupted), index(program, arch), grid(program, memories),
        listeners(options, memories, grid),
        partitions(plan.numPartitions, options.stepLimit, program.reachesOtherCores),
        faults(program, index, grid, listeners, partitions) {}

  /// Returns the memory of the node's device. `memories` is that of device 0, with the facts that
  /// are the same on all devices.
  Memories &memoriesOf(const Node &node) const { return memories.device(node.device); }

  bool interruptRequested() const { return interrupted.load(std::memory_order_relaxed); }

  const Program &program;
  const RunOptions &options;
  const RunPlan plan;
  Memories &memories;
  const ArchDesc &arch;
  const std::atomic<bool> &interrupted;
  const ProgramIndex index;
  Grid grid;
  Listeners listeners;
  Partitions partitions;
  Faults faults;
  std::unique_ptr<EngineState> engineState;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MACHINE_H
