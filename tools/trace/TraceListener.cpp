//===- TraceListener.cpp - the events of runs as a trace ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/trace/TraceListener.h"

#include "hw/device/NodeRanges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace ttjit;
using namespace ttjit::trace;
using hw::EventKind;

// Time between two runs in the trace
static constexpr uint64_t kGap = 1000;

// Returns the text as a string of JSON, with its quotes.
static std::string quoted(std::string_view text) {
  return llvm::formatv("{0}", llvm::json::Value(llvm::json::fixUTF8(text))).str();
}

// Returns ticks or nanoseconds as microseconds.
static std::string micros(uint64_t ticks) {
  return fmt::format("{}.{:03}", ticks / 1000, ticks % 1000);
}

static int threadNumber(hw::AgentId agent, bool isTransfer, size_t lane = 0) {
  return int(agent % hw::kThreadsPerNode) + (isTransfer ? 11 : 1) + int(lane);
}

// Returns whether the thread has a row for each of its lanes.
static bool hasLanes(hw::Processor processor, TraceTime time) {
  return time == TraceTime::Cycles && processor == hw::Processor::Compute;
}

// Returns the names of a thread's rows. In a trace in cycles, a compute thread has a row for each
// of its three lanes, and a fourth row for events of the whole thread, such as a hang.
static std::vector<std::string> rowsOf(const hw::ThreadConfig &thread, TraceTime time) {
  if (!hasLanes(thread.processor, time))
    return {thread.name};
  return {thread.name + " unpacker", thread.name + " math", thread.name + " packer", thread.name};
}

std::string TraceListener::position(uint32_t loc) const {
  if (loc >= program->locations.size() || program->locations[loc].line == 0)
    return {};
  const hw::SourceLocation &location = program->locations[loc];
  return fmt::format("{}:{}", location.file, location.line);
}

//===--------------------------------------------------------------------------===//
// Beginning and end of a run
//===--------------------------------------------------------------------------===//

static const char *processorName(hw::Processor processor) {
  static constexpr const char *names[] = {"RISCV_1", "RISCV_0", "compute"};
  return names[size_t(processor)];
}

void TraceListener::writeNames(const hw::Program &program) {
  for (int node = 0; node < program.numNodes; ++node) {
    size_t pid = base + size_t(node);
    file.add(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", pid,
                         quoted(fmt::format("{} {}", program.name,
                                            hw::describeNode(program, node % program.gridX,
                                                             node / program.gridX)))));
    file.add(fmt::format(
        R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", pid,
        pid));
    for (const hw::ThreadConfig &thread : program.threads)
      for (bool isTransfer : {false, true}) {
        if (isTransfer && thread.processor == hw::Processor::Compute)
          continue;
        for (const auto &[lane, row] : llvm::enumerate(rowsOf(thread, time)))
          if (lane < kLanes) // name the row of the whole thread only when it gets an event
            writeRowName(pid, threadNumber(hw::AgentId(thread.processor), isTransfer, lane),
                         isTransfer ? row + " copies"
                                    : fmt::format("{} ({})", row, processorName(thread.processor)));
      }
  }
}

void TraceListener::writeRowName(size_t pid, int tid, const std::string &name) {
  file.add(
      fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                  pid, tid, quoted(name)));
}

static std::string placeOf(const hw::SourceLocation &location) {
  return quoted(location.line ? fmt::format("{}:{}", location.file, location.line) : "");
}

void TraceListener::writeLaunch(const hw::Program &program) {
  std::string buffers, threads;
  for (const hw::BufferConfig &buffer : program.buffers)
    buffers += fmt::format(R"({}{{"name":{},"pages":{},"block":{},"page_bytes":{},"at":{}}})",
                           buffers.empty() ? "" : ",", quoted(buffer.name), buffer.numPages,
                           buffer.pagesPerBlock, buffer.pageBytes, placeOf(buffer.location));
  for (const hw::ThreadConfig &thread : program.threads)
    for (const auto &[lane, row] : llvm::enumerate(rowsOf(thread, time)))
      threads += fmt::format(R"({}{{"name":{},"tid":{},"at":{}}})", threads.empty() ? "" : ",",
                             quoted(row), threadNumber(hw::AgentId(thread.processor), false, lane),
                             placeOf(thread.location));
  static constexpr const char *times[] = {"logical", "host", "cycles"};
  std::string meshText = mesh.empty() ? "" : fmt::format(R"("mesh":[{}],)", fmt::join(mesh, ","));
  file.add(fmt::format(
      R"({{"ph":"M","name":"ttl_launch","pid":{},"args":{{"launch":{},"kernel":{},"grid":[{},{}],)"
      R"("nodes":{},{}"start":{},"time":"{}","buffers":[{}],"threads":[{}]}}}})",
      base, runs, quoted(program.name), program.gridX, program.gridY, program.numNodes, meshText,
      micros(begin), times[size_t(time)], buffers, threads));
}

void TraceListener::collectRoles() {
  roles.clear();
  for (const hw::WordRole &role : program->roles)
    roles[{role.node, role.semaphore < 0 ? role.address : arch->semaphoreAddress(role.semaphore)}] =
        &role;
}

void TraceListener::onRunStart(const hw::Program &started) {
  program = &started;
  ++runs;
  begin = clock ? clock->latest() + kGap : 0;
  clock.emplace(started, time, begin);
  auto [found, isNew] = bases.try_emplace(
      fmt::format("{} {}x{}", started.name, started.gridX, started.gridY), nextBase);
  base = found->second;
  if (isNew)
    nextBase += size_t(started.numNodes);
  arrowBase = lastTransfer + 1;
  bufferNames.clear();
  for (const hw::BufferConfig &buffer : started.buffers) {
    bufferNames.resize(std::max(bufferNames.size(), size_t(buffer.index) + 1));
    bufferNames[size_t(buffer.index)] = buffer.name;
  }
  size_t nodes = size_t(started.numNodes);
  occupancy.assign(nodes * bufferNames.size(), {});
  sections.assign(nodes * hw::kThreadsPerNode * kRows, {begin, 0});
  covered.assign(nodes * hw::kThreadsPerNode * kRows, 0);
  lane = 0;
  blocked.assign(nodes * hw::kThreadsPerNode, std::nullopt);
  arrivals.clear();
  issued.clear();
  collectRoles();
  if (isNew)
    writeNames(started);
  writeLaunch(started);
}

void TraceListener::finishRun(const std::string &fault) {
  if (!program)
    return file.complete(); // the run ended before its first thread
  for (size_t key = 0; key < occupancy.size(); ++key)
    writeChanges(key, /*isEnd=*/true);
  for (hw::AgentId agent = 0; agent < blocked.size(); ++agent)
    if (blocked[agent])
      writeHang(agent, blocked[agent]->loc);
  file.add(fmt::format(
      R"({{"ph":"M","name":"ttl_end","pid":{},"args":{{"launch":{},"end":{},"fault":{}}}}})", base,
      runs, micros(clock->latest()), quoted(fault)));
  program = nullptr;
  file.complete();
}

// Writes that a thread waits until the end of the run. For a compute thread, writes it in the row
// of the whole thread.
void TraceListener::writeHang(hw::AgentId agent, uint32_t loc) {
  auto processor = hw::Processor(agent % hw::kThreadsPerNode);
  lane = hasLanes(processor, time) ? kLanes : 0;
  if (lane)
    for (const hw::ThreadConfig &thread : program->threads)
      if (thread.processor == processor)
        writeRowName(process(agent), threadNumber(agent, false, lane),
                     fmt::format("{} ({})", thread.name, processorName(processor)));
  hw::Event event{EventKind::Blocked, agent, {}, loc, 0, 0, 0, 0};
  span(event, false, "wait", "waits until the end", clock->now(agent),
       std::max(clock->latest(), clock->now(agent) + 1), loc, R"("for":"the end")");
}

//===--------------------------------------------------------------------------===//
// Elements of the trace
//===--------------------------------------------------------------------------===//

void TraceListener::span(const hw::Event &event, bool isTransfer, const char *category,
                         const std::string &name, uint64_t start, uint64_t end, uint32_t loc,
                         const std::string &arguments) {
  if (!isTransfer)
    covered[rowOf(event)] += end - start;
  std::string at = position(loc);
  std::string args = at.empty() ? arguments
                                : fmt::format(R"("at":{}{}{})", quoted(at),
                                              arguments.empty() ? "" : ",", arguments);
  file.add(fmt::format(
      R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
      category, quoted(name), process(event.agent), threadNumber(event.agent, isTransfer, lane),
      micros(start), micros(end - start), args));
}

// Writes both ends of an arrow together: an arrow with one end is an error to Perfetto.
void TraceListener::arrow(const char *name, uint64_t id, const ArrowEnd &from, const ArrowEnd &to) {
  for (const ArrowEnd *end : {&from, &to})
    file.add(fmt::format(
        R"({{"ph":"{}","cat":"arrow","name":"{}","id":{},"pid":{},"tid":{},"ts":{}{}}})",
        end == &from ? 's' : 'f', name, id, process(end->agent),
        threadNumber(end->agent, end->isTransfer), micros(end->when),
        end == &to ? R"(,"bp":"e")" : ""));
}

// Returns the name of the semaphore, or of the range of L1 that has the word.
std::string TraceListener::wordName(uint32_t address) const {
  for (const hw::SemaphoreConfig &semaphore : program->semaphores)
    if (address == arch->semaphoreAddress(semaphore.id) && !semaphore.name.empty())
      return semaphore.name;
  for (const hw::L1Range &range : program->ranges)
    if (address >= range.address && address - range.address < range.bytes)
      return range.name;
  return fmt::format("semaphore {:#x}", address);
}

// Returns the role of the word for which a SemaphoreWait waits; null if it has none.
const hw::WordRole *TraceListener::roleOf(const hw::Event &event) const {
  if (event.kind != EventKind::SemaphoreWait)
    return nullptr;
  auto found = roles.find({event.agent / hw::kThreadsPerNode, uint32_t(event.object)});
  return found == roles.end() ? nullptr : found->second;
}

std::string TraceListener::objectName(const hw::Event &event) const {
  switch (event.kind) {
  case EventKind::Reserve:
  case EventKind::Push:
  case EventKind::Wait:
  case EventKind::Pop:
    return event.object < bufferNames.size() ? bufferNames[event.object] : std::string("buffer");
  case EventKind::SemaphoreSet:
  case EventKind::SemaphoreWait:
    return wordName(uint32_t(event.object));
  case EventKind::ReadBarrier:
    return "reads";
  case EventKind::WriteBarrier:
  case EventKind::WritesFlushed:
    return "writes";
  case EventKind::AtomicBarrier:
    return "increments";
  case EventKind::ResetPassed:
    return "buffers";
  default:
    return {};
  }
}

static const char *verb(EventKind kind) {
  switch (kind) {
  case EventKind::Reserve:
    return "reserve";
  case EventKind::Push:
    return "push";
  case EventKind::Pop:
    return "pop";
  case EventKind::SemaphoreSet:
    return "set";
  case EventKind::ResetPassed:
    return "reset";
  default:
    return "wait";
  }
}

// Returns the object that a wait needs: room or pages of a buffer, the word of a semaphore, the
// other threads at a reset, or transfers.
static const char *needOf(EventKind kind) {
  return kind == EventKind::Reserve         ? "room"
         : kind == EventKind::Wait          ? "pages"
         : kind == EventKind::SemaphoreWait ? "semaphore"
         : kind == EventKind::ResetPassed   ? "threads"
                                            : "transfers";
}

// Returns the arguments that say what the event waits for, and from whom it comes.
std::string TraceListener::describeNeed(const hw::Event &event) const {
  std::string text =
      fmt::format(R"("for":{},"need":"{}")", quoted(objectName(event)), needOf(event.kind));
  const hw::WordRole *role = roleOf(event);
  if (!role)
    return text;
  text += fmt::format(R"(,"what":{})", quoted(role->what));
  for (const hw::ThreadConfig &thread : program->threads)
    if (role->peer >= 0 && thread.processor == role->processor)
      text += fmt::format(R"(,"from":{})",
                          quoted(fmt::format("{} of {}", thread.name,
                                             hw::describeNode(*program, role->peer % program->gridX,
                                                              role->peer / program->gridX))));
  return text;
}

void TraceListener::writeWait(const hw::Event &event, const EventTimes &times) {
  if (event.kind == EventKind::Pop && times.resume > times.start) {
    uint64_t start = writeLaneWait(event, "math", "math", times.start,
                                   std::min(times.resume, times.start + times.idle));
    return span(event, false, "compute", "compute with " + objectName(event), start, times.resume,
                event.loc);
  }
  const hw::WordRole *role = roleOf(event);
  std::string name = role                                   ? role->what
                     : event.kind == EventKind::ResetPassed ? "the other threads"
                                                            : objectName(event);
  if (times.resume > times.start)
    span(event, false, "wait",
         fmt::format("waits for {}{}", event.kind == EventKind::Reserve ? "room in " : "", name),
         times.start, times.resume, event.loc, describeNeed(event));
  auto found = arrivals.find({event.node.x, event.node.y, uint32_t(event.object)});
  if (event.kind != EventKind::SemaphoreWait || found == arrivals.end())
    return;
  const Arrival &arrival = found->second;
  arrow("arrival", arrival.id, arrival.transfer, {event.agent, false, times.resume});
  arrivals.erase(found);
}

void TraceListener::writeCall(const hw::Event &event, const EventTimes &times) {
  span(event, false, "call", fmt::format("{} {}", verb(event.kind), objectName(event)),
       times.resume, times.end, event.loc,
       event.count ? fmt::format(R"("count":{})", event.count) : std::string());
}

// Writes that a lane of a compute thread waits for another lane, if it does. Returns `end`.
uint64_t TraceListener::writeLaneWait(const hw::Event &event, const char *what, const char *need,
                                      uint64_t start, uint64_t end) {
  if (end > start)
    span(event, false, "wait", fmt::format("waits for {}", what), start, end, event.loc,
         fmt::format(R"("for":"{}","need":"{}")", what, need));
  return end;
}

// Writes a section with the waits and calls that happen in it. "own" is its time without these.
void TraceListener::writeSection(const hw::Event &event, const EventTimes &times) {
  Section &section = sections[rowOf(event)];
  bool isMath = event.kind == EventKind::DstAcquire || event.kind == EventKind::DstCommit;
  if (event.kind == EventKind::DstAcquire || event.kind == EventKind::DstWait) {
    writeLaneWait(event, isMath ? "DST registers" : "results of math",
                  isMath ? "registers" : "results", times.start, times.resume);
    section = {times.resume, covered[rowOf(event)]};
    return;
  }
  uint64_t inside = covered[rowOf(event)] - section.covered;
  uint64_t start = writeLaneWait(event, "operands", "operands", section.start,
                                 std::min(times.end, section.start + times.idle));
  uint64_t length = times.end - start;
  covered[rowOf(event)] = section.covered + (start - section.start);
  span(event, false, "compute", isMath ? "math" : "pack", start, times.end, event.loc,
       fmt::format(R"("own":{})", micros(length - std::min(inside, length))));
  covered[rowOf(event)] = section.covered;
}

static const char *transferName(EventKind kind) {
  switch (kind) {
  case EventKind::ReadIssued:
    return "read";
  case EventKind::WriteIssued:
    return "write";
  case EventKind::MulticastIssued:
    return "multicast";
  default:
    return "increment";
  }
}

static std::string describe(const hw::MemoryPlace &place) {
  switch (place.memory) {
  case hw::MemoryPlace::L1:
    return fmt::format(R"(,"to":[{},{}])", place.x, place.y);
  case hw::MemoryPlace::DRAM:
    return fmt::format(R"(,"bank":{})", place.x);
  default:
    return {};
  }
}

void TraceListener::writeTransfer(const hw::Event &event, const EventTimes &times) {
  uint64_t id = arrowBase + event.object;
  lastTransfer = std::max(lastTransfer, id);
  const TransferInfo *info = clock->transfer(event.object);
  if (event.kind != EventKind::TransferLanded) {
    issued[event.object] = times.start;
    return span(event, false, "issue", transferName(event.kind), times.start, times.end, event.loc);
  }
  if (!info)
    return;
  const hw::MemoryPlace &place = info->destination;
  span(event, true, "copy", transferName(info->kind), times.start, times.end, info->loc,
       fmt::format(R"("bytes":{}{})", info->bytes, describe(place)));
  ArrowEnd transfer{event.agent, true, times.start};
  arrow("transfer", id, {event.agent, false, issued[event.object]}, transfer);
  issued.erase(event.object);
  if (place.memory == hw::MemoryPlace::L1)
    arrivals[{place.x, place.y, place.address}] = {id, transfer};
  clock->forget(event.object);
}

void TraceListener::writeText(const hw::Event &event, const EventTimes &times) {
  if (event.kind == EventKind::Blocked) {
    blocked[event.agent] = WaitFor{event.kind, event.object, event.loc};
    return;
  }
  std::string name = event.kind == EventKind::Fault
                         ? "fault"
                         : fmt::format("{} {}", hw::eventName(event.kind), event.text);
  file.add(fmt::format(
      R"({{"ph":"i","s":"t","cat":"text","name":{},"pid":{},"tid":{},"ts":{},"args":{{"at":{}}}}})",
      quoted(name), process(event.agent), threadNumber(event.agent, false, lane), micros(times.end),
      quoted(position(event.loc))));
}

//===--------------------------------------------------------------------------===//
// Pages in buffers
//===--------------------------------------------------------------------------===//

void TraceListener::change(const hw::Event &event, uint64_t when) {
  if (event.object >= bufferNames.size())
    return;
  size_t key = event.agent / hw::kThreadsPerNode * bufferNames.size() + event.object;
  Occupancy &buffer = occupancy[key];
  (event.kind == EventKind::Push ? buffer.pushes : buffer.pops).push_back({when, event.count});
  writeChanges(key, /*isEnd=*/false);
}

// Handles a reset, which drops the filled pages.
void TraceListener::empty(const hw::Event &event, uint64_t when) {
  if (event.object >= bufferNames.size())
    return;
  size_t key = event.agent / hw::kThreadsPerNode * bufferNames.size() + event.object;
  Occupancy &buffer = occupancy[key];
  int64_t left = buffer.pages;
  for (const PageChange &push : buffer.pushes)
    left += int64_t(push.count);
  for (const PageChange &pop : buffer.pops)
    left -= int64_t(pop.count);
  if (left > 0)
    buffer.pops.push_back({when, static_cast<uint32_t>(left)});
  writeChanges(key, /*isEnd=*/false);
}

void TraceListener::writeChanges(size_t key, bool isEnd) {
  Occupancy &buffer = occupancy[key];
  auto &[pushes, pops, pages] = buffer;
  while (isEnd ? !pushes.empty() || !pops.empty() : !pushes.empty() && !pops.empty()) {
    bool isPush = pops.empty() || (!pushes.empty() && pushes.front().time <= pops.front().time);
    std::deque<PageChange> &changes = isPush ? pushes : pops;
    pages += isPush ? int64_t(changes.front().count) : -int64_t(changes.front().count);
    file.add(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"pages":{}}}}})",
                         quoted("pages in " + bufferNames[key % bufferNames.size()]),
                         base + key / bufferNames.size(), micros(changes.front().time),
                         std::max<int64_t>(pages, 0)));
    changes.pop_front();
  }
}

// Returns whether the event is only for the time model.
static bool isCost(const hw::Event &event) {
  return event.kind == EventKind::Signpost && event.object == hw::kCostSignpost;
}

void TraceListener::onEvent(const hw::Event &event) {
  if (program && mistake().empty() && !isCost(event))
    write(event, clock->at(event));
}

void TraceListener::onTimedEvent(const hw::Event &event, const EventTimes &cycles) {
  if (program && mistake().empty() && !isCost(event))
    write(event, clock->give(event, cycles));
}

void TraceListener::write(const hw::Event &event, const EventTimes &times) {
  lane = times.lane;
  if (event.kind != EventKind::TransferLanded && event.kind != EventKind::Blocked)
    blocked[event.agent].reset();
  switch (event.kind) {
  case EventKind::Push:
  case EventKind::Pop:
    change(event, times.end);
    [[fallthrough]];
  case EventKind::Reserve:
  case EventKind::Wait:
  case EventKind::ResetPassed:
  case EventKind::ReadBarrier:
  case EventKind::WriteBarrier:
  case EventKind::WritesFlushed:
  case EventKind::AtomicBarrier:
  case EventKind::SemaphoreSet:
  case EventKind::SemaphoreWait:
    writeWait(event, times);
    return writeCall(event, times);
  case EventKind::DstAcquire:
  case EventKind::DstCommit:
  case EventKind::DstWait:
  case EventKind::DstRelease:
    return writeSection(event, times);
  case EventKind::ReadIssued:
  case EventKind::WriteIssued:
  case EventKind::MulticastIssued:
  case EventKind::SemaphoreIssued:
  case EventKind::TransferLanded:
    return writeTransfer(event, times);
  case EventKind::BufferReset:
    return empty(event, times.end);
  case EventKind::Blocked:
  case EventKind::Print:
  case EventKind::Signpost:
  case EventKind::Fault:
    return writeText(event, times);
  default: // the spans of a thread show its start and end; kinds to come are not drawn
    return;
  }
}
