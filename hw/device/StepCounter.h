//===- StepCounter.h - limits on endless programs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread gets a number of steps when it is switched in and whenever they are used up; the fast
// path (hw/abi/Inline.h) only counts down. If a thread uses up all of them without a device event,
// it counts as polling in a loop, and another thread runs (hw/device/Worker.cpp).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_STEPCOUNTER_H
#define TTJIT_HW_DEVICE_STEPCOUNTER_H

#include <atomic>
#include <cstdint>

namespace ttjit::hw {

struct ThreadContext; // defined in hw/device/ThreadContext.h

/// Number of steps that a thread gets at once.
inline constexpr int64_t kStepGrant = 1 << 16;
/// A thread that makes this many steps without an event is in an endless loop.
inline constexpr int64_t kIdleLimit = 1'000'000'000;

/// The limit of steps (RunOptions::stepLimit), and the steps of all threads if there is a limit.
struct StepLimit {
  const uint64_t steps; ///< 0: no limit
  std::atomic<uint64_t> used{0};

  bool isExceeded() const { return steps && used.load(std::memory_order_relaxed) > steps; }
};

/// Counts the steps of the threads of one partition.
class StepCounter {
public:
  explicit StepCounter(StepLimit &limit) : limit(limit) {}

  /// Gives the thread a new grant of steps.
  void grant(ThreadContext &thread);
  /// Makes all fast paths and steps of the thread take the slow path, which ends the thread.
  void revoke(ThreadContext &thread);
  /// Counts the steps that the thread has used of its grant.
  void settle(ThreadContext &thread);
  /// Steps of all threads up to their last switch.
  uint64_t total() const { return settled; }

private:
  StepLimit &limit;
  uint64_t settled = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_STEPCOUNTER_H
