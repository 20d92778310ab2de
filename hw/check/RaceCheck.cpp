//===- RaceCheck.cpp - finds uses of memory that nothing orders ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/check/RaceCheck.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ttjit::hw::check {

void RaceCheck::onRunStart(const Program &of) {
  program = &of;
  names.setProgram(of);
  slices.start(of);
  agents.clear();
  cores.clear();
  cores.resize(static_cast<size_t>(of.gridX) * static_cast<size_t>(of.gridY));
  agents.resize(cores.size() * kThreadsPerNode);
  numIndices = static_cast<ClockIndex>(agents.size());
  ofUser.clear();
  for (const SemaphoreConfig &semaphore : of.semaphores)
    if (!of.isOfPipe(semaphore))
      ofUser.push_back(&semaphore);
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

// Returns the epoch of a release, and begins the next time: who acquires the release is ordered
// after all that the thread has done before, and after nothing that it does later.
Epoch RaceCheck::release(const Event &event) {
  return {agents[event.agent].clock.shared(), {++releases, event.agent}};
}

// Returns the value of a key in a vector by ascending key, and adds it if it is not there.
template <typename Key, typename Value>
static Value &entryOf(std::vector<std::pair<Key, Value>> &entries, const Key &key) {
  auto it = std::ranges::lower_bound(entries, key, {}, &std::pair<Key, Value>::first);
  if (it == entries.end() || it->first != key)
    it = entries.emplace(it, key, Value());
  return it->second;
}

RaceCheck::Ring &RaceCheck::ringOf(const Event &event) {
  Ring &ring = entryOf(cores[event.agent / kThreadsPerNode].rings, event.object);
  if (!ring.pages)
    for (const BufferConfig &buffer : program->buffers)
      if (static_cast<uint64_t>(buffer.index) == event.object)
        ring.pages = buffer.numPages;
  return ring;
}

RaceCheck::Core *RaceCheck::coreAt(int x, int y) {
  bool isInside = x >= 0 && y >= 0 && x < program->gridX && y < program->gridY;
  return isInside ? &cores[static_cast<size_t>(y * program->gridX + x)] : nullptr;
}

Releases &RaceCheck::wordAt(const WordKey &key) {
  Core *core = coreAt(key.x, key.y);
  return core ? entryOf(core->words, key.address) : wordsOutside[key];
}

// Returns null if nothing has used the word in order to signal.
Releases *RaceCheck::findWord(const WordKey &key) {
  Core *core = coreAt(key.x, key.y);
  if (!core) {
    auto it = wordsOutside.find(key);
    return it == wordsOutside.end() ? nullptr : &it->second;
  }
  auto it =
      std::ranges::lower_bound(core->words, key.address, {}, &std::pair<uint32_t, Releases>::first);
  return it == core->words.end() || it->first != key.address ? nullptr : &it->second;
}

// Orders the ends of a buffer. Waits (reserves) count from the oldest page not popped (pushed).
void RaceCheck::handOver(const Event &event) {
  Ring &ring = ringOf(event);
  Agent &agent = agents[event.agent];
  switch (event.kind) {
  case EventKind::Wait:
    return ring.pushes.acquire(ring.popped + event.count, agent.clock, search);
  case EventKind::Reserve:
    if (uint64_t end = ring.pushed + event.count; end > ring.pages)
      ring.pops.acquire(end - ring.pages, agent.clock, search);
    return;
  case EventKind::Push:
    return ring.pushes.add(ring.pushed += event.count, release(event));
  default:
    return ring.pops.add(ring.popped += event.count, release(event));
  }
}

// Orders the threads of a node that meet at a reset: ResetReached is a release, and the event after
// the reset an acquire, of every thread. The last thread resets the buffers between the two.
void RaceCheck::meet(const Event &event) {
  Releases &meeting = meetings[event.agent / kThreadsPerNode];
  if (event.kind == EventKind::ResetReached)
    return meeting.add(0, release(event));
  if (event.kind == EventKind::ResetPassed)
    return meeting.acquireAll(agents[event.agent].clock, search);
  Ring &ring = ringOf(event);
  uint64_t pages = std::max(1u, ring.pages);
  ring.pushed = ring.popped = (std::max(ring.pushed, ring.popped) / pages + 1) * pages;
}

void RaceCheck::useWord(const Event &event) {
  WordKey key{event.node.x, event.node.y, static_cast<uint32_t>(event.object)};
  Releases &word = wordAt(key);
  if (event.kind == EventKind::SemaphoreSet) {
    addStep(event, key, WordUse::Set);
    return word.add(event.count, release(event));
  }
  word.acquire(event.count, agents[event.agent].clock, search);
  if (event.isExact)
    addStep(event, key, WordUse::ExactWait);
}

// Looks for a race between this use of a semaphore and another one.
void RaceCheck::addStep(const Event &event, const WordKey &word, WordUse use) {
  if (!semaphoreAt(word.address))
    return;
  const Shared<Knowledge> &known = agents[event.agent].clock.shared();
  // A leg comes after the release of its multicast, but who knows of the multicast knows of it.
  bool isLeg = event.kind == EventKind::MulticastLeg;
  Time when = isLeg ? issued[event.object]->issued : time();
  uint32_t value = event.count;
  if (event.data)
    std::memcpy(&value, event.data, sizeof(value));
  WordStep step{use, event.agent, event.node, event.loc, value, when};
  std::optional<WordStep> earlier =
      semaphores.add(word, step, [&](AgentId thread, Time of) { return knows(known, thread, of); });
  if (earlier)
    reportSteps(word, *earlier, step);
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

// Returns whether the transfer changes one word of L1, for which other threads may wait.
static bool isSignal(const Event &event) {
  return event.kind == EventKind::SemaphoreIssued ||
         (event.kind != EventKind::ReadIssued && event.destination.memory == MemoryPlace::L1 &&
          event.destination.bytes == sizeof(uint32_t));
}

// Hashes in four independent lanes, because multiplications have a latency. FNV-1a has this prime.
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

// Returns the transfer that an event issues, or whose leg it is.
Shared<TransferState> RaceCheck::transferOf(const Event &event) {
  if (event.kind == EventKind::MulticastLeg)
    return issued[event.object];
  Agent &agent = agents[event.agent];
  Shared<TransferState> transfer(new TransferState);
  transfer->thread = event.agent;
  transfer->loc = event.loc;
  transfer->kind = event.kind;
  transfer->id = event.transferId;
  transfer->isFabric = event.isFabric;
  transfer->stream = event.stream;
  transfer->issued = time();
  transfer->epoch = release(event);
  if (!isSignal(event))
    agent.inFlight.push_back(transfer);
  if (isSignal(event) || event.kind == EventKind::MulticastIssued)
    issued[event.object] = transfer;
  return transfer;
}

void RaceCheck::issue(const Event &event) {
  bool isLeg = event.kind == EventKind::MulticastLeg;
  if (receive(event))
    return;
  if (isSignal(event) && event.kind != EventKind::MulticastIssued) // its legs are events, too
    addStep(event, {event.destination.x, event.destination.y, event.destination.address},
            event.kind == EventKind::SemaphoreIssued ? WordUse::Increment : WordUse::Set);
  Shared<TransferState> transfer = transferOf(event);
  if (isSignal(event)) {
    if (!isLeg)
      signal(event, *transfer);
    return;
  }
  followQueues(event, transfer);
  Use part{event.agent, event.loc, transfer->issued, false, true, transfer};
  if (!isLeg)
    use(event.source, part);
  part.writes = true;
  part.isSource = false;
  if (event.data && scope == RaceScope::All && !isLeg) { // legs write the same at the same address
    transfer->address = event.destination.address;
    transfer->bytes = event.destination.bytes;
    transfer->hash = hashOf(event.data, transfer->bytes);
  }
  if (event.kind == EventKind::MulticastIssued) // its legs write
    return;
  use(event.destination, part);
  if (!isLeg && !slices.isQueued(event.destination))
    transfer->epoch = {}; // nobody will ask what the thread knew
}

void RaceCheck::followQueues(const Event &event, const Shared<TransferState> &transfer) {
  if (event.kind == EventKind::ReadIssued && slices.isQueued(event.source))
    slices.taken(event.source, event.destination);
  else if (event.kind != EventKind::ReadIssued && slices.isQueued(event.destination))
    slices.sent(event.destination, transfer);
}

// If the event writes a block from a queue into a tensor, adds this use of the tensor for the
// thread that sent the block, and returns true.
bool RaceCheck::receive(const Event &event) {
  if (event.kind != EventKind::WriteIssued || event.destination.memory != MemoryPlace::DRAM)
    return false;
  bool isLast = false;
  Shared<TransferState> send = slices.written(event.source, isLast);
  if (!send)
    return false;
  Use part{send->thread, send->loc, send->issued, true, false, send};
  part.receipt = new Receipt;
  part.receipt->thread = event.agent;
  part.receipt->loc = event.loc;
  part.receipt->time = time();
  use(event.destination, part);
  if (isLast && send->kind != EventKind::MulticastIssued)
    send->epoch = {}; // its block has been written into the tensor, so nobody will ask
  return true;
}

// Notes a signal, from which its receiver knows that earlier transfers of the stream have landed.
void RaceCheck::signal(const Event &event, TransferState &transfer) {
  Agent &agent = agents[event.agent];
  auto [of, isNew] = agent.signals.try_emplace(event.stream, numIndices);
  numIndices += isNew;
  transfer.epoch.signals = of->second;
  for (const auto &earlier : agent.inFlight)
    if (event.stream && earlier->stream == event.stream && !earlier->signal) {
      earlier->signal = transfer.epoch.own.time;
      earlier->signals = of->second;
    }
}

void RaceCheck::land(const Event &event) {
  auto it = issued.find(event.object);
  if (it == issued.end())
    return changed.clear();
  for (auto &[word, value] : changed)
    wordAt(word).add(value, it->second->epoch);
  changed.clear();
  issued.erase(it);
}

// After a barrier, the thread knows that its transfers are over; after a flush, that its writes
// have read their sources.
void RaceCheck::finishTransfers(const Event &event) {
  Agent &agent = agents[event.agent];
  ++releases;
  bool ofReads = event.kind == EventKind::ReadBarrier;
  for (const auto &transfer : agent.inFlight) {
    bool isRead = transfer->kind == EventKind::ReadIssued;
    if (isRead != ofReads || (event.object != kAllIds && event.object != transfer->id))
      continue;
    if (!transfer->sourceRead)
      transfer->sourceRead = time();
    if (event.kind != EventKind::WritesFlushed && !transfer->isFabric)
      transfer->landed = time();
  }
  std::erase_if(agent.inFlight, [](const auto &transfer) {
    return transfer->landed || (transfer->isFabric && transfer->sourceRead && transfer->signal);
  });
}

//===--------------------------------------------------------------------------===//
// Uses of memory
//===--------------------------------------------------------------------------===//

void RaceCheck::access(const Event &event) {
  bool writes = static_cast<bool>(event.destination);
  const MemoryPlace &place = writes ? event.destination : event.source;
  bool isWord = place.bytes == sizeof(uint32_t);
  if (Releases *word = isWord ? findWord({place.x, place.y, place.address}) : nullptr) {
    if (writes)
      word->add(0, release(event));
    else
      word->acquireAll(agents[event.agent].clock, search);
    return;
  }
  use(place, {event.agent, event.loc, time(), writes, false, {}});
}

void RaceCheck::use(const MemoryPlace &place, const Use &use) {
  bool isWatched = scope == RaceScope::All || place.memory == MemoryPlace::DRAM;
  if (!place || !isWatched || slices.isQueued(place)) // queued blocks do not overwrite each other
    return;
  memory.add(
      place, use, [&](const Use &earlier) { return isBefore(earlier, use); },
      [&](const Use &earlier) { report(earlier, use, place); });
}

bool RaceCheck::knows(const Shared<Knowledge> &known, ClockIndex index, Time time) {
  return known && search.finds(*known, index, time);
}

// Returns whether the later use knows of this time of an agent.
bool RaceCheck::knows(const Use &later, ClockIndex index, Time time) {
  if (index == later.thread)
    return time <= later.time;
  return knows(later.transfer ? later.transfer->epoch.known : agents[later.thread].clock.shared(),
               index, time);
}

bool RaceCheck::isBefore(const Use &earlier, const Use &later) {
  if (!earlier.transfer)
    return knows(later, earlier.thread, earlier.time);
  const TransferState &transfer = *earlier.transfer;
  if (earlier.receipt && later.receipt)
    return knows(later, earlier.receipt->thread, earlier.receipt->time);
  if (transfer.signal && knows(later, transfer.signals, transfer.signal))
    return true;
  Time over = earlier.isSource ? transfer.sourceRead : transfer.landed;
  if (over && knows(later, transfer.thread, over))
    return true;
  return !earlier.receipt && later.transfer && later.thread == transfer.thread && transfer.stream &&
         later.transfer->stream == transfer.stream;
}

} // namespace ttjit::hw::check
