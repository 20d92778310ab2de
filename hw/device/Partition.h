//===- Partition.h - the nodes of one host thread -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a run are cut into partitions: one for each device if the devices run in rounds
// (hw/device/Rounds.h), otherwise one for each host thread. There may be several host threads
// under --schedule=parallel(N), and under fair if the order of the nodes cannot matter
// (hw/device/RunPlan.cpp). One host thread runs the threads of a partition (hw/device/Worker.h), so
// that all threads of a core take turns and buffers need no locks.
//
// What other partitions wrote into the cores of a partition comes into its inbox. Its worker looks
// there when one of its threads makes a call out of line, and when it chooses a thread. A partition
// that has nothing to run waits for the others. When all of them wait, the run ends: well if every
// thread has finished, otherwise with a deadlock.
//
// The launching host thread runs partition 0. It also calls what must run on it: functions of the
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
  /// Returns whether some threads have not finished.
  bool hasThreads() const { return unfinished != 0; }
  /// Notes that a thread has finished. Returns whether all threads of its node have.
  bool finish(ThreadContext &thread);

  /// Returns whether the run has ended for the threads of this partition.
  bool cancelled() const { return isCancelled; }
  /// Makes the fast paths and steps of all its threads fail from now on.
  void cancel();
  /// Lets threads run that have not started. All others must have left.
  void resume();

  /// Returns whether the partition must look at its inbox or must end.
  bool isWanted() const { return wanted.load(std::memory_order_acquire); }
  void want() { wanted.store(true, std::memory_order_seq_cst); }
  /// Tells the partition what arrived at a node of it. Any host thread may call this.
  void post(const Arrival &arrival);
  /// Returns what has arrived since the last call.
  const std::vector<Arrival> &takeInbox();
  /// Ends the run for this partition if another one has asked for it and its moment has come.
  void endIfAsked();

  const size_t number;
  StepCounter steps;
  RunStats stats;
  Moment now = 0;                       ///< moment of the thread that was chosen last
  std::vector<NodeMemory> unusedMemory; ///< of nodes that have ended

private:
  friend class Partitions; // the lock of Partitions guards isParked and unparked

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
  /// `areConnected`: whether threads use the L1 of other cores.
  Partitions(size_t count, uint64_t stepLimit, bool areConnected);

  size_t size() const { return parts.size(); }
  bool isOne() const { return parts.size() == 1; }
  Partition &operator[](size_t number) { return *parts[number]; }
  /// Returns the partition of a node. The nodes of a partition follow each other, so that
  /// neighbours on the grid are in one partition.
  Partition &ofNode(size_t node, size_t numNodes) { return *parts[node * size() / numNodes]; }

  /// Sets the function that reports a deadlock and stops the run. It must not throw.
  void onDeadlock(std::function<void()> report) { deadlock = std::move(report); }
  void reportDeadlock() { deadlock(); }

  /// Ends the run. A partition goes on up to this moment, because it may find an earlier fault.
  /// With 0 it ends at once.
  void stop(Moment moment);
  /// Returns whether a partition that has reached this moment must end.
  bool mustStop(Moment now) const { return now >= lastMoment.load(std::memory_order_acquire); }
  bool isStopping() const { return lastMoment.load(std::memory_order_acquire) != kNever; }

  StepLimit limit; ///< of the threads of all partitions
  const bool areConnected;
  /// If the devices take turns: how often each thread of a device that can run may look in vain for
  /// what it waits for, before the next device gets its turn.
  uint32_t looksInVain = 1;

  //===--- Called by the host thread of a partition ---------------------------===//

  /// Waits until there may be something to run. Returns false when the run is over.
  bool waitForWork(Partition &own);
  /// Wakes a partition that waits. Call it after something was put into its inbox.
  void wake(Partition &partition);
  /// Runs `work` on the launching host thread. Rethrows what it throws.
  void callOnLauncher(const std::function<void()> &work);
  /// Returns whether partition 0 must return to its host stack to run work of callOnLauncher().
  bool hasCalls(const Partition &own) const {
    return own.number == 0 && numCalls.load(std::memory_order_acquire) != 0;
  }
  /// Notes that the partition runs no thread any more. Partition 0 waits until all have left.
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
