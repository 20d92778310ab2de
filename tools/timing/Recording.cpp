//===- Recording.cpp - what a run did, for the time model ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/timing/Recording.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;
using hw::EventKind;

size_t Recording::numSteps() const {
  size_t sum = 0;
  for (const std::vector<Step> &steps : agents)
    sum += steps.size();
  return sum;
}

void Recorder::onRunStart(const hw::Program &program) {
  *this = Recorder(fabric, keepsEvents);
  recording.fabric = fabric;
  columns = std::max(1, program.columnsOfDevice());
  rows = program.gridY;
  recording.agents.resize(size_t(program.numNodes) * hw::kThreadsPerNode);
}

Recording Recorder::take() {
  Recording result = std::move(recording);
  *this = Recorder(fabric, keepsEvents);
  return result;
}

void Recorder::add(const hw::Event &event, StepKind kind, uint32_t object, uint32_t count) {
  std::vector<Step> &steps = recording.agents[event.agent];
  place = {EventPlace::Step, event.agent, static_cast<uint32_t>(steps.size())};
  steps.push_back({kind, event.transferId, 0, event.loc, object, count});
}

void Recorder::addCost(const hw::Event &event) {
  recording.hasCosts = true;
  auto [found, isNew] =
      texts.try_emplace(std::string(event.text), uint32_t(recording.costTexts.size()));
  if (isNew)
    recording.costTexts.emplace_back(event.text);
  add(event, StepKind::Cost, found->second, 1);
}

// Adds the begin or the end of a zone. Signposts that are points take no time and are left out.
void Recorder::addMark(const hw::Event &event) {
  if (event.object == 0)
    return;
  std::vector<std::string> &zones = recording.zones;
  auto found = std::ranges::find(zones, event.text);
  uint32_t index = uint32_t(found - zones.begin());
  if (found == zones.end())
    zones.emplace_back(event.text);
  add(event, StepKind::Mark, index, uint32_t(event.object));
}

//===--------------------------------------------------------------------------===//
// Transfers
//===--------------------------------------------------------------------------===//

Endpoint Recorder::placeOf(const hw::Event &event, const hw::MemoryPlace &place) const {
  if (place.memory == hw::MemoryPlace::None)
    return {};
  int device = event.node.x / columns, column = place.x - device * columns;
  bool isBeside = column >= columns || place.y >= rows;
  if (place.memory == hw::MemoryPlace::L1 && isBeside && !event.isFabric)
    return {Endpoint::Core, static_cast<int16_t>(column), static_cast<int16_t>(place.y),
            static_cast<int16_t>(device)};
  return {place.memory == hw::MemoryPlace::DRAM ? Endpoint::Bank : Endpoint::Core,
          static_cast<int16_t>(place.x), static_cast<int16_t>(place.y)};
}

void Recorder::issue(const hw::Event &event, StepKind kind) {
  TransferRecord record{placeOf(event, event.source), placeOf(event, event.destination),
                        event.count};
  record.lastX = record.destination.x;
  record.lastY = record.destination.y;
  record.receivers = kind == StepKind::Multicast ? 0 : 1;
  uint32_t index = uint32_t(recording.transfers.size());
  inFlight[event.object] = index;
  recording.transfers.push_back(record);
  add(event, kind, index, event.count);
}

void Recorder::addLeg(const hw::Event &event) {
  auto found = inFlight.find(event.object);
  if (found == inFlight.end())
    return;
  TransferRecord &record = recording.transfers[found->second];
  record.lastX = std::max<int16_t>(record.lastX, static_cast<int16_t>(event.destination.x));
  record.lastY = std::max<int16_t>(record.lastY, static_cast<int16_t>(event.destination.y));
  ++record.receivers;
}

// Handles a landing. The changes that a transfer makes come before this event.
void Recorder::land(const hw::Event &event) {
  auto found = inFlight.find(event.object);
  if (found == inFlight.end())
    return;
  TransferRecord &record = recording.transfers[found->second];
  record.firstChange = firstLanded;
  record.numChanges = numLanded;
  place = {EventPlace::Transfer, event.agent, found->second};
  inFlight.erase(found);
  firstLanded = kNone;
  numLanded = 0;
}

//===--------------------------------------------------------------------------===//
// Words
//===--------------------------------------------------------------------------===//

void Recorder::change(const hw::Event &event, const Word &word, uint32_t value) {
  History &history = words[word];
  bool isFirst = history.changes.empty();
  history.hasWriters |= !isFirst && history.writer != event.agent;
  history.writer = event.agent;
  uint32_t index = uint32_t(recording.previousChange.size());
  recording.previousChange.push_back(isFirst ? kNone : history.changes.back().index);
  history.changes.push_back({index, value});
}

// Adds a wait for a word. It ended with the first change after which the word was always at least
// what the thread waits for.
void Recorder::addWait(const hw::Event &event) {
  Word word{event.node.x, event.node.y, static_cast<uint32_t>(event.object)};
  const History &history = words[word];
  recording.mayReorder |= history.hasWriters;
  const std::vector<Change> &changes = history.changes;
  uint32_t index = kNone;
  for (size_t i = changes.size(); i-- > 0 && changes[i].value >= event.count;)
    index = changes[i].index;
  add(event, StepKind::SemaphoreWait, index, event.count);
}

//===--------------------------------------------------------------------------===//
// Resets
//===--------------------------------------------------------------------------===//

void Recorder::addReset(const hw::Event &event) {
  auto [found, isNew] = resets.try_emplace({event.agent / hw::kThreadsPerNode, event.object},
                                           uint32_t(recording.resets.size()));
  if (isNew)
    recording.resets.emplace_back();
  ResetRecord &reset = recording.resets[found->second];
  bool reaches = event.kind == EventKind::ResetReached;
  if (reaches) {
    ++reset.threads;
    reset.last = event.agent;
  }
  add(event, reaches ? StepKind::ResetReached : StepKind::ResetPassed, found->second, 0);
}

// Returns the step of an event of a buffer or section, or of a barrier; nothing for others.
static std::optional<StepKind> plainKind(EventKind kind) {
  static constexpr std::pair<EventKind, StepKind> kinds[] = {
      {EventKind::Reserve, StepKind::Reserve},
      {EventKind::Push, StepKind::Push},
      {EventKind::Wait, StepKind::Wait},
      {EventKind::Pop, StepKind::Pop},
      {EventKind::BufferReset, StepKind::ResetBuffer},
      {EventKind::DstAcquire, StepKind::Acquire},
      {EventKind::DstCommit, StepKind::Commit},
      {EventKind::DstWait, StepKind::PackWait},
      {EventKind::DstRelease, StepKind::Release},
      {EventKind::ReadBarrier, StepKind::ReadBarrier},
      {EventKind::WriteBarrier, StepKind::WriteBarrier},
      {EventKind::WritesFlushed, StepKind::Flush},
      {EventKind::AtomicBarrier, StepKind::AtomicBarrier}};
  auto found = std::ranges::find(kinds, kind, &std::pair<EventKind, StepKind>::first);
  return found == std::end(kinds) ? std::nullopt : std::optional(found->second);
}

static bool isBarrier(StepKind kind) {
  return kind == StepKind::ReadBarrier || kind == StepKind::WriteBarrier ||
         kind == StepKind::Flush || kind == StepKind::AtomicBarrier;
}

void Recorder::onEvent(const hw::Event &event) {
  place = {EventPlace::None, event.agent, 0};
  record(event);
  if (keepsEvents)
    recording.events.push_back(place);
}

void Recorder::record(const hw::Event &event) {
  if (std::optional<StepKind> kind = plainKind(event.kind))
    return add(event, *kind, uint32_t(event.object),
               isBarrier(*kind) ? uint32_t(event.object) : event.count);
  switch (event.kind) {
  case EventKind::ReadIssued:
    return issue(event, StepKind::Read);
  case EventKind::WriteIssued:
    return issue(event, StepKind::Write);
  case EventKind::MulticastIssued:
    return issue(event, StepKind::Multicast);
  case EventKind::SemaphoreIssued:
    return issue(event, StepKind::Increment);
  case EventKind::MulticastLeg:
    return addLeg(event);
  case EventKind::TransferLanded:
    return land(event);
  case EventKind::SemaphoreSet:
    add(event, StepKind::SemaphoreSet, uint32_t(recording.previousChange.size()), event.count);
    return change(event, {event.node.x, event.node.y, uint32_t(event.object)}, event.count);
  case EventKind::SemaphoreWait:
    return addWait(event);
  case EventKind::WordChanged:
    if (numLanded++ == 0)
      firstLanded = uint32_t(recording.previousChange.size());
    return change(event, {event.destination.x, event.destination.y, event.destination.address},
                  event.count);
  case EventKind::ResetReached:
  case EventKind::ResetPassed:
    return addReset(event);
  case EventKind::Signpost:
    return event.object == hw::kCostSignpost ? addCost(event) : addMark(event);
  case EventKind::Fault:
    recording.hasFault = true;
    return;
  default: // what takes no time on the card
    return;
  }
}
