//===- Replay.cpp - gives the steps of a recording their times ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/Replay.h"

#include <algorithm>
#include <utility>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

std::string_view timing::resourceName(Resource resource) {
  static constexpr std::string_view names[] = {
      "RISC-V calls",   "RISC-V arithmetic", "NoC latency",  "NoC bandwidth", "multicast set-up",
      "DRAM latency",   "DRAM bandwidth",    "unpacker",     "matrix engine", "vector engine",
      "packer",         "initialisation",    "DST sections", "handshakes",    "NoC links",
      "fabric latency", "fabric bandwidth"};
  static_assert(std::size(names) == kNumResources);
  return names[static_cast<size_t>(resource)];
}

Replay::Replay(const Recording &recording, const hw::Program &program, const hw::ArchDesc &arch,
               const CostModel &costs, Assumptions given)
    : recording(recording), program(program), arch(arch), costs(costs),
      assumptions(std::move(given)),
      map(costs.isBlackhole(), std::max(1, program.gridX / std::max(1, program.numDevices))),
      chips(recording.fabric, std::max(1, program.numDevices), costs), path(assumptions.keepsPath),
      agents(recording.agents.size()), changes(recording.previousChange.size()),
      resets(recording.resets.size()) {
  size_t nodes = agents.size() / hw::kThreadsPerNode;
  size_t numBanks = static_cast<size_t>(arch.dramBanks);
  size_t devices = static_cast<size_t>(std::max(1, program.numDevices));
  links.resize(devices * map.numLinks());
  fabric.resize(chips.numLinks());
  outs.resize((nodes + devices * size_t(arch.gridX * arch.gridY)) * 2);
  ins.resize(outs.size());
  banks.resize(numBanks * devices);
  streams.resize(agents.size() * numBanks);
  for (const std::string &text : recording.costTexts)
    operations.push_back(costs.read(text));
  result.agents.resize(agents.size());
  result.lines.resize(std::max<size_t>(1, program.locations.size()));
  result.bankBusy.resize(banks.size());
  if (assumptions.keepsSteps) {
    result.steps.resize(agents.size());
    result.transfers.resize(recording.transfers.size());
  }
  setUpBuffers();
  connectChips();
}

// Gives each node that sends to other chips its links.
void Replay::connectChips() {
  if (program.numDevices <= 1)
    return;
  for (hw::AgentId id = 0; id < agents.size(); ++id) {
    Endpoint core = coreOf(id);
    for (const Step &step : recording.agents[id]) {
      if (step.kind != StepKind::Write && step.kind != StepKind::Increment)
        continue;
      int to = deviceOf(placeOf(recording.transfers[step.object].destination, core));
      if (to != deviceOf(core))
        chips.connect(id / hw::kThreadsPerNode, deviceOf(core), to);
    }
  }
}

void Replay::setUpBuffers() {
  for (const hw::BufferConfig &buffer : program.buffers)
    numBuffers = std::max(numBuffers, size_t(buffer.index) + 1);
  size_t nodes = agents.size() / hw::kThreadsPerNode;
  buffers.resize(nodes * numBuffers);
  for (const hw::BufferConfig &buffer : program.buffers) {
    size_t index = size_t(buffer.index);
    int factor = index < assumptions.capacity.size() ? assumptions.capacity[index] : 1;
    for (size_t node = 0; node < nodes; ++node) {
      Buffer &state = buffers[node * numBuffers + index];
      state.pushed.resize(size_t(buffer.numPages) * size_t(factor));
      state.popped.resize(state.pushed.size());
    }
  }
}

Endpoint Replay::coreOf(hw::AgentId id) const {
  int node = static_cast<int>(id / hw::kThreadsPerNode);
  int columns = std::max(1, program.gridX);
  return {Endpoint::Core, static_cast<int16_t>(node % columns),
          static_cast<int16_t>(node / columns)};
}

// Adds the time for which a resource worked for a thread, at a position.
void Replay::busy(hw::AgentId id, Resource resource, uint32_t loc, Ticks ticks) {
  result.agents[id].busy[static_cast<size_t>(resource)] += ticks;
  if (loc < result.lines.size())
    result.lines[loc].busy[static_cast<size_t>(resource)] += ticks;
}

Instant Replay::take(hw::AgentId id, Instant moment, Resource resource, uint32_t loc, Ticks ticks) {
  ticks = scaled(resource, ticks);
  busy(id, resource, loc, ticks);
  return path.extend(moment, resource, loc, ticks);
}

//===--------------------------------------------------------------------------===//
// The main loop
//===--------------------------------------------------------------------------===//

// Returns whether the step uses a resource that other threads use, too.
bool Replay::isShared(const Step &step) const {
  return step.kind == StepKind::Read || step.kind == StepKind::Write ||
         step.kind == StepKind::Multicast || step.kind == StepKind::Increment;
}

// Executes steps until the thread must wait, or another thread comes first.
void Replay::runAgent(hw::AgentId id) {
  Agent &agent = agents[id];
  const std::vector<Step> &steps = recording.agents[id];
  while (agent.next < steps.size()) {
    const Step &next = steps[agent.next];
    if (isShared(next) && !ready.empty() && ready.top().first < agent.now.time)
      return ready.push({agent.now.time, id});
    if (!(assumptions.keepsSteps ? notedStep(id, next) : step(id, next)))
      return;
    ++agent.next;
  }
}

ReplayResult Replay::run() {
  for (hw::AgentId id = 0; id < agents.size(); ++id)
    if (!recording.agents[id].empty())
      ready.push({0, id});
  while (!ready.empty()) {
    hw::AgentId id = ready.top().second;
    ready.pop();
    runAgent(id);
  }
  finish(result);
  return std::move(result);
}

// Wakes an agent that waits, and sets `id` to none.
void Replay::wake(hw::AgentId &id, Ticks time) {
  if (id == kNone)
    return;
  ready.push({std::max(time, agents[id].now.time), id});
  id = kNone;
}

// Moves a clock to the moment that its thread waits for. Returns whether the thread had to wait.
bool Replay::wait(hw::AgentId id, Instant &clock, Instant moment, uint32_t loc) {
  if (moment.time <= clock.time)
    return false;
  Ticks waited = moment.time - clock.time;
  Agent &agent = agents[id];
  agent.waited[&clock == &agent.math ? 1 : &clock == &agent.pack ? 2 : 0] += waited;
  if (loc < result.lines.size())
    result.lines[loc].waited += waited;
  clock = moment;
  return true;
}

// Notes when a thread began and ended.
void Replay::markThread(hw::AgentId id) {
  const Agent &agent = agents[id];
  if (recording.agents[id].empty())
    return;
  std::array<Ticks, 3> ends{agent.now.time, agent.math.time, agent.pack.time};
  if (computes(id))
    ends[0] = agent.unpack.time;
  for (uint8_t lane = 0; lane < (computes(id) ? 3 : 1); ++lane)
    for (bool isEnd : {false, true})
      addMark(id, riscOf(id, lane), isEnd, kNone, isEnd ? ends[lane] : 0);
}

void Replay::finish(ReplayResult &all) {
  all.isComplete = true;
  Instant last;
  for (hw::AgentId id = 0; id < agents.size(); ++id) {
    const Agent &agent = agents[id];
    Instant end = later(later(agent.now, agent.unpack), later(agent.math, agent.pack));
    all.agents[id].end = end.time;
    all.agents[id].lanes = {agent.unpack.time, agent.math.time, agent.pack.time};
    markThread(id);
    all.agents[id].waited = std::ranges::max(agent.waited);
    all.isComplete &= agent.next == recording.agents[id].size();
    last = later(last, end);
  }
  all.end = last.time;
  std::map<std::pair<uint32_t, Resource>, Ticks> shares;
  path.walkBack(last, [&](const PathPiece &piece) {
    shares[{piece.loc, Resource(piece.resource)}] += piece.ticks;
  });
  for (const auto &[key, ticks] : shares)
    all.path.push_back({key.first, key.second, ticks});
  std::sort(all.path.begin(), all.path.end());
}

//===--------------------------------------------------------------------------===//
// Steps
//===--------------------------------------------------------------------------===//

// Returns the clock of the core that executes a call: the unpacker's core waits for pages and pops
// them, the packer's core reserves and pushes. Calls of sections are math's or the packer's.
Instant &Replay::clockOf(hw::AgentId id, StepKind kind) {
  Agent &agent = agents[id];
  if (!computes(id))
    return agent.now;
  return *std::array{&agent.unpack, &agent.math, &agent.pack}[laneOf(id, kind)];
}

uint8_t Replay::laneOf(hw::AgentId id, StepKind kind) {
  if (!computes(id))
    return 0;
  switch (kind) {
  case StepKind::Acquire:
  case StepKind::Commit:
    return 1;
  case StepKind::Reserve:
  case StepKind::Push:
  case StepKind::PackWait:
  case StepKind::Release:
    return 2;
  default:
    return 0;
  }
}

void Replay::noteTransfer(const Step &step, Ticks start, Ticks end) {
  if (assumptions.keepsSteps)
    result.transfers[step.object] = {start, start, end};
}

bool Replay::step(hw::AgentId id, const Step &step) {
  switch (step.kind) {
  case StepKind::Cost:
    charge(id, step);
    return true;
  case StepKind::Reserve:
    return reserve(id, step);
  case StepKind::Wait:
    return waitFor(id, step);
  case StepKind::Push:
  case StepKind::Pop:
    publish(id, step);
    return true;
  case StepKind::Read:
    read(id, step);
    return true;
  case StepKind::Write:
  case StepKind::Increment:
    write(id, step);
    return true;
  case StepKind::Multicast:
    multicast(id, step);
    return true;
  case StepKind::ReadBarrier:
  case StepKind::WriteBarrier:
  case StepKind::Flush:
  case StepKind::AtomicBarrier:
    barrier(id, step);
    return true;
  case StepKind::Mark:
    mark(id, step);
    return true;
  case StepKind::SemaphoreSet:
    agents[id].now =
        take(id, agents[id].now, Resource::Calls, step.loc, costs[TimeCost::SemaphoreSet]);
    setChange(step.object, agents[id].now);
    return true;
  case StepKind::SemaphoreWait:
    return waitForWord(id, step);
  case StepKind::Acquire:
  case StepKind::Commit:
  case StepKind::PackWait:
  case StepKind::Release:
    section(id, step);
    return true;
  case StepKind::ResetReached:
  case StepKind::ResetBuffer:
  case StepKind::ResetPassed:
    return passReset(id, step);
  }
  return true;
}

// Executes the step and notes its times.
bool Replay::notedStep(hw::AgentId id, const Step &next) {
  uint8_t lane = laneOf(id, next.kind);
  const Ticks &waited = agents[id].waited[lane];
  const Instant &clock = clockOf(id, next.kind);
  Ticks start = clock.time, before = waited;
  if (!step(id, next))
    return false;
  bool endsWork = computes(id) && (next.kind == StepKind::Commit || next.kind == StepKind::Pop);
  Ticks idle = endsWork ? std::exchange(agents[id].idle[lane], 0) : 0;
  result.steps[id].push_back({start, start + waited - before, clock.time, idle, lane});
  return true;
}

// Notes the begin or end of a zone for --device-csv.
void Replay::addMark(hw::AgentId id, uint8_t core, bool isEnd, uint32_t zone, Ticks time) {
  if (assumptions.keepsPath)
    result.marks.push_back({id, core, isEnd, zone, zone == kNone ? "" : recording.zones[zone],
                            map.positionOf(coreOf(id)), time, "", 0});
}

void Replay::addTraffic(hw::AgentId id, std::string_view type, Ticks time, const Endpoint &source,
                        const Endpoint &destination, const Endpoint &last, uint32_t bytes) {
  if (assumptions.keepsTraffic)
    result.nocEvents.push_back({time, id, nocOf(id), type, map.positionOf(source),
                                map.positionOf(destination), map.positionOf(last), bytes});
}

void Replay::mark(hw::AgentId id, const Step &step) {
  Agent &agent = agents[id];
  bool isCompute = computes(id);
  std::array<Ticks, 3> now{isCompute ? agent.unpack.time : agent.now.time, agent.math.time,
                           agent.pack.time};
  for (uint8_t lane = 0; lane < (isCompute ? 3 : 1); ++lane)
    addMark(id, riscOf(id, lane), step.count != 1, step.object, now[lane]);
  if (step.count == 1) {
    agent.begins[step.object] = now;
    return;
  }
  auto begin = agent.begins.find(step.object);
  if (begin == agent.begins.end())
    return;
  Ticks longest = 0;
  for (size_t lane = 0; lane < now.size(); ++lane)
    longest = std::max(longest, now[lane] - begin->second[lane]);
  agent.begins.erase(begin);
  ZoneTimes &zone = result.zones[{id, step.object}];
  ++zone.count;
  zone.total += longest;
  zone.longest = std::max(zone.longest, longest);
}

//===--------------------------------------------------------------------------===//
// Buffers
//===--------------------------------------------------------------------------===//

Replay::Buffer *Replay::bufferOf(hw::AgentId id, uint32_t index) {
  if (index >= numBuffers)
    return nullptr;
  Buffer &buffer = buffers[id / hw::kThreadsPerNode * numBuffers + index];
  return buffer.pushed.empty() ? nullptr : &buffer;
}

// Returns when the last of the `count` pages that follow the first `done` ones was pushed (popped).
static Instant pageMoment(const std::vector<Instant> &pages, uint64_t done, uint32_t count) {
  return count ? pages[(done + count - 1) % pages.size()] : Instant();
}

bool Replay::reserve(hw::AgentId id, const Step &step) {
  Buffer *buffer = bufferOf(id, step.object);
  if (!buffer)
    return true;
  if (buffer->numPushed - buffer->numPopped + step.count > buffer->pushed.size()) {
    buffer->producer = id;
    return false;
  }
  Instant &clock = clockOf(id, step.kind);
  clock = take(id, clock, Resource::Calls, step.loc, costs[TimeCost::BufferWait]);
  if (wait(id, clock, pageMoment(buffer->popped, buffer->numPushed, step.count), step.loc))
    clock = take(id, clock, Resource::Handshake, step.loc, costs[TimeCost::BufferVisible]);
  return true;
}

bool Replay::waitFor(hw::AgentId id, const Step &step) {
  Buffer *buffer = bufferOf(id, step.object);
  if (!buffer)
    return true;
  if (buffer->numPushed - buffer->numPopped < step.count) {
    buffer->consumer = id;
    return false;
  }
  Instant &clock = clockOf(id, step.kind);
  clock = take(id, clock, Resource::Calls, step.loc, costs[TimeCost::BufferWait]);
  if (wait(id, clock, pageMoment(buffer->pushed, buffer->numPopped, step.count), step.loc))
    clock = take(id, clock, Resource::Handshake, step.loc, costs[TimeCost::BufferVisible]);
  return true;
}

// Executes a push or a pop.
void Replay::publish(hw::AgentId id, const Step &step) {
  Instant &clock = clockOf(id, step.kind);
  clock = take(id, clock, Resource::Calls, step.loc, costs[TimeCost::BufferPush]);
  Buffer *buffer = bufferOf(id, step.object);
  if (!buffer)
    return;
  bool pushes = step.kind == StepKind::Push;
  std::vector<Instant> &pages = pushes ? buffer->pushed : buffer->popped;
  uint64_t &done = pushes ? buffer->numPushed : buffer->numPopped;
  for (uint32_t i = 0; i < step.count; ++i)
    pages[done++ % pages.size()] = clock;
  wake(pushes ? buffer->consumer : buffer->producer, clock.time);
}

//===--------------------------------------------------------------------------===//
// Words of L1
//===--------------------------------------------------------------------------===//

// Notes that a change has happened. Threads go on that waited for it, or for a later one.
void Replay::setChange(uint32_t index, Instant moment) {
  changes[index] = {.isKnown = true, .isSettled = false, .moment = moment};
  auto found = wordWaiters.find(index);
  if (found == wordWaiters.end())
    return;
  std::vector<WordWaiter> waiters = std::move(found->second);
  wordWaiters.erase(found);
  for (WordWaiter &waiter : waiters) {
    uint32_t missing = settle(waiter.wanted);
    if (missing == kNone)
      wake(waiter.agent, changes[waiter.wanted].moment.time);
    else
      wordWaiters[missing].push_back(waiter);
  }
}

// Sets the moment of a change to the latest moment of it and all earlier changes of the same word.
// Returns the first of these that has not happened; kNone if all have.
uint32_t Replay::settle(uint32_t index) {
  std::vector<uint32_t> chain;
  for (uint32_t at = index; at != kNone; at = recording.previousChange[at]) {
    if (!changes[at].isKnown)
      return at;
    chain.push_back(at);
    if (changes[at].isSettled)
      break;
  }
  for (size_t i = chain.size(); i-- > 0;) {
    Word &word = changes[chain[i]];
    if (i + 1 < chain.size())
      word.moment = later(word.moment, changes[chain[i + 1]].moment);
    word.isSettled = true;
  }
  return kNone;
}

bool Replay::waitForWord(hw::AgentId id, const Step &step) {
  Instant &clock = agents[id].now;
  uint32_t missing = step.object == kNone ? kNone : settle(step.object);
  if (missing != kNone) {
    wordWaiters[missing].push_back({step.object, id});
    return false;
  }
  Instant moment = step.object == kNone ? Instant() : changes[step.object].moment;
  clock = take(id, clock, Resource::Calls, step.loc, costs[TimeCost::SemaphoreSet]);
  if (wait(id, clock, moment, step.loc))
    clock = take(id, clock, Resource::Handshake, step.loc, costs[TimeCost::SemaphoreEnd]);
  return true;
}

//===--------------------------------------------------------------------------===//
// Resets
//===--------------------------------------------------------------------------===//

void Replay::wakeResets(uint32_t index) {
  std::vector<std::pair<uint32_t, hw::AgentId>> waiters = std::move(resetWaiters);
  resetWaiters.clear();
  for (auto [wanted, id] : waiters) {
    if (wanted == index)
      wake(id, 0);
    else
      resetWaiters.emplace_back(wanted, id);
  }
}

// Executes a reset, which all threads of the node reach. The thread that came last in the run
// empties the buffers; then all go on.
bool Replay::passReset(hw::AgentId id, const Step &step) {
  Agent &agent = agents[id];
  Instant now = later(later(agent.now, agent.unpack), later(agent.math, agent.pack));
  if (step.kind == StepKind::ResetReached) {
    Reset &reset = resets[step.object];
    reset.all = later(reset.all, now);
    ++reset.reached;
    wakeResets(step.object);
    return true;
  }
  uint32_t index = step.object;
  if (step.kind == StepKind::ResetBuffer) { // comes after a ResetReached or another ResetBuffer
    const std::vector<Step> &steps = recording.agents[id];
    size_t at = agent.next;
    while (steps[at].kind == StepKind::ResetBuffer)
      --at;
    index = steps[at].object;
  }
  Reset &reset = resets[index];
  bool isLast = recording.resets[index].last == id;
  if (isLast ? reset.reached < recording.resets[index].threads : !reset.isDone) {
    resetWaiters.emplace_back(index, id);
    return false;
  }
  if (step.kind == StepKind::ResetBuffer) {
    if (Buffer *buffer = bufferOf(id, step.object))
      buffer->numPopped = buffer->numPushed;
    return true;
  }
  agent.now = agent.unpack = agent.math = agent.pack = later(now, reset.all);
  if (isLast) {
    reset.isDone = true;
    wakeResets(index);
  }
  return true;
}
