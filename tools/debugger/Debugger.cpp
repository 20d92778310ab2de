//===- Debugger.cpp - stops, inspects and repeats a launch --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/debugger/Debugger.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace ttjit;
using namespace ttjit::debugger;

// Visits, on each device, the pages that it has of the tensor.
template <typename Visit>
static void forEachPage(hw::Device &device, const hw::TensorAllocation &tensor,
                        const Visit &visit) {
  for (int on = 0; on < device.numDevices(); ++on)
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      visit(device.page(tensor, page, on));
}

Debugger::Debugger(hw::Device &device, const hw::Program &program,
                   const std::vector<hw::TensorAllocation> &tensors, hw::RunOptions given,
                   bool keepsTimes)
    : target(device), code(program), allocations(tensors), options(std::move(given)) {
  if (options.schedule == hw::SchedulePolicy::Parallel)
    options.schedule = hw::SchedulePolicy::Fair;
  options.mayUseHostThreads = false;
  if (!options.decisions) {
    ownDecisions = hw::makeDecisions(options);
    options.decisions = ownDecisions.get();
  }
  decisions = std::make_unique<RewindableDecisions>(*options.decisions);
  options.decisions = decisions.get();
  others = std::exchange(options.listeners, {this});
  if (keepsTimes)
    times.emplace(device.fabric());
  // A repeated part of the run prints its text again: do not show it.
  if (options.print)
    options.print = [this, print = options.print](const std::string &text) {
      if (moments >= furthest && !isLeaving)
        print(text);
    };
  for (const hw::TensorAllocation &tensor : tensors) {
    std::vector<std::byte> &bytes = inputs.emplace_back();
    forEachPage(device, tensor,
                [&](std::byte *page) { bytes.insert(bytes.end(), page, page + tensor.pageBytes); });
  }
}

Debugger::~Debugger() { leave(); }

void Debugger::restoreTensors() {
  for (size_t i = 0; i < allocations.size(); ++i) {
    const std::byte *from = inputs[i].data();
    forEachPage(target, allocations[i], [&](std::byte *page) {
      std::memcpy(page, from, allocations[i].pageBytes);
      from += allocations[i].pageBytes;
    });
  }
}

// Keeps the contents of buffers: pages that no thread has written have those of an earlier launch.
void Debugger::keepBuffers() {
  for (int node = 0; node < code.gridX * code.gridY; ++node)
    for (const hw::BufferConfig &buffer : code.buffers) {
      KeptBuffer kept{{node % code.gridX, node / code.gridX}, buffer.address, {}};
      kept.bytes.resize(size_t(buffer.numPages) * buffer.pageBytes);
      if (!buffer.backing && run->state().readL1(kept.node, kept.address, kept.bytes))
        buffers.push_back(std::move(kept));
    }
}

void Debugger::restoreBuffers() {
  for (const KeptBuffer &kept : buffers)
    run->state().writeL1(kept.node, kept.address, kept.bytes);
}

//===--------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------===//

// Ends a paused run: its threads leave at their next calls.
void Debugger::leave() {
  isLeaving = true;
  run.reset();
  isLeaving = false;
  positions.clear();
}

bool Debugger::start() {
  bool isAgain = run || moments;
  leave();
  if (isAgain)
    restoreTensors();
  decisions->rewind();
  moments = 0;
  current = {};
  std::string whyNot;
  run = target.start(code, options, whyNot);
  if (!run) {
    refusal.emplace();
    refusal->message = whyNot;
    return false;
  }
  isAgain ? restoreBuffers() : keepBuffers();
  return true;
}

bool Debugger::go() {
  isStopping = false;
  interp::setStatementHook(this);
  bool goesOn = run->resume();
  interp::setStatementHook(nullptr);
  if (goesOn)
    refreshWatches();
  return goesOn;
}

bool Debugger::resume(const Goal &next) {
  if (refusal || (!run && !start()) || run->hasEnded())
    return false;
  goal = next;
  goalDepth = depthOf(next.agent);
  return go();
}

bool Debugger::goTo(uint64_t moment) {
  if (!start())
    return false;
  std::erase_if(edits, [&](const Edit &edit) { return edit.moment > moment; });
  if (moment == 0)
    return true;
  goal = {Goal::Kind::Moment, 0, moment};
  return go();
}

hw::RunResult Debugger::result() const {
  if (hasEnded())
    return run->result();
  hw::RunResult result;
  result.fault = refusal;
  if (!refusal)
    result.fault.emplace().message = "the debugger ended the run";
  return result;
}

std::vector<timing::Progress> Debugger::progress() const {
  if (!times || !hasStarted())
    return {};
  return timing::progress(times->recorded(), code, target.arch());
}

uint64_t Debugger::statementBefore(hw::AgentId agent) const {
  for (uint64_t moment = moments; moment-- > 1;)
    if (statementOf[moment] == agent)
      return moment;
  return 0;
}

//===--------------------------------------------------------------------------===//
// Moments
//===--------------------------------------------------------------------------===//

hw::AgentId Debugger::agentOf(const interp::Frame &frame) const {
  auto node = static_cast<uint32_t>(frame.thread.y * code.gridX + frame.thread.x);
  return node * hw::kThreadsPerNode + frame.thread.processor;
}

void Debugger::onRunStart(const hw::Program &program) {
  if (times)
    times->onRunStart(program);
  if (furthest == 0)
    for (hw::EventListener *other : others)
      other->onRunStart(program);
}

void Debugger::onEvent(const hw::Event &event) {
  if (times && !isLeaving)
    times->onEvent(event);
  if (moments >= furthest && !isLeaving)
    for (hw::EventListener *other : others)
      other->onEvent(event);
  arrive({0, event.agent, event.node, nullptr, &event});
  if (event.kind == hw::EventKind::ThreadEnd)
    positions.erase(event.agent);
}

void Debugger::onStatement(const interp::Statement &statement, interp::Frame &frame) {
  hw::AgentId agent = agentOf(frame);
  positions[agent] = {&statement, &frame};
  arrive({0, agent, {frame.thread.x, frame.thread.y}, &statement, nullptr});
}

void Debugger::arrive(Moment moment) {
  if (isLeaving)
    return;
  moment.number = ++moments;
  statementOf.resize(moments + 1, kNoAgent);
  statementOf[moments] = moment.statement ? moment.agent : kNoAgent;
  for (const Edit &edit : edits)
    if (edit.moment == moment.number)
      apply(edit);
  if (std::optional<Stop> stop = isStopping ? std::nullopt : stopAt(moment)) {
    current = std::move(*stop);
    isStopping = true;
  }
  furthest = std::max(furthest, moments);
  // A listener can pause a run only while a thread runs: otherwise the next moment pauses it.
  if (isStopping && run) {
    current.moment = moments;
    run->pause();
  }
}

bool Debugger::isReached(const Moment &moment) const {
  bool ends = moment.event && moment.event->kind == hw::EventKind::ThreadEnd;
  bool isOwn = moment.agent == goal.agent;
  size_t depth = moment.statement ? moment.statement->callers.size() : 0;
  switch (goal.kind) {
  case Goal::Kind::Continue:
    return false;
  case Goal::Kind::Any:
    return moment.statement;
  case Goal::Kind::Step:
    return isOwn && (moment.statement || ends);
  case Goal::Kind::Next:
    return isOwn && (ends || (moment.statement && depth <= goalDepth));
  case Goal::Kind::Finish:
    return isOwn && (ends || (moment.statement && depth < goalDepth));
  case Goal::Kind::Moment:
    return moment.number >= goal.moment;
  }
  return false;
}

std::optional<Stop> Debugger::stopAt(const Moment &moment) {
  auto because = [&](Stop::Reason reason) {
    return Stop{reason, 0, moment.number, moment.agent, {}};
  };
  if (goal.kind == Goal::Kind::Moment)
    return isReached(moment) ? std::optional(because(Stop::Reason::Goal)) : std::nullopt;
  if (wantsInterrupt.exchange(false))
    return because(Stop::Reason::Interrupted);
  if (moment.event && moment.event->kind == hw::EventKind::Fault)
    return Stop{Stop::Reason::Fault, 0, moment.number, moment.agent,
                std::string(moment.event->text)};
  if (auto stop = changeAt(moment))
    return stop;
  if (auto stop = breakAt(moment))
    return stop;
  if (!isReached(moment))
    return std::nullopt;
  bool ends = moment.event && moment.event->kind == hw::EventKind::ThreadEnd;
  return because(ends ? Stop::Reason::ThreadEnd : Stop::Reason::Goal);
}

//===--------------------------------------------------------------------------===//
// Breakpoints and watches
//===--------------------------------------------------------------------------===//

const std::string &Debugger::threadName(hw::AgentId agent) const {
  static const std::string none;
  for (const hw::ThreadConfig &thread : code.threads)
    if (static_cast<uint32_t>(thread.processor) == agent % hw::kThreadsPerNode)
      return thread.name;
  return none;
}

static bool isPathEnd(const std::string &path, const std::string &end) {
  if (!path.ends_with(end))
    return false;
  return end.empty() || path.size() == end.size() || end.starts_with('/') ||
         path[path.size() - end.size() - 1] == '/';
}

static bool isOp(const std::string &op, const std::string &name) {
  return op == name || (op.ends_with(name) && op[op.size() - name.size() - 1] == '.');
}

bool Debugger::matches(const Breakpoint &breakpoint, const Moment &moment) const {
  if (breakpoint.node &&
      (moment.node.x != breakpoint.node->first || moment.node.y != breakpoint.node->second))
    return false;
  if (!breakpoint.thread.empty() && threadName(moment.agent) != breakpoint.thread)
    return false;
  if (breakpoint.kind == Breakpoint::Kind::Event)
    return moment.event && hw::eventName(moment.event->kind) == breakpoint.name &&
           (!breakpoint.buffer || moment.event->object == *breakpoint.buffer);
  if (!moment.statement)
    return false;
  const interp::Statement &statement = *moment.statement;
  if (breakpoint.kind == Breakpoint::Kind::Op)
    return std::ranges::any_of(statement.ops,
                               [&](const std::string &op) { return isOp(op, breakpoint.name); });
  return statement.position.line == breakpoint.line &&
         isPathEnd(statement.position.file, breakpoint.file);
}

std::optional<Stop> Debugger::breakAt(const Moment &moment) const {
  for (const Breakpoint &breakpoint : breakpoints)
    if (matches(breakpoint, moment))
      return Stop{Stop::Reason::Breakpoint, breakpoint.id, moment.number, moment.agent,
                  moment.event ? hw::eventName(moment.event->kind) : ""};
  return std::nullopt;
}

std::optional<Stop> Debugger::changeAt(const Moment &moment) {
  for (Watch &watch : watches) {
    std::vector<std::byte> now(watch.last.size());
    if (!read(watch.place, now) || now == watch.last)
      continue;
    watch.last = std::move(now);
    return Stop{Stop::Reason::Watch, watch.id, moment.number, moment.agent, watch.text};
  }
  return std::nullopt;
}

bool Debugger::watch(Watch watch) {
  watch.last.resize(watch.place.bytes);
  if (!run || run->hasEnded() || !read(watch.place, watch.last))
    return false;
  watches.push_back(std::move(watch));
  return true;
}

void Debugger::removeWatch(int id) {
  std::erase_if(watches, [&](const Watch &watch) { return watch.id == id; });
}

void Debugger::refreshWatches() {
  for (Watch &watch : watches)
    (void)read(watch.place, watch.last);
}

//===--------------------------------------------------------------------------===//
// Looking and changing
//===--------------------------------------------------------------------------===//

std::vector<hw::ThreadView> Debugger::threads() const {
  return run && !run->hasEnded() ? run->state().threads() : std::vector<hw::ThreadView>();
}

ThreadPosition Debugger::position(hw::AgentId agent) const {
  auto found = positions.find(agent);
  return found == positions.end() ? ThreadPosition() : found->second;
}

size_t Debugger::depthOf(hw::AgentId agent) const {
  const interp::Statement *statement = position(agent).statement;
  return statement ? statement->callers.size() : 0;
}

bool Debugger::read(const hw::MemoryPlace &place, std::span<std::byte> to) const {
  if (!run || run->hasEnded())
    return false;
  if (place.memory == hw::MemoryPlace::L1)
    return run->state().readL1({place.x, place.y}, place.address, to);
  int on = place.y; // the device; place.x is the bank of its DRAM
  for (const hw::TensorAllocation &tensor : allocations)
    for (uint32_t page = 0; page < tensor.numPages; ++page) {
      hw::MemoryPlace start = target.place(tensor, page, on);
      uint64_t offset = uint64_t(place.address) - start.address;
      if (start.memory != place.memory || start.x != place.x || place.address < start.address ||
          offset + to.size() > tensor.pageBytes)
        continue;
      std::memcpy(to.data(), target.page(tensor, page, on) + offset, to.size());
      return true;
    }
  return false;
}

bool Debugger::apply(const Edit &edit) {
  if (!edit.slot)
    return run->state().writeL1(edit.node, edit.address, edit.bytes);
  ThreadPosition at = position(edit.agent);
  if (at.frame)
    at.frame->slots[*edit.slot].bits = edit.bits;
  return at.frame;
}

// Keeps the change. Forgets later decisions, because they may not fit the changed values.
void Debugger::record(Edit edit) {
  decisions->forgetRest();
  furthest = moments;
  edits.push_back(std::move(edit));
  refreshWatches();
}

bool Debugger::setSlot(hw::AgentId agent, interp::SlotNumber slot, uint64_t bits) {
  Edit edit{moments, agent, slot, bits, {}, 0, {}};
  bool applied = run && !run->hasEnded() && apply(edit);
  if (applied)
    record(std::move(edit));
  return applied;
}

bool Debugger::write(hw::NodeCoord node, uint32_t address, std::vector<std::byte> bytes) {
  Edit edit{moments, 0, std::nullopt, 0, node, address, std::move(bytes)};
  bool applied = run && !run->hasEnded() && apply(edit);
  if (applied)
    record(std::move(edit));
  return applied;
}
