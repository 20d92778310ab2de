//===- RunPlan.h - how a run proceeds -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RUNPLAN_H
#define TTJIT_HW_DEVICE_RUNPLAN_H

#include "hw/device/Run.h"

namespace ttjit::hw {

/// What follows from a program, the options and the policies of its run.
struct RunPlan {
  RunPlan(const Program &program, const RunOptions &options, const DecisionSource &decisions);

  size_t numPartitions = 1;
  /// Whether a partition runs its nodes one after the other: nobody can see their order, and what
  /// one node has in its L1 is still in the host's cache when the next one needs memory.
  bool nodeByNode = false;
  /// Whether the devices of a mesh take turns (hw/device/Rounds.h). Each has a partition then.
  bool inRounds = false;
  /// The number of host threads that run the partitions.
  size_t numHostThreads = 1;
  bool switchesAtEvents = false; ///< whether another thread may run after an event
  bool landsAtEvents = false;    ///< whether transfers may land after an event

  /// Whether an event may change more than what it is about.
  bool actsAtEvents() const { return switchesAtEvents || landsAtEvents; }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RUNPLAN_H
