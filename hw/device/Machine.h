//===- Machine.h - one run of a program -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of a run: nodes, threads, partitions, the first fault.
// Device::run creates a Machine for each run. The out-of-line functions of the kernel
// API (hw/abi) work on it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MACHINE_H
#define TTJIT_HW_DEVICE_MACHINE_H

#include "hw/device/Decisions.h"
#include "hw/device/EngineState.h"
#include "hw/device/MachineStorage.h"
#include "hw/device/Memories.h"
#include "hw/device/Noc.h"
#include "hw/device/Node.h"
#include "hw/device/Partition.h"
#include "hw/device/ThreadContext.h"

#include <atomic>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>

namespace ttjit::hw {

class Machine {
public:
  Machine(const Program &program, const RunOptions &options, Memories &memories,
          MachineStorage &storage, DecisionSource &decisions, const std::atomic<bool> &interrupted);

  /// Runs the program. Call it once, or the three functions below in this order.
  RunResult execute();
  void begin();
  /// Returns when the program has ended or when a thread paused it; call it again then.
  void run();
  /// Whether a thread has paused the run. It has one partition then.
  bool isPaused() { return partitions.isOne() && partitions[0].scheduler.isPaused(); }
  RunResult finish();

  //===--- Faults (Faults.cpp) ---------------------------------------------===//

  /// Records a fault and ends the run. Returns the status that the caller must return.
  /// `thread` is null for a fault that belongs to no thread. Of the faults of several
  /// partitions, the run has the one with the fewest steps of its partition before it; of
  /// those, the one of the first node.
  Status fault(ThreadContext *thread, FaultKind kind, std::string message,
               std::vector<FaultNote> notes = {});
  /// Records the exception that is being handled as the run's fault, and ends the run.
  Status faultFromException(ThreadContext *thread) noexcept;
  void record(Fault fault, ThreadContext *thread);
  void recordInterrupt(ThreadContext *running);
  /// Records a fault that concerns several threads; the thread that it names gets the event.
  void recordForAll(Fault fault);
  /// Whether the run has ended for this thread.
  bool cancelled(const ThreadContext &thread) const { return thread.partition->cancelled(); }
  const SourceLocation &location(uint32_t loc) const;
  /// The position of the thread's current call; if unknown, the position of its
  /// function.
  const SourceLocation &location(const ThreadContext &thread) const;
  /// Returns a fault at the thread's position; null: at none. Does not record it.
  Fault faultOf(const ThreadContext *thread, FaultKind kind, std::string message) const;

  //===--- Steps (Steps.cpp) -----------------------------------------------===//

  /// Every out-of-line call begins with this and returns its status unless it is Ok.
  Status enter(ThreadContext &thread);
  Status step(ThreadContext &thread);
  void grantSteps(ThreadContext &thread);
  void settleSteps(ThreadContext &thread);
  /// With several partitions, a switch checks the limit too: their grants may exceed it together.
  void checkLimit(ThreadContext &thread);
  bool isWithinLimit(ThreadContext &thread);
  bool interruptRequested() const { return interrupted.load(std::memory_order_relaxed); }

  //===--- Events (Reports.cpp) --------------------------------------------===//

  /// Whether somebody listens.
  bool isWatched() const { return watched; }

  /// Records an event: tells the listeners, and notes that the thread is not in an
  /// endless loop.
  void note(ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count = 0,
            const CircularBuffer *buffer = nullptr, const Transfer *transfer = nullptr) {
    thread.eventMark = thread.stepsLeft;
    if (watched)
      report(thread, kind, object, count, buffer, transfer);
  }
  /// An event with a text. It is no use of the device, and no other thread runs here.
  void noteText(ThreadContext &thread, EventKind kind, std::string_view text, uint64_t object = 0);
  /// Every call that made an event ends with this. A scheduling policy may let another
  /// thread run here.
  Status afterEvent(ThreadContext &thread) { return switches ? switchAtEvent(thread) : Status::Ok; }
  Status event(ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count = 0,
               const CircularBuffer *buffer = nullptr) {
    note(thread, kind, object, count, buffer);
    return afterEvent(thread);
  }
  void report(const ThreadContext &thread, EventKind kind, uint64_t object, uint32_t count,
              const CircularBuffer *buffer, const Transfer *transfer = nullptr);
  /// Tells the listeners that the thread reads or writes [address, address + bytes) of its L1. This
  /// is no use of the device, and no other thread runs here.
  void noteRead(const ThreadContext &thread, uint32_t address, uint32_t bytes) {
    if (watched)
      reportAccess(thread, address, bytes, /*writes=*/false);
  }
  void noteWrite(const ThreadContext &thread, uint32_t address, uint32_t bytes) {
    if (watched)
      reportAccess(thread, address, bytes, /*writes=*/true);
  }
  void reportAccess(const ThreadContext &thread, uint32_t address, uint32_t bytes, bool writes);
  void tell(const Event &event);
  /// Whether a listener wants to hear of tiles.
  bool tellsTiles() const { return tilesWatched; }
  void tellTile(const TileUse &use);
  /// Blocks until another thread or a transfer ends the wait; Cancelled if the run ends.
  Status block(ThreadContext &thread, WaitState wait);
  void unblock(ThreadContext &thread);
  /// Leaves a thread whose call did not return Ok.
  [[noreturn]] void abandon(ThreadContext &thread) noexcept;

  //===--- Finding things --------------------------------------------------===//

  const BufferConfig *bufferConfig(uint32_t index) const;
  const SemaphoreConfig *semaphoreAt(uint32_t address) const;
  /// Returns the role of a semaphore's word; null if the program does not say what the word counts.
  const WordRole *roleAt(const Node &node, uint32_t address) const;
  ThreadContext &thread(AgentId agent) { return threads[agent]; }
  bool hasResets() const { return !program.resets.empty(); }
  uint32_t numBuffers() const { return static_cast<uint32_t>(bufferConfigs.size()); }
  /// Returns the node at these virtual coordinates; null if no thread of the program runs there.
  Node *nodeAtVirtual(int x, int y);
  /// Host address of the L1 of any core of the chip or the grid; null if there is
  /// no such core.
  uint8_t *l1AtVirtual(int x, int y);
  std::span<Node> allNodes() { return nodes; }
  /// Wakes the threads whose wait for a word of this node's L1 is over.
  void wakeSemaphoreWaiters(Node &node);
  /// Wakes the threads that wait for the flag's present value.
  void wakeFlagWaiters(const EngineFlag &flag);

  /// Gives memory to a node whose threads are about to start. Returns false after recording a
  /// fault.
  bool giveMemory(Node &node);
  /// Gives the memory of a node whose threads have finished to a node that starts later.
  void reuseMemory(Node &node);

  const Program &program;
  const RunOptions &options;
  Memories &memories;
  const ArchDesc &arch;
  /// Whether a partition runs its nodes one after the other: nobody can see their order, and what
  /// one node has in its L1 is still in the host's cache when the next one needs memory.
  const bool nodeByNode;
  /// Whether some semaphore is on some nodes only.
  bool semaphoresDiffer = false;
  Partitions partitions;
  RunStats stats;
  std::unique_ptr<EngineState> engineState;

private:
  friend class Scheduler;

  /// Prepares the run (SetUp.cpp). Returns false after recording a fault.
  bool setUp();
  void runPartitions();
  bool refuse(FaultKind kind, std::string message, const SourceLocation &location = {});
  bool checkGrid();
  bool checkBuffers();
  bool checkBackedBuffers();
  bool checkBacking(const BufferConfig &buffer);
  bool checkSemaphores();
  bool checkRanges();
  bool checkHostMemory();
  bool growL1();
  void makeNodes();
  size_t registersPerNode() const { return static_cast<size_t>(dstCapacity) * dstSections; }
  NodeMemory memoryFor(const Node &node);
  void initSemaphores(const Node &node);
  void makeBuffers();
  bool mayAlias(const BufferConfig &buffer) const;
  /// Marks the constant tensors, for this run only.
  void markConstants(bool areConstant);
  bool makeThreads();
  void initThread(Node &node, const ThreadConfig &config);
  void noteFlagWaiter(ThreadContext &thread, const WaitState &wait);
  void forgetFlagWaiter(ThreadContext &thread, const WaitState &wait);
  void collectStats();
  void addStats(const Partition &partition);
  /// Warnings about sends without a receive (Deliveries.cpp).
  std::vector<Fault> findUnreceived() const;

  static void runThread(Fiber &fiber);
  Status callEntry(ThreadContext &thread);
  void threadReturned(ThreadContext &thread, Status status) noexcept;
  void finishThread(ThreadContext &thread, Status status);
  Status switchAtEvent(ThreadContext &thread);
  Status faultOfHostMemory(ThreadContext *thread);

  MachineStorage &storage;
  const std::atomic<bool> &interrupted;
  std::vector<Node> nodes;
  std::vector<ThreadContext>
      threads; ///< indexed by AgentId; `config` is null where there is no thread
  std::vector<const BufferConfig *> bufferConfigs; ///< indexed by buffer index
  /// Threads that wait for a flag, in the order of their nodes: `threads` never moves.
  std::unordered_map<const EngineFlag *, std::set<ThreadContext *>> flagWaiters;
  std::mutex faultMutex; ///< guards the first fault
  std::optional<Fault> firstFault;
  /// When it happened; 0 if it belongs to no thread.
  Moment faultMoment = 0;
  bool isReady = false; ///< whether the run could be prepared
  bool watched = false; ///< whether there are listeners
  bool tilesWatched = false;
  bool switches = false; ///< whether a transfer may land or another thread run after an event
  bool switchesThreads = false;
  uint32_t dstCapacity = 0;
  uint8_t dstSections = 0;
  std::atomic<uint64_t> stepsUsed{0}; ///< by all threads; counted if there is a limit
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MACHINE_H
