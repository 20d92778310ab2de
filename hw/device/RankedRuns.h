//===- RankedRuns.h - runs that several ranks share -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RANKEDRUNS_H
#define TTJIT_HW_DEVICE_RANKEDRUNS_H

#include "hw/device/Run.h"
#include "hw/device/TensorAllocation.h"

#include <atomic>

namespace ttjit::hw {

class Memories;
struct MachineStorage;
struct PlacedTensor;

/// The parts of a device that a run uses.
struct RunPlace {
  Memories &memories;
  MachineStorage &storage;
  const std::atomic<bool> &interrupted;
};

/// Returns whether programs for several devices run on several ranks (hw/link/Ranks.h).
bool hasRanks();

/// Runs a program for several devices on all ranks. `decisions` makes the choices of this rank.
RunResult runOnRanks(const Program &program, const RunOptions &options, const RunPlace &place,
                     DecisionSource &decisions);

/// Returns whether the pages of a tensor stay in the memory of the rank that runs their device,
/// until the script reads them.
bool leavesPagesOnRanks();
/// Notes that only the rank of a device has the contents of the tensor there. The other ranks free
/// its memory. Returns whether this rank runs the device.
bool leavePages(Memories &memories, PlacedTensor &tensor, BufferType type, int device);
/// Copies the pages that leavePages() left from the ranks of their devices to all ranks. Each rank
/// must call it.
void gatherPages(Memories &memories, PlacedTensor &tensor, BufferType type);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKEDRUNS_H
