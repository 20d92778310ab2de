//===- Progress.cpp - where the threads of a run are on a card ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/Progress.h"

#include "tools/timing/Replay.h"

using namespace ttjit;
using namespace ttjit::timing;

std::vector<Progress> timing::progress(const Recording &recording, const hw::Program &program,
                                       const hw::ArchDesc &arch) {
  CostModel costs(arch, program.compute);
  ReplayResult replayed = Replay(recording, program, arch, costs, Assumptions()).run();
  std::vector<Progress> result;
  result.reserve(replayed.agents.size());
  for (const AgentTimes &times : replayed.agents) {
    Progress &each = result.emplace_back();
    each.cycle = times.end / hw::kTicksPerCycle;
    each.waited = times.waited / hw::kTicksPerCycle;
    for (size_t unit = 0; unit < each.units.size(); ++unit)
      each.units[unit] = times.lanes[unit] / hw::kTicksPerCycle;
  }
  return result;
}
