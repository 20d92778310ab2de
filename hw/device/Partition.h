//===- Partition.h - the nodes of one host thread -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a run are cut into partitions: one for each device if the devices run in rounds
// (hw/device/Rounds.h), otherwise one for each host thread. There may be several host threads
// under --schedule=parallel(N), and under fair if the order of the nodes cannot matter
// (hw/device/RunPlan.cpp). One host thread runs the threads of a partition (hw/device/Worker.h), so
// that all threads of a core take turns and buffers need no locks.
//
// A partition learns of what other partitions wrote into its cores from its inbox. Its worker looks
// there when a thread of it makes a call out of line and when it chooses a thread. A partition
// that has nothing to run waits for the others. The run ends when all wait and every thread
// has finished; if threads are left, it ends with a deadlock.
//
// The launching host thread runs partition 0 and calls what must run there: functions of the
// host, and the sink of printed text.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PARTITION_H
#define TTJIT_HW_DEVICE_PARTITION_H

#include "hw/device/Arrivals.h"
#include "hw/device/Moment.h"
#include "hw/device/Node.h"
#include "hw/device/Run.h"
#include "hw/device/StepCounter.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ttjit::hw {

class Partitions;

class Partition {
public:
  Partition(Partitions &all, size_t number, StepLimit &limit)
      : number(number), steps(limit), all(all) {}

  /// Adds a thread. Threads start in the order in which they are added.
  void add(ThreadContext &thread);
  const std::vector<ThreadContext *> &threads() const { return allThreads; }
  /// Whether threads are left that have not finished.
  bool hasThreads() const { return unfinished != 0; }
  /// Notes that a thread has finished. Returns whether all threads of its node have.
  bool finish(ThreadContext &thread);

  /// Whether the run has ended for the threads of this partition.
  bool cancelled() const { return isCancelled; }
  /// Makes the fast paths and steps of all its threads fail from now on.
  void cancel();
  /// Lets threads run that have not started, after all others have left.
  void resume();

  /// Whether the partition must look at its inbox, or whether it must end.
  bool isWanted() const { return wanted.load(std::memory_order_acquire); }
  void want() { wanted.store(true, std::memory_order_seq_cst); }
  /// Tells the partition what arrived at a node of it. Any host thread may call this.
  void post(const Arrival &arrival);
  /// Returns what has arrived since the last call.
  const std::vector<Arrival> &takeInbox();
  /// Ends the run for this partition if another one has asked for that and it is time.
  void endIfAsked();

  const size_t number;
  StepCounter steps;
  RunStats stats;
  Moment now = 0;                       ///< moment of the thread that was chosen last
  std::vector<NodeMemory> unusedMemory; ///< of nodes that have ended

private:
  friend class Partitions; // isParked and unparked belong to its lock

  bool mustStop();

  Partitions &all;
  std::vector<ThreadContext *> allThreads;
  size_t unfinished = 0;
  bool isCancelled = false;
  uint64_t lastStep = UINT64_MAX; ///< of its threads, after another partition has asked to end
  std::atomic<bool> wanted{false};

  std::mutex inboxMutex;
  std::vector<Arrival> inbox;
  std::vector<Arrival> taken;

  std::atomic<bool> isParked{false}; ///< changed under Partitions::mutex
  std::condition_variable unparked;
};

/// The partitions of a run.
class Partitions {
public:
  /// `areConnected`: threads use the L1 of other cores.
  Partitions(size_t count, uint64_t stepLimit, bool areConnected);

  size_t size() const { return parts.size(); }
  bool isOne() const { return parts.size() == 1; }
  Partition &operator[](size_t number) { return *parts[number]; }
  /// The partition of a node. Each partition has nodes that follow each other, so that
  /// neighbours on the grid stay together.
  Partition &ofNode(size_t node, size_t numNodes) { return *parts[node * size() / numNodes]; }

  /// Sets what reports a deadlock and stops the run. It must not throw.
  void onDeadlock(std::function<void()> report) { deadlock = std::move(report); }
  void reportDeadlock() { deadlock(); }

  /// Ends the run. A partition goes on up to this moment, since it may find an earlier fault;
  /// with 0 it ends at once.
  void stop(Moment moment);
  /// Whether a partition must end that has reached this moment.
  bool mustStop(Moment now) const { return now >= lastMoment.load(std::memory_order_acquire); }
  bool isStopping() const { return lastMoment.load(std::memory_order_acquire) != kNever; }

  StepLimit limit; ///< of the threads of all partitions
  const bool areConnected;
  /// If the devices take turns: how often all threads of a device that can run may look in vain for
  /// what they wait for, before the turn of the next device comes.
  uint32_t looksInVain = 1;

  //===--- Called by the host thread of a partition ---------------------------===//

  /// Waits until there may be something to run. Returns false when the run is over.
  bool waitForWork(Partition &own);
  /// Wakes a partition that waits, after something was put where it will look.
  void wake(Partition &partition);
  /// Runs `work` on the launching host thread. Rethrows what it throws.
  void callOnLauncher(const std::function<void()> &work);
  /// Whether partition 0 must return to its host stack to run such work.
  bool hasCalls(const Partition &own) const {
    return own.number == 0 && numCalls.load(std::memory_order_acquire) != 0;
  }
  /// The partition will run no thread any more. That of partition 0 returns when all have left.
  void leave(Partition &own);

private:
  static constexpr Moment kNever = UINT64_MAX;

  /// Work for the launching host thread.
  struct Call {
    const std::function<void()> &work;
    std::exception_ptr error;
    bool done = false;
  };

  bool serveCalls();
  bool watchFor(const Partition &own) const;
  void unpark(Partition &partition);
  void unparkAll();
  void conclude(std::unique_lock<std::mutex> &lock);

  std::vector<std::unique_ptr<Partition>> parts;
  std::function<void()> deadlock;
  std::atomic<Moment> lastMoment{kNever}; ///< kNever: nobody has called stop()

  std::mutex mutex;
  size_t numParked = 0;
  bool ended = false;

  std::mutex callMutex;
  std::condition_variable callsChanged;
  std::vector<Call *> calls;
  std::atomic<size_t> numCalls{0};
  size_t numLeft = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PARTITION_H
