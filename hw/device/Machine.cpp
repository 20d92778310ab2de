//===- Machine.cpp - one run of a program ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Machine.h"

#include "hw/tile/TileMath.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace ttjit::hw {

/// A listener, the choices of a decision source and the state of an engine belong to one host
/// thread.
static bool needsOneHostThread(const Program &program, const RunOptions &options,
                               const DecisionSource &decisions) {
  return !options.listeners.empty() || options.decisions ||
         decisions.delivery() == DeliveryPolicy::Random || program.sharesEngineState;
}

/// Whether the nodes may run in any order: they do not depend on each other, and nobody can see
/// the order. The fault is that of Fair then.
static bool isOrderFree(const Program &program, const RunOptions &options,
                        const DecisionSource &decisions) {
  bool mayChoose = options.schedule == SchedulePolicy::Parallel ||
                   (options.schedule == SchedulePolicy::Fair && options.mayUseHostThreads);
  return mayChoose && !needsOneHostThread(program, options, decisions) && !options.stepLimit &&
         !program.reachesOtherCores && !program.prints && program.hostFunctions.empty() &&
         program.deliveries.empty();
}

/// Whether it pays to run one node after the other: the buffers of all nodes together exceed the
/// cache next to a processor of the host. If they fit, nodes that take turns share what they read.
static bool exceedsCache(const Program &program) {
  constexpr uint64_t kCacheBytes = 1 << 20;
  uint64_t bytes = 0;
  for (const BufferConfig &buffer : program.buffers)
    bytes += uint64_t{buffer.pageBytes} * buffer.numPages;
  return bytes * static_cast<uint64_t>(std::max(program.numNodes, 1)) > kCacheBytes;
}

/// Returns the number of partitions of a run. Under Fair there are several if starting host threads
/// takes less time than they save.
static size_t numPartitions(const Program &program, const RunOptions &options,
                            const DecisionSource &decisions) {
  constexpr uint64_t kMinBytes = 3 << 20; // takes some 300 us; starting host threads some 50
  bool isParallel =
      options.schedule == SchedulePolicy::Parallel
          ? !needsOneHostThread(program, options, decisions)
          : isOrderFree(program, options, decisions) && program.tensorBytes >= kMinBytes;
  if (!isParallel)
    return 1;
  size_t threads = options.hostThreads ? options.hostThreads : numHostThreads();
  return std::clamp<size_t>(threads, 1, std::max(program.numNodes, 1));
}

Machine::Machine(const Program &program, const RunOptions &options, Memories &memories,
                 MachineStorage &storage, DecisionSource &decisions,
                 const std::atomic<bool> &interrupted)
    : program(program), options(options), memories(memories), arch(memories.arch()),
      nodeByNode(isOrderFree(program, options, decisions) && exceedsCache(program)),
      partitions(*this, numPartitions(program, options, decisions), storage.partitions, decisions),
      storage(storage), interrupted(interrupted) {
  watched = !options.listeners.empty();
  tilesWatched = std::ranges::any_of(options.listeners, &EventListener::wantsTiles);
  switches = decisions.switchesAtEvents() || decisions.delivery() == DeliveryPolicy::Random;
  switchesThreads = decisions.switchesAtEvents();
}

void Machine::runPartitions() {
  try {
    storage.hostThreads.start(partitions.size() - 1, [this](size_t i) { partitions[i].run(); });
  } catch (const std::system_error &error) {
    fault(nullptr, FaultKind::Resource,
          fmt::format("cannot make {} host threads: {}", partitions.size() - 1, error.what()));
    return;
  }
  partitions[0].run();
  storage.hostThreads.wait();
}

RunResult Machine::execute() {
  begin();
  run();
  return finish();
}

void Machine::begin() {
  try {
    isReady = setUp();
    if (isReady)
      for (EventListener *listener : options.listeners)
        listener->onRunStart(program);
  } catch (...) {
    isReady = false;
    (void)faultFromException(nullptr);
  }
}

void Machine::run() {
  if (!isReady)
    return;
  try {
    if (partitions.isOne())
      partitions[0].run();
    else
      runPartitions();
  } catch (...) {
    (void)faultFromException(nullptr);
  }
}

RunResult Machine::finish() {
  std::vector<Fault> warnings;
  try {
    for (auto &partition : partitions)
      partition->output.finishAll();
    collectStats();
    if (!firstFault)
      warnings = findUnreceived();
  } catch (...) {
    (void)faultFromException(nullptr);
  }
  markConstants(false);
  return {std::move(firstFault), stats, std::move(warnings)};
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

void Machine::runThread(Fiber &fiber) {
  ThreadContext &thread = *static_cast<ThreadContext *>(fiber.owner);
  Machine &machine = *thread.machine;
  thread.partition->scheduler.arrive();
  machine.threadReturned(thread, machine.callEntry(thread));
  thread.partition->scheduler.leave(thread);
}

Status Machine::callEntry(ThreadContext &thread) {
  try {
    note(thread, EventKind::ThreadStart, 0);
    return thread.config->entry(thread);
  } catch (...) {
    return faultFromException(&thread);
  }
}

void Machine::threadReturned(ThreadContext &thread, Status status) noexcept {
  try {
    finishThread(thread, status);
  } catch (...) {
    (void)faultFromException(&thread);
  }
}

void Machine::finishThread(ThreadContext &thread, Status status) {
  if (cancelled(thread))
    return;
  if (status != Status::Ok) {
    fault(&thread, FaultKind::Runtime,
          fmt::format("internal error: thread {}() returned status {} without a fault",
                      thread.config->name, static_cast<int>(status)));
    return;
  }
  thread.partition->noc.finish(thread);
  thread.partition->output.finish(thread);
  thread.loc = 0; // engines differ in the position of their last call
  note(thread, EventKind::ThreadEnd, 0);
}

void Machine::abandon(ThreadContext &thread) noexcept {
  threadReturned(thread, Status::Cancelled);
  thread.partition->scheduler.leave(thread);
}

/// Returns the waits for flags that `wait` consists of.
static std::span<const WaitState> flagsOf(const WaitState &wait) {
  std::span<const WaitState> all =
      wait.kind == WaitKind::Any ? wait.alternatives() : std::span(&wait, 1);
  return all.front().kind == WaitKind::Engine ? all : std::span<const WaitState>();
}

void Machine::noteFlagWaiter(ThreadContext &thread, const WaitState &wait) {
  for (const WaitState &each : flagsOf(wait))
    flagWaiters[each.flag].insert(&thread);
}

void Machine::forgetFlagWaiter(ThreadContext &thread, const WaitState &wait) {
  for (const WaitState &each : flagsOf(wait))
    if (auto found = flagWaiters.find(each.flag); found != flagWaiters.end()) {
      found->second.erase(&thread);
      if (found->second.empty())
        flagWaiters.erase(found);
    }
}

Status Machine::block(ThreadContext &thread, WaitState wait) {
  if (cancelled(thread))
    return Status::Cancelled;
  thread.wait = wait;
  if (watched)
    report(thread, EventKind::Blocked, wait.object, wait.needed, nullptr);
  noteFlagWaiter(thread, wait);
  thread.partition->scheduler.block(thread);
  forgetFlagWaiter(thread, wait);
  return cancelled(thread) ? Status::Cancelled : Status::Ok;
}

void Machine::unblock(ThreadContext &thread) {
  thread.wait = {};
  thread.partition->scheduler.wake(thread);
}

Status Machine::switchAtEvent(ThreadContext &thread) {
  if (switchesThreads)
    thread.partition->scheduler.preempt(thread);
  else
    thread.partition->noc.landSome();
  return cancelled(thread) ? Status::Cancelled : Status::Ok;
}

/// Returns whether the predicate holds for the thread's wait, or for one of its alternatives.
template <typename Predicate> static bool waitsSo(const ThreadContext &thread, Predicate holds) {
  if (thread.wait.kind == WaitKind::Any)
    return std::ranges::any_of(thread.wait.alternatives(), holds);
  return holds(thread.wait);
}

void Machine::wakeSemaphoreWaiters(Node &node) {
  auto ends = [&](const WaitState &wait) {
    return wait.kind != WaitKind::Engine && isOver(wait, node.memory.l1);
  };
  for (ThreadContext *thread : node.threads) {
    if (!thread || thread->state != ThreadState::Blocked || !waitsSo(*thread, ends))
      continue;
    --node.semaphoreWaiters;
    unblock(*thread);
  }
}

void Machine::wakeFlagWaiters(const EngineFlag &flag) {
  auto ends = [&](const WaitState &wait) {
    return wait.flag == &flag && wait.needed == flag.value;
  };
  auto waiters = flagWaiters.find(&flag);
  if (waiters == flagWaiters.end())
    return;
  for (ThreadContext *thread : waiters->second)
    if (thread->state == ThreadState::Blocked && waitsSo(*thread, ends))
      unblock(*thread);
}

//===--------------------------------------------------------------------------===//
// Looking up nodes, positions and word roles
//===--------------------------------------------------------------------------===//

const BufferConfig *Machine::bufferConfig(uint32_t index) const {
  return index < bufferConfigs.size() ? bufferConfigs[index] : nullptr;
}

const SemaphoreConfig *Machine::semaphoreAt(uint32_t address) const {
  for (const SemaphoreConfig &semaphore : program.semaphores)
    if (address == arch.semaphoreAddress(semaphore.id))
      return &semaphore;
  return nullptr;
}

const WordRole *Machine::roleAt(const Node &node, uint32_t address) const {
  for (const WordRole &role : program.roles)
    if (role.node == node.number &&
        address == (role.semaphore >= 0 ? arch.semaphoreAddress(role.semaphore) : role.address))
      return &role;
  return nullptr;
}

Node *Machine::nodeAtVirtual(int virtualX, int virtualY) {
  int x = virtualX - arch.virtualOriginX, y = virtualY - arch.virtualOriginY;
  if (x < 0 || y < 0 || x >= program.gridX)
    return nullptr;
  size_t number = static_cast<size_t>(y) * static_cast<size_t>(program.gridX) + x;
  return number < nodes.size() ? &nodes[number] : nullptr;
}

uint8_t *Machine::l1AtVirtual(int virtualX, int virtualY) {
  if (Node *node = nodeAtVirtual(virtualX, virtualY))
    return node->memory.l1;
  int x = virtualX - arch.virtualOriginX, y = virtualY - arch.virtualOriginY;
  int columns = std::max(arch.gridX, program.gridX), rows = std::max(arch.gridY, program.gridY);
  if (x < 0 || y < 0 || x >= columns || y >= rows)
    return nullptr;
  return memories.l1(x, y);
}

} // namespace ttjit::hw
