//===- RunPlan.h - how a run proceeds -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RUNPLAN_H
#define TTJIT_HW_DEVICE_RUNPLAN_H

#include "hw/device/Run.h"

namespace ttjit::hw {

/// How to run a program, as it follows from the program, the options and the policies.
struct RunPlan {
  RunPlan(const Program &program, const RunOptions &options, const DecisionSource &decisions);

  size_t numPartitions = 1;
  /// Whether a partition runs its nodes one after the other. No result shows the order, and the
  /// next node can use memory that is still in the host's cache.
  bool nodeByNode = false;
  /// Whether the devices of a mesh take turns (hw/device/Rounds.h), each with its own partition.
  bool inRounds = false;
  /// The number of host threads that run the partitions.
  size_t numHostThreads = 1;
  bool switchesAtEvents = false; ///< whether another thread may run after an event
  bool landsAtEvents = false;    ///< whether transfers may land after an event

  /// Returns whether, at an event, another thread may run or another transfer may land.
  bool actsAtEvents() const { return switchesAtEvents || landsAtEvents; }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RUNPLAN_H
