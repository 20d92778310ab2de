//===- TraceClock.h - the times in a trace --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Logical time: every thread has a clock, in ticks. An event costs ticks (TraceCosts). A thread
// that waits for a page, a semaphore or a transfer continues at the time of the event that it
// waited for. Logical time depends only on the program, not on the host or the engine. It is not
// the time of a card, which only the time model gives (Cycles).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TRACE_TRACECLOCK_H
#define TTJIT_TOOLS_TRACE_TRACECLOCK_H

#include "hw/device/Events.h"

#include <chrono>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ttjit::trace {

enum class TraceTime : uint8_t { Logical, Host, Cycles };

/// Rows of a compute thread in a trace in cycles: unpacker, math and packer.
inline constexpr size_t kLanes = 3;

/// These, and the row of a compute thread as a whole.
inline constexpr size_t kRows = kLanes + 1;

/// Ticks that events cost.
struct TraceCosts {
  static constexpr uint64_t call = 4;          ///< a buffer, semaphore or barrier call
  static constexpr uint64_t issue = 8;         ///< of a transfer
  static constexpr uint64_t latency = 200;     ///< from the issue to the first byte
  static constexpr uint64_t bytesPerTick = 32; ///< of a thread's transfers
  static constexpr uint64_t section = 32;      ///< of each half of a DST section: math and pack
  /// Ticks of a page that a compute thread used and pops: how many ops used it is not known.
  static constexpr uint64_t page = 64;
};

/// A thread reaches an event at `start`, waits (or, before a pop, computes) until `resume`, and
/// goes on at `end`. A landed transfer uses the NoC from `start` to `end`. `lane`: the lane of a
/// compute thread, in a trace in cycles; otherwise 0. `idle`: how long that lane waited for another
/// lane before a commit or pop.
struct EventTimes {
  uint64_t start = 0, resume = 0, end = 0;
  uint64_t idle = 0;
  uint8_t lane = 0;
};

/// A transfer in flight.
struct TransferInfo {
  hw::EventKind kind;
  uint32_t loc = 0, bytes = 0;
  uint64_t issued = 0;
  hw::MemoryPlace destination;
};

/// Computes the times of the events of one run. Needs memory for the transfers in flight, the pages
/// of the buffers and the words that other threads changed.
class TraceClock {
public:
  TraceClock(const hw::Program &program, TraceTime kind, uint64_t begin);

  /// Returns the times of the next event, in logical time or in the time of the host.
  EventTimes at(const hw::Event &event);
  /// Sets the times of the next event to those on a card, in cycles since the threads began.
  /// Returns them in the time of the trace.
  EventTimes give(const hw::Event &event, const EventTimes &cycles);

  /// Returns the transfer of this number; null if it is unknown. forget() removes it.
  const TransferInfo *transfer(uint64_t number) const;
  void forget(uint64_t number) { transfers.erase(number); }

  /// Latest time of all threads.
  uint64_t latest() const { return last; }
  uint64_t now(hw::AgentId agent) const { return threads[agent].now; }

private:
  struct Thread {
    uint64_t now = 0, linkFree = 0, blockedAt = 0;
    bool isBlocked = false;
    uint64_t readsDone = 0, writesDone = 0, wordsDone = 0;
  };
  /// When each page of a buffer was last pushed and popped.
  struct Buffer {
    std::vector<uint64_t> pushed, popped;
    uint64_t numPushed = 0, numPopped = 0;
  };
  struct Word {
    int x, y;
    uint32_t address;
    auto operator<=>(const Word &) const = default;
  };

  /// The word at this address on the cores of a multicast.
  static Word multicastWord(uint32_t address) { return {-1, -1, address}; }
  uint64_t timeOfWord(const Word &word) const;
  EventTimes logical(const hw::Event &event);
  EventTimes host(const hw::Event &event);
  uint64_t ready(const hw::Event &event);
  uint64_t cost(hw::EventKind kind) const;
  void publish(const hw::Event &event, uint64_t time);
  EventTimes land(const hw::Event &event, uint64_t hostTime);
  void noteIssue(const hw::Event &event, uint64_t time);
  Buffer *bufferOf(const hw::Event &event);

  TraceTime kind;
  uint64_t begin, last;
  std::chrono::steady_clock::time_point hostBegin;
  size_t numBuffers = 0;
  std::vector<Thread> threads;
  std::vector<Buffer> buffers; ///< indexed by node * numBuffers + index
  std::map<Word, uint64_t> words;
  std::vector<uint64_t> resets; ///< by node: when the last thread reached a reset
  std::unordered_map<uint64_t, TransferInfo> transfers;
};

} // namespace ttjit::trace

#endif // TTJIT_TOOLS_TRACE_TRACECLOCK_H
