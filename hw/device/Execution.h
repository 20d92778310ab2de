//===- Execution.h - the run of a program from set-up to result -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_EXECUTION_H
#define TTJIT_HW_DEVICE_EXECUTION_H

#include "hw/device/RankRun.h"
#include "hw/device/SetUp.h"

namespace ttjit::hw {

/// A run. Device::run creates an Execution for each one.
class Execution {
public:
  /// `ranks` is null if this process runs all devices; otherwise `options` are those in `ranks`.
  Execution(const Program &program, const RunOptions &options, Memories &memories,
            MachineStorage &storage, DecisionSource &decisions,
            const std::atomic<bool> &interrupted, RankRun *ranks = nullptr);

  /// Runs the program. Call it once, or the three functions below in this order.
  RunResult execute();
  void begin();
  /// Returns when the program has ended, or when pause() was called: then call run() again.
  void run();
  RunResult finish();

  /// Makes run() return. Call it in an event of the running thread. Needs a run of one partition.
  void pause() { workers.front()->scheduler.pause(); }
  bool isPaused() const { return workers.front()->scheduler.isPaused(); }

  Machine machine;

private:
  void runWorkers();
  void reportDeadlock() noexcept;
  /// Sets, or after the run clears, the mark of the program's constant tensors.
  void markConstants(bool areConstant);
  void collectStats();

  MachineStorage &storage;
  NodeMemories nodeMemories;
  RankRun *ranks;
  SetUp::Workers workers; ///< indexed by the number of the partition; null for those of other ranks
  RunStats stats;
  bool isReady = false; ///< whether the run could be prepared
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_EXECUTION_H
