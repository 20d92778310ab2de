//===- EventTimes.cpp - when the events of a run happen on a card -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/EventTimes.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;

static StepTimes inCycles(StepTimes times) {
  for (Ticks *each : {&times.start, &times.resume, &times.end, &times.idle})
    *each /= hw::kTicksPerCycle;
  return times;
}

namespace {
// For each lane of a thread, the end of its last step.
struct LaneEnds {
  std::array<Ticks, 3> ends{};

  Ticks last() const { return std::ranges::max(ends); }

  // Returns the times of a step. Operations are no events: they take time before the next event.
  StepTimes pass(StepTimes times, StepKind kind, bool computes) {
    if (kind == StepKind::Cost)
      return times;
    Ticks &end = ends[times.lane];
    if (computes && kind == StepKind::Pop) {
      times.resume = times.start;
      times.start = end;
    }
    end = times.end;
    return times;
  }
};
} // namespace

std::vector<StepTimes> timing::eventTimes(const Recording &recording, const hw::Program &program,
                                          const hw::ArchDesc &arch) {
  Assumptions assumptions;
  assumptions.keepsSteps = true;
  CostModel costs(arch, program.compute);
  ReplayResult replayed = Replay(recording, program, arch, costs, assumptions).run();
  std::vector<LaneEnds> lanes(recording.agents.size());
  std::vector<StepTimes> result;
  result.reserve(recording.events.size());
  for (const EventPlace &place : recording.events) {
    LaneEnds &lane = lanes[place.agent];
    StepTimes times{lane.last(), lane.last(), lane.last()};
    // If the replay stopped in the middle, later steps have no times.
    if (place.kind == EventPlace::Step && place.index < replayed.steps[place.agent].size())
      times = lane.pass(replayed.steps[place.agent][place.index],
                        recording.agents[place.agent][place.index].kind,
                        hw::Processor(place.agent % hw::kThreadsPerNode) == hw::Processor::Compute);
    else if (place.kind == EventPlace::Transfer)
      times = replayed.transfers[place.index];
    result.push_back(inCycles(times));
  }
  return result;
}
