//===- Lanes.cpp - the three lanes of a compute thread ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The unpacker may be two pairs of operands ahead of math. Math fills one half of the DST
// registers while the packer empties the other; without halves, one waits for the other. The
// packer begins when math has committed its section.
//===--------------------------------------------------------------------------===//

#include "tools/timing/Replay.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

void Replay::section(hw::AgentId id, const Step &step) {
  Agent &agent = agents[id];
  size_t halves = program.compute.dstFullSyncEn || !assumptions.hasOverlap ? 1 : 2;
  Ticks math = costs[TimeCost::SectionMath], pack = costs[TimeCost::SectionPack];
  switch (step.kind) {
  case StepKind::Acquire:
    wait(id, agent.math, agent.releases[agent.numSections % halves], step.loc);
    agent.math = take(id, agent.math, Resource::Sections, step.loc, math);
    return;
  case StepKind::Commit:
    agent.math = take(id, agent.math, Resource::Sections, step.loc, math);
    agent.commit = agent.math;
    return;
  case StepKind::PackWait:
    wait(id, agent.pack, agent.commit, step.loc);
    agent.pack = take(id, agent.pack, Resource::Sections, step.loc, pack);
    return;
  default:
    agent.pack = take(id, agent.pack, Resource::Sections, step.loc, pack);
    agent.releases[agent.numSections++ % halves] = agent.pack;
    return;
  }
}

// Runs one operation on the units.
void Replay::operate(hw::AgentId id, const OpCost &cost, uint32_t loc) {
  Agent &agent = agents[id];
  auto resource = [&](Resource unit) { return cost.isInit ? Resource::Init : unit; };
  bool hasOperands = cost.unpack > 0 && !cost.isInit;
  if (hasOperands && agent.numOperands >= 2)
    agent.unpack = later(agent.unpack, agent.operands[agent.numOperands % 2]);
  if (cost.unpack > 0)
    agent.unpack = take(id, agent.unpack, resource(Resource::Unpack), loc, cost.unpack);
  if (hasOperands)
    agent.math = later(agent.math, agent.unpack);
  if (cost.math > 0)
    agent.math = take(id, agent.math, resource(cost.isVector ? Resource::Vector : Resource::Matrix),
                      loc, cost.math);
  if (hasOperands)
    agent.operands[agent.numOperands++ % 2] = agent.math;
  agent.accumulates = cost.accumulates.value_or(agent.accumulates);
  Ticks pack = cost.pack;
  if (agent.accumulates && !cost.isInit)
    pack = std::max(pack, costs[TimeCost::PackAccumulate]);
  if (cost.pack > 0)
    agent.pack = take(id, agent.pack, resource(Resource::Pack), loc, pack);
}

void Replay::charge(hw::AgentId id, const Step &step) {
  for (const OpCost &cost : operations[step.object]) {
    if (!computes(id)) {
      agents[id].now =
          take(id, agents[id].now, Resource::Scalars, step.loc, cost.scalar * cost.count);
      continue;
    }
    for (uint32_t i = 0; i < cost.count; ++i)
      operate(id, cost, step.loc);
    bool isProduct = !cost.isVector && cost.flops > 1024;
    (isProduct ? result.productFlops : result.otherFlops) += cost.flops * cost.count;
  }
}
