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

/// What a run needs of its device.
struct RunPlace {
  Memories &memories;
  MachineStorage &storage;
  const std::atomic<bool> &interrupted;
};

/// Whether programs for several devices run on several ranks (hw/link/Ranks.h).
bool hasRanks();

/// Runs a program for several devices on all ranks. `decisions` makes the choices of this rank.
RunResult runOnRanks(const Program &program, const RunOptions &options, const RunPlace &place,
                     DecisionSource &decisions);

/// Whether the pages of a tensor are in the memory of their device's rank alone, unless the script
/// reads them.
bool leavesPagesOnRanks();
/// Notes that only the rank of a device has what the tensor has there. Other ranks have no memory
/// for it then. Returns whether this rank is that one.
bool leavePages(Memories &memories, PlacedTensor &tensor, BufferType type, int device);
/// Copies such pages of a tensor from the ranks of their devices to all ranks, each of which must
/// call this.
void gatherPages(Memories &memories, PlacedTensor &tensor, BufferType type);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKEDRUNS_H
