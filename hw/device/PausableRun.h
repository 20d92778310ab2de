//===- PausableRun.h - a run that stops at events and goes on -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Device::start() makes a PausableRun. It has the results and events that Device::run() would have.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PAUSABLERUN_H
#define TTJIT_HW_DEVICE_PAUSABLERUN_H

#include "hw/device/RunState.h"

#include <atomic>
#include <functional>
#include <memory>

namespace ttjit::hw {

class Execution;
class Memories;
struct MachineStorage;

/// A run of a device. While this object exists, the device runs no other program. All calls must
/// come from one host thread. The program, the listeners and the device must outlive it.
class PausableRun {
public:
  static constexpr uint64_t kToTheEnd = UINT64_MAX;

  PausableRun(const Program &program, const RunOptions &options, Memories &memories,
              MachineStorage &storage, std::unique_ptr<DecisionSource> decisions,
              std::atomic<bool> &interrupted, std::function<void()> atEnd);
  /// Ends the run if it is paused.
  ~PausableRun();
  PausableRun(const PausableRun &) = delete;
  PausableRun &operator=(const PausableRun &) = delete;

  /// Runs until `event` events have happened since the start of the run, and all listeners know of
  /// the last of them. Returns false if the run has ended. Events before the first thread runs do
  /// not stop the run.
  bool resume(uint64_t event = kToTheEnd);

  /// Stops the run where it is, in the middle of a resume(), which then returns. Only listeners and
  /// kernels of this run may call it. Does nothing before the first thread runs.
  void pause();

  uint64_t numEvents() const { return counter.events; }
  bool hasEnded() const { return ended; }
  /// The state of a run that has not ended.
  const RunState &state() const { return view; }
  /// The outcome of a run that has ended.
  const RunResult &result() const { return outcome; }

private:
  /// The last listener: it pauses the run.
  struct Counter : EventListener {
    void onEvent(const Event &) override;
    PausableRun *run = nullptr;
    uint64_t events = 0, until = 0;
  };

  Counter counter;
  RunOptions options;
  std::unique_ptr<DecisionSource> decisions;
  std::atomic<bool> &interrupted;
  std::function<void()> atEnd;
  std::unique_ptr<Execution> execution;
  RunState view;
  RunResult outcome;
  bool ended = false;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PAUSABLERUN_H
