//===- Lanes.cpp - the three lanes of a compute thread ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The unpacker may be two pairs of operands ahead of math. Math fills one half of the DST
// registers while the packer empties the other; without halves, one waits for the other. The
// packer begins when math has committed its section.
//===--------------------------------------------------------------------------===//

#include "tools/timing/Replay.h"

#include <algorithm>
#include <optional>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

void Replay::section(hw::AgentId id, const Step &step) {
  Agent &agent = agents[id];
  bool isWhole = program.compute.dstFullSyncEn && !agent.accumulates; // S2 mb2_full_sync
  size_t halves = isWhole || !assumptions.hasOverlap ? 1 : 2;
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

// Moves the clock of the unpacker (0) or of math (1) to the moment at which the other lane has
// finished its part, and counts the wait.
void Replay::follow(Agent &agent, size_t lane, Instant moment) {
  Instant &clock = lane == 0 ? agent.unpack : agent.math;
  agent.idle[lane] += std::max<Ticks>(0, moment.time - clock.time);
  clock = later(clock, moment);
}

// Runs one operation on the units.
void Replay::operate(hw::AgentId id, const OpCost &cost, uint32_t loc) {
  Agent &agent = agents[id];
  auto resource = [&](Resource unit) { return cost.isInit ? Resource::Init : unit; };
  bool hasOperands = cost.unpack > 0 && !cost.isInit;
  if (hasOperands && agent.numOperands >= 2)
    follow(agent, 0, agent.operands[agent.numOperands % 2]);
  if (cost.unpack > 0)
    agent.unpack = take(id, agent.unpack, resource(Resource::Unpack), loc, cost.unpack);
  if (hasOperands)
    follow(agent, 1, agent.unpack);
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

// The clocks of a thread that a product or a copy changes. They are sums and maxima. So once an
// operation moves all of them by the same time, each further operation like it does, too.
struct Replay::LaneClocks {
  std::array<Instant *, 4> clocks;

  explicit LaneClocks(Agent &agent)
      : clocks{&agent.unpack, &agent.math, &agent.operands[agent.numOperands % 2],
               &agent.operands[(agent.numOperands + 1) % 2]} {}
  std::array<Ticks, 4> times() const {
    return {clocks[0]->time, clocks[1]->time, clocks[2]->time, clocks[3]->time};
  }
};

// Returns by how much all clocks moved; nothing if they moved differently.
static std::optional<Ticks> commonMove(const std::array<Ticks, 4> &from,
                                       const std::array<Ticks, 4> &to) {
  Ticks move = to[0] - from[0];
  for (size_t i = 1; i < from.size(); ++i)
    if (to[i] - from[i] != move)
      return std::nullopt;
  return move;
}

// Runs an operation `count` more times. Each run moves all clocks by `move`.
void Replay::repeat(hw::AgentId id, const OpCost &cost, uint32_t loc, uint32_t count, Ticks move) {
  Agent &agent = agents[id];
  Ticks unpack = scaled(Resource::Unpack, cost.unpack);
  Ticks math = scaled(Resource::Matrix, cost.math);
  Resource slowest = unpack > math ? Resource::Unpack : Resource::Matrix;
  for (Instant *clock : LaneClocks(agent).clocks)
    *clock = path.extend(*clock, slowest, loc, count * move);
  busy(id, Resource::Unpack, loc, count * unpack);
  busy(id, Resource::Matrix, loc, count * math);
  agent.idle[0] += count * (move - unpack);
  agent.idle[1] += count * (move - math);
  agent.numOperands += count;
  if (count % 2) // each operation swaps the two clocks
    std::swap(agent.operands[0], agent.operands[1]);
}

// Runs equal operations. If there are many, multiplies the time of most of them.
void Replay::operateMany(hw::AgentId id, const OpCost &cost, uint32_t loc) {
  constexpr uint32_t kLast = 2; // run the last two one by one: they set the causes of the clocks
  bool mayRepeat = cost.unpack > 0 && cost.math > 0 && cost.pack == 0 && !cost.isInit;
  for (uint32_t left = cost.count; left > 0;) {
    std::array<Ticks, 4> before = LaneClocks(agents[id]).times();
    operate(id, cost, loc);
    --left;
    if (!mayRepeat || left <= kLast + 1)
      continue;
    if (std::optional<Ticks> move = commonMove(before, LaneClocks(agents[id]).times())) {
      repeat(id, cost, loc, left - kLast, *move);
      left = kLast;
      mayRepeat = false;
    }
  }
}

void Replay::charge(hw::AgentId id, const Step &step) {
  for (const OpCost &cost : operations[step.object]) {
    if (!computes(id)) {
      agents[id].now =
          take(id, agents[id].now, Resource::Scalars, step.loc, cost.scalar * cost.count);
      continue;
    }
    operateMany(id, cost, step.loc);
    bool isProduct = !cost.isVector && cost.flops > 1024;
    (isProduct ? result.productFlops : result.otherFlops) += cost.flops * cost.count;
  }
}
