//===- RaceCheck.cpp - finds uses of memory that nothing orders ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/RaceCheck.h"

#include "hw/device/NodeRanges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ttjit::hw::check {

void RaceCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  agents.clear();
  agents.resize(static_cast<size_t>(of.gridX) * of.gridY * kThreadsPerNode);
}

void RaceCheck::onEvent(const Event &event) {
  switch (event.kind) {
  case EventKind::Reserve:
  case EventKind::Push:
  case EventKind::Wait:
  case EventKind::Pop:
    return handOver(event);
  case EventKind::ResetReached:
  case EventKind::BufferReset:
  case EventKind::ResetPassed:
    return meet(event);
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
  case EventKind::MulticastLeg:
  case EventKind::SemaphoreIssued:
    return issue(event);
  case EventKind::ReadBarrier:
  case EventKind::WriteBarrier:
  case EventKind::WritesFlushed:
    return finishTransfers(event);
  case EventKind::WordChanged:
    changed.push_back(
        {{event.destination.x, event.destination.y, event.destination.address}, event.count});
    return;
  case EventKind::TransferLanded:
    return land(event);
  case EventKind::SemaphoreSet:
  case EventKind::SemaphoreWait:
    return useWord(event);
  case EventKind::Access:
    return access(event);
  default:
    return;
  }
}

// Returns the epoch of a release, and begins the thread's next time: who acquires the release is
// ordered after all that the thread has done before, and after nothing that it does later.
Epoch RaceCheck::release(const Event &event) {
  Agent &agent = agents[event.agent];
  return {agent.clock.shared(), {{{event.agent, agent.time++}, {}}}};
}

RaceCheck::Ring &RaceCheck::ringOf(const Event &event) {
  Ring &ring = rings[{event.agent / kThreadsPerNode, event.object}];
  if (!ring.pages)
    for (const BufferConfig &buffer : program->buffers)
      if (static_cast<uint64_t>(buffer.index) == event.object)
        ring.pages = buffer.numPages;
  return ring;
}

// The counts of Wait and Reserve begin at the oldest page that is not popped, or not pushed.
void RaceCheck::handOver(const Event &event) {
  Ring &ring = ringOf(event);
  Agent &agent = agents[event.agent];
  switch (event.kind) {
  case EventKind::Wait:
    return ring.pushes.acquire(ring.popped + event.count, agent.clock);
  case EventKind::Reserve:
    if (uint64_t end = ring.pushed + event.count; end > ring.pages)
      ring.pops.acquire(end - ring.pages, agent.clock);
    return;
  case EventKind::Push:
    return ring.pushes.add(ring.pushed += event.count, release(event));
  default:
    return ring.pops.add(ring.popped += event.count, release(event));
  }
}

// A reset is a release and an acquire of every thread of a node. The thread that comes last resets
// the buffers between the two.
void RaceCheck::meet(const Event &event) {
  Releases &meeting = meetings[event.agent / kThreadsPerNode];
  if (event.kind == EventKind::ResetReached)
    return meeting.add(0, release(event));
  if (event.kind == EventKind::ResetPassed)
    return meeting.acquireAll(agents[event.agent].clock);
  Ring &ring = ringOf(event);
  uint64_t pages = std::max(1u, ring.pages);
  ring.pushed = ring.popped = (std::max(ring.pushed, ring.popped) / pages + 1) * pages;
}

void RaceCheck::useWord(const Event &event) {
  Releases &word = words[{event.node.x, event.node.y, static_cast<uint32_t>(event.object)}];
  if (event.kind == EventKind::SemaphoreSet)
    word.add(event.count, release(event));
  else
    word.acquire(event.count, agents[event.agent].clock);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

// Whether the transfer changes one word of L1, which others may wait for.
static bool isSignal(const Event &event) {
  return event.kind == EventKind::SemaphoreIssued ||
         (event.kind != EventKind::ReadIssued && event.destination.memory == MemoryPlace::L1 &&
          event.destination.bytes == sizeof(uint32_t));
}

// Four lanes hide the time of the multiplications. The prime is that of 64-bit FNV-1a.
static uint64_t hashOf(const char *data, uint32_t bytes) {
  constexpr uint64_t prime = 0x100000001b3;
  std::array<uint64_t, 4> lanes{1, 2, 3, 4}, words;
  for (; bytes >= sizeof(words); bytes -= sizeof(words), data += sizeof(words)) {
    std::memcpy(words.data(), data, sizeof(words));
    for (size_t i = 0; i < lanes.size(); ++i)
      lanes[i] = std::rotl((lanes[i] ^ words[i]) * prime, 29);
  }
  words = {};
  std::memcpy(words.data(), data, bytes);
  uint64_t hash = bytes;
  for (size_t i = 0; i < lanes.size(); ++i)
    hash = ((std::rotl(hash, 17) ^ lanes[i]) * prime ^ words[i]) * prime;
  return hash;
}

// Returns the transfer of an event of its issue, or of a leg.
Shared<TransferState> RaceCheck::transferOf(const Event &event) {
  if (event.kind == EventKind::MulticastLeg)
    return issued[event.object];
  Agent &agent = agents[event.agent];
  auto transfer = boost::make_local_shared<TransferState>(
      TransferState{event.agent, event.kind, agent.time, event.loc, event.transferId, event.stream,
                    release(event)});
  if (!isSignal(event))
    agent.inFlight.push_back(transfer);
  if (isSignal(event) || event.kind == EventKind::MulticastIssued)
    issued[event.object] = transfer;
  return transfer;
}

void RaceCheck::issue(const Event &event) {
  bool isLeg = event.kind == EventKind::MulticastLeg;
  Shared<TransferState> transfer = transferOf(event);
  if (isSignal(event)) {
    if (!isLeg)
      signal(event, *transfer);
    return;
  }
  Use part{event.agent, event.node, transfer->issued, event.loc, false, true, transfer};
  if (!isLeg)
    use(event, event.source, part);
  part.writes = true;
  part.isSource = false;
  if (event.data) {
    part.address = event.destination.address;
    part.bytes = event.destination.bytes;
    part.hash = hashOf(event.data, part.bytes);
  }
  if (event.kind != EventKind::MulticastIssued) // its legs write
    use(event, event.destination, part);
}

// Who receives the signal knows that earlier transfers of its stream have landed.
void RaceCheck::signal(const Event &event, TransferState &transfer) {
  Agent &agent = agents[event.agent];
  transfer.epoch.own[1] = {signalsOf(event.agent), ++agent.signals};
  for (const auto &earlier : agent.inFlight)
    if (event.stream && earlier->stream == event.stream && !earlier->signal)
      earlier->signal = agent.signals;
}

void RaceCheck::land(const Event &event) {
  auto it = issued.find(event.object);
  if (it == issued.end())
    return changed.clear();
  for (auto &[word, value] : changed)
    words[word].add(value, it->second->epoch);
  changed.clear();
  issued.erase(it);
}

// A barrier tells its thread that its transfers are over; a flush, that writes have read their
// sources.
void RaceCheck::finishTransfers(const Event &event) {
  Agent &agent = agents[event.agent];
  ++agent.time;
  bool ofReads = event.kind == EventKind::ReadBarrier;
  for (const auto &transfer : agent.inFlight) {
    bool isRead = transfer->kind == EventKind::ReadIssued;
    if (isRead != ofReads || (event.object != kAllIds && event.object != transfer->id))
      continue;
    if (!transfer->sourceRead)
      transfer->sourceRead = agent.time;
    if (event.kind != EventKind::WritesFlushed)
      transfer->landed = agent.time;
  }
  std::erase_if(agent.inFlight, [](const auto &transfer) { return transfer->landed != 0; });
}

//===--------------------------------------------------------------------------===//
// Uses of memory
//===--------------------------------------------------------------------------===//

void RaceCheck::access(const Event &event) {
  bool writes = static_cast<bool>(event.destination);
  const MemoryPlace &place = writes ? event.destination : event.source;
  bool isWord = place.bytes == sizeof(uint32_t);
  auto it = isWord ? words.find({place.x, place.y, place.address}) : words.end();
  if (it != words.end()) {
    if (writes)
      it->second.add(0, release(event));
    else
      it->second.acquireAll(agents[event.agent].clock);
    return;
  }
  use(event, place,
      {event.agent, event.node, agents[event.agent].time, event.loc, writes, false, {}});
}

// Returns whether payloads that arrive at this place are queued, so that none overwrites another.
bool RaceCheck::isQueued(const MemoryPlace &place) const {
  return place.memory == MemoryPlace::L1 &&
         std::ranges::any_of(program->ranges, [&](const L1Range &range) {
           return range.isQueued && place.address >= range.address &&
                  place.address - range.address < range.bytes;
         });
}

void RaceCheck::use(const Event &event, const MemoryPlace &place, const Use &use) {
  if (!place || isQueued(place))
    return;
  memory.add(
      place, use, [&](const Use &earlier) { return isBefore(earlier, use); },
      [&](const Use &earlier) { report(earlier, use, place); });
}

// Returns up to which time the later use knows of an agent.
uint32_t RaceCheck::timeOf(const Use &later, ClockIndex index) const {
  if (!later.transfer)
    return agents[later.thread].clock.of(index);
  const Epoch &epoch = later.transfer->epoch;
  return epoch.known->of(index);
}

bool RaceCheck::knows(const Use &later, AgentId thread, uint32_t time) const {
  return time <= (thread == later.thread ? later.time : timeOf(later, thread));
}

bool RaceCheck::isBefore(const Use &earlier, const Use &later) const {
  if (!earlier.transfer)
    return knows(later, earlier.thread, earlier.time);
  const TransferState &transfer = *earlier.transfer;
  uint32_t over = earlier.isSource ? transfer.sourceRead : transfer.landed;
  if (over && knows(later, transfer.thread, over))
    return true;
  if (transfer.signal && timeOf(later, signalsOf(transfer.thread)) >= transfer.signal)
    return true;
  return later.transfer && later.thread == transfer.thread && transfer.stream &&
         later.transfer->stream == transfer.stream;
}

//===--------------------------------------------------------------------------===//
// Reports
//===--------------------------------------------------------------------------===//

static const char *verb(const Use &use) { return use.writes ? "writes" : "reads"; }

static bool writeEqualBytes(const Use &a, const Use &b) {
  return a.writes && b.writes && a.bytes && a.address == b.address && a.bytes == b.bytes &&
         a.hash == b.hash;
}

std::string RaceCheck::whatIsMissing(const Use &earlier, const Use &later) const {
  int line = names.location(earlier.loc).line;
  if (earlier.thread == later.thread)
    return fmt::format("the copy issued at line {} is still in flight: wait for it before line {}",
                       line, names.location(later.loc).line);
  if (earlier.transfer && timeOf(later, earlier.thread) > earlier.transfer->issued)
    return fmt::format("{} issued the copy at line {} before it signalled to {}, but did not wait "
                       "for it: wait before the signal",
                       names.ofThread(earlier.thread, earlier.node), line,
                       names.ofThread(later.thread, later.node));
  if (earlier.thread / kThreadsPerNode == later.thread / kThreadsPerNode)
    return "nothing makes one thread wait for the other: a dataflow buffer or a semaphore can";
  return "nothing makes one node wait for the other: a pipe or a semaphore can, or each node may "
         "use pages of its own";
}

void RaceCheck::report(const Use &earlier, const Use &later, const MemoryPlace &place) {
  if (writeEqualBytes(earlier, later) || found.size() == kMaxFindings ||
      !reported.insert(std::minmax(earlier.loc, later.loc)).second)
    return;
  std::string who = names.ofThread(later.thread, later.node);
  std::string other = names.ofThread(earlier.thread, earlier.node);
  Fault &fault = found.emplace_back();
  fault.kind = FaultKind::DataRace;
  fault.message = fmt::format("race on {}: {} {} it, and {} {} it; nothing orders the two",
                              names.of(place), who, verb(later), other, verb(earlier));
  fault.location = names.location(later.loc);
  fault.node = nodeOfDevice(*program, later.node.x, later.node.y);
  if (const ThreadConfig *thread = names.configOf(later.thread))
    fault.thread = thread->name;
  fault.notes = {{fmt::format("{} {} it", other, verb(earlier)), names.location(earlier.loc)},
                 {whatIsMissing(earlier, later), {}}};
}

} // namespace ttjit::hw::check
