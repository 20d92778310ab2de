//===- Estimate.h - how long a kernel takes on a card, and why ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_ESTIMATE_H
#define TTJIT_TOOLS_TIMING_ESTIMATE_H

#include "tools/timing/Replay.h"

#include <optional>

namespace ttjit::timing {

/// One thread of the kernel, with the times of the node on which it is slowest.
struct ThreadEstimate {
  std::string name;
  hw::NodeCoord node; ///< where the thread ends last
  Ticks end = 0, waited = 0;
  std::array<Ticks, kNumResources> busy{};
};

/// A line of the source. `path` is the part of the critical path that the line takes.
struct LineEstimate {
  std::string file;
  int line = 0;
  Ticks path = 0, waited = 0; ///< `waited` and `busy`: sums over all nodes
  std::array<Ticks, kNumResources> busy{}, pathOf{};
};

/// A zone between signposts, on one node.
struct ZoneEstimate {
  std::string name, thread;
  hw::NodeCoord node;
  ZoneTimes times;
};

/// A change of the kernel or of the chip, and the time that it is predicted to have.
struct WhatIf {
  std::string change;
  Ticks cycles = 0;
  int64_t l1Bytes = 0;          ///< that it needs more, of each core
  std::optional<Resource> free; ///< the resource that takes no time; empty: a change of a buffer
  std::string buffer;           ///< whose block_count changes
  unsigned blockCount = 0;
  bool isRun = false; ///< whether it was found by another run, not by a replay
  std::string why;    ///< why the change is not possible; empty: it is
};

struct Estimate {
  std::string kernel, arch;
  int numNodes = 1, numDevices = 1;
  double clockMHz = 0;
  bool isWhole = true;                                ///< whether it has more than the cycles
  Ticks cycles = 0, lower = 0, upper = 0, launch = 0; ///< `launch` is part of the others
  std::vector<ThreadEstimate> threads;
  std::vector<LineEstimate> lines; ///< the largest part of the critical path first
  std::array<Ticks, kNumResources> path{};
  /// For each resource, the largest share of the time for which a core or bank keeps it busy.
  std::array<double, kNumResources> utilisation{};
  std::vector<ZoneEstimate> zones;
  std::vector<WhatIf> whatIfs; ///< the fastest first; at the end those that are not possible
  std::string tuneCommand;     ///< tries all combinations of the changes that were run
  uint64_t l1Bytes = 0;        ///< of the buffers of a core
  Traffic traffic;
  uint64_t productFlops = 0, otherFlops = 0;
  double peakGBs = 0, peakTFlops = 0;
  std::vector<ZoneMark> marks;     ///< begins and ends of zones, and of threads
  std::vector<NocEvent> nocEvents; ///< transfers and barriers
  std::vector<std::string> notModelled;
  std::string why;    ///< why the bounds are as far apart as they are
  std::string advice; ///< one sentence
  size_t numSteps = 0;
  std::string failure; ///< why there is no estimate; empty if there is one

  double microseconds(Ticks ticks) const {
    return static_cast<double>(ticks) / hw::kTicksPerCycle / clockMHz;
  }
};

/// Returns the report for the user. Its first line is the advice.
std::string renderText(const Estimate &estimate);

/// Returns the estimate as a JSON object.
std::string renderJson(const Estimate &estimate);

/// Returns the zones in the form of the card profiler's CSV (docs/timing.md).
std::string renderProfile(const std::vector<Estimate> &estimates);

/// Returns the transfers and barriers in the form of a NoC trace. A trace is of one chip. In it,
/// each kernel starts when the previous one has ended.
std::string renderNocTrace(const std::vector<Estimate> &estimates);

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_ESTIMATE_H
