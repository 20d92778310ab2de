//===- TraceClock.cpp - the times in a trace ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/trace/TraceClock.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::trace;
using hw::EventKind;

TraceClock::TraceClock(const hw::Program &program, TraceTime kind, uint64_t begin)
    : kind(kind), begin(begin), last(begin), hostBegin(std::chrono::steady_clock::now()),
      threads(size_t(program.numNodes) * hw::kThreadsPerNode), resets(size_t(program.numNodes)) {
  for (Thread &thread : threads)
    thread.now = thread.linkFree = begin;
  for (const hw::BufferConfig &buffer : program.buffers)
    numBuffers = std::max(numBuffers, size_t(buffer.index) + 1);
  buffers.resize(size_t(program.numNodes) * numBuffers);
  for (const hw::BufferConfig &buffer : program.buffers)
    for (size_t node = 0; node < size_t(program.numNodes); ++node) {
      Buffer &times = buffers[node * numBuffers + size_t(buffer.index)];
      times.pushed.assign(buffer.numPages, begin);
      times.popped.assign(buffer.numPages, begin);
    }
}

TraceClock::Buffer *TraceClock::bufferOf(const hw::Event &event) {
  if (event.object >= numBuffers)
    return nullptr;
  Buffer &buffer = buffers[event.agent / hw::kThreadsPerNode * numBuffers + event.object];
  return buffer.pushed.empty() ? nullptr : &buffer;
}

const TransferInfo *TraceClock::transfer(uint64_t number) const {
  auto found = transfers.find(number);
  return found == transfers.end() ? nullptr : &found->second;
}

// Returns the time of the last of the `count` pages that follow the first `done` ones.
static uint64_t timeOf(const std::vector<uint64_t> &pages, uint64_t done, uint32_t count) {
  return count ? pages[(done + count - 1) % pages.size()] : 0;
}

static void setTimes(std::vector<uint64_t> &pages, uint64_t &done, uint32_t count, uint64_t time) {
  for (uint32_t i = 0; i < count; ++i)
    pages[done++ % pages.size()] = time;
}

uint64_t TraceClock::timeOfWord(const Word &word) const {
  auto found = words.find(word);
  return found == words.end() ? 0 : found->second;
}

// Returns when the thing that the event waits for was ready. The event of a multicast names only
// the first of its cores: a thread that had to wait for a word continues after the last multicast
// to this address.
uint64_t TraceClock::ready(const hw::Event &event) {
  const Thread &thread = threads[event.agent];
  switch (event.kind) {
  case EventKind::Wait:
    if (Buffer *buffer = bufferOf(event))
      return timeOf(buffer->pushed, buffer->numPopped, event.count);
    return 0;
  case EventKind::Reserve:
    if (Buffer *buffer = bufferOf(event))
      return timeOf(buffer->popped, buffer->numPushed, event.count);
    return 0;
  case EventKind::Pop: {
    bool computes = hw::Processor(event.agent % hw::kThreadsPerNode) == hw::Processor::Compute;
    return computes ? thread.now + event.count * TraceCosts::page : 0;
  }
  case EventKind::ReadBarrier:
    return thread.readsDone;
  case EventKind::WriteBarrier:
  case EventKind::WritesFlushed:
    return thread.writesDone;
  case EventKind::AtomicBarrier:
    return thread.wordsDone;
  case EventKind::SemaphoreWait:
    return std::max(timeOfWord({event.node.x, event.node.y, uint32_t(event.object)}),
                    thread.isBlocked ? timeOfWord(multicastWord(uint32_t(event.object))) : 0);
  case EventKind::ResetPassed:
    return resets[event.agent / hw::kThreadsPerNode];
  default:
    return 0;
  }
}

uint64_t TraceClock::cost(EventKind kind) const {
  switch (kind) {
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
  case EventKind::SemaphoreIssued:
    return TraceCosts::issue;
  case EventKind::DstCommit:
  case EventKind::DstRelease:
    return TraceCosts::section;
  case EventKind::ThreadStart:
  case EventKind::ThreadEnd:
  case EventKind::Blocked:
  case EventKind::DstAcquire:
  case EventKind::DstWait:
  case EventKind::Print:
  case EventKind::Signpost:
  case EventKind::ResetReached:
  case EventKind::BufferReset:
  case EventKind::Fault:
    return 0;
  default:
    return TraceCosts::call;
  }
}

// Notes the times of changes for which other threads may wait.
void TraceClock::publish(const hw::Event &event, uint64_t time) {
  Buffer *buffer = nullptr;
  switch (event.kind) {
  case EventKind::Push:
    if ((buffer = bufferOf(event)))
      setTimes(buffer->pushed, buffer->numPushed, event.count, time);
    return;
  case EventKind::Pop:
    if ((buffer = bufferOf(event)))
      setTimes(buffer->popped, buffer->numPopped, event.count, time);
    return;
  case EventKind::ResetReached: {
    uint64_t &reached = resets[event.agent / hw::kThreadsPerNode];
    reached = std::max(reached, time);
    return;
  }
  case EventKind::BufferReset:
    if ((buffer = bufferOf(event)))
      buffer->numPushed = buffer->numPopped = 0;
    return;
  case EventKind::SemaphoreSet:
    words[{event.node.x, event.node.y, uint32_t(event.object)}] = time;
    return;
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
  case EventKind::SemaphoreIssued:
    return noteIssue(event, time);
  default:
    return;
  }
}

void TraceClock::noteIssue(const hw::Event &event, uint64_t time) {
  transfers.insert_or_assign(
      event.object, TransferInfo{event.kind, event.loc, event.count, time, event.destination});
}

EventTimes TraceClock::land(const hw::Event &event, uint64_t hostTime) {
  const TransferInfo *info = transfer(event.object);
  if (!info)
    return {last, last, last};
  Thread &thread = threads[event.agent];
  uint64_t bytesTime = info->bytes / TraceCosts::bytesPerTick + 1;
  EventTimes times;
  times.start = std::max(info->issued + (hostTime ? 0 : TraceCosts::latency), thread.linkFree);
  times.end = hostTime ? std::max(hostTime, times.start) : times.start + bytesTime;
  thread.linkFree = times.end;
  bool isRead = info->kind == EventKind::ReadIssued;
  bool isWord = info->kind == EventKind::SemaphoreIssued;
  (isRead ? thread.readsDone : isWord ? thread.wordsDone : thread.writesDone) = times.end;
  const hw::MemoryPlace &place = info->destination;
  if (place.memory == hw::MemoryPlace::L1)
    words[{place.x, place.y, place.address}] = times.end;
  if (info->kind == EventKind::MulticastIssued)
    words[multicastWord(place.address)] = times.end;
  return times;
}

EventTimes TraceClock::logical(const hw::Event &event) {
  if (event.kind == EventKind::TransferLanded)
    return land(event, 0);
  Thread &thread = threads[event.agent];
  EventTimes times;
  times.start = thread.now;
  times.resume = std::max(thread.now, ready(event));
  times.end = times.resume + cost(event.kind);
  thread.now = times.end;
  thread.isBlocked = event.kind == EventKind::Blocked;
  publish(event, times.end);
  return times;
}

EventTimes TraceClock::host(const hw::Event &event) {
  auto passed = std::chrono::steady_clock::now() - hostBegin;
  uint64_t now =
      begin + uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
  if (event.kind == EventKind::TransferLanded)
    return land(event, now);
  Thread &thread = threads[event.agent];
  EventTimes times{thread.isBlocked ? thread.blockedAt : now, now, now};
  thread.isBlocked = event.kind == EventKind::Blocked;
  if (thread.isBlocked)
    thread.blockedAt = now;
  thread.now = now;
  publish(event, now);
  return times;
}

EventTimes TraceClock::give(const hw::Event &event, const EventTimes &cycles) {
  EventTimes times{begin + cycles.start, begin + cycles.resume, begin + cycles.end, cycles.idle,
                   cycles.lane};
  Thread &thread = threads[event.agent];
  if (event.kind == EventKind::TransferLanded) { // spans in a row must not overlap
    times.end = std::max(times.end, thread.linkFree);
    times.start = std::max(times.start, thread.linkFree);
    thread.linkFree = times.end;
  } else {
    thread.now = std::max(thread.now, times.end);
    publish(event, times.end);
  }
  last = std::max(last, times.end);
  return times;
}

EventTimes TraceClock::at(const hw::Event &event) {
  EventTimes times = kind == TraceTime::Logical ? logical(event) : host(event);
  last = std::max(last, times.end);
  return times;
}
