//===- Run.h - options and outcome of running a program -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RUN_H
#define TTJIT_HW_DEVICE_RUN_H

#include "hw/device/Program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::hw {

class EventListener;  // hw/device/Events.h
class DecisionSource; // hw/device/Decisions.h

enum class SchedulePolicy : uint8_t { Fair, Greedy, Random, Replay };
enum class DeliveryPolicy : uint8_t { Late, Eager, Random };

/// Choices of one run. `delivery` defaults to Late, under Random scheduling to
/// Random. `stepLimit` bounds the steps of all threads together, 0: none
/// (10^9 steps of one thread without a device event always fault).
struct RunOptions {
  SchedulePolicy schedule = SchedulePolicy::Fair;
  std::optional<DeliveryPolicy> delivery;
  uint64_t seed = 0;
  uint64_t stepLimit = 0;
  std::vector<EventListener *> listeners; ///< not owned
  DecisionSource *decisions = nullptr;    ///< not owned; overrides the policies
  /// Gets what threads print, in whole lines. Empty: nothing is printed. Runs on the host
  /// thread's own stack; must not call the device.
  std::function<void(const std::string &)> print;
};

/// The classes of language.md section 10.
enum class FaultKind : uint8_t {
  Runtime,
  Deadlock,
  OutOfBounds,
  DataRace,
  Protocol,
  UninitializedRead,
  Resource,
};

/// Logical coordinates: column, row.
struct NodeCoord {
  int x = 0, y = 0;
};

/// Printed as "note: MESSAGE at FILE:LINE:COLUMN".
struct FaultNote {
  std::string message;
  SourceLocation location; ///< line 0: none
};

/// The first fault of a run. `message` is one sentence; `notes` hold the state
/// that explains it, for a deadlock the wait-for chain.
struct Fault {
  FaultKind kind = FaultKind::Runtime;
  std::string message;
  SourceLocation location;
  NodeCoord node;
  std::string thread;
  std::vector<FaultNote> notes;
};

struct RunStats {
  uint64_t blocksPushed = 0, blocksPopped = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< moved over the NoC
  uint64_t transfers = 0;
  /// Transfers that a thread had issued and not waited for, when it issued one,
  /// that one included: the most of any thread, and the sum over all transfers.
  uint64_t mostOutstanding = 0, outstanding = 0;
  uint64_t contextSwitches = 0;
  uint64_t steps = 0;
};

/// `fault` empty: every thread of every node returned. `warnings` then name
/// transfers that were not received.
struct RunResult {
  std::optional<Fault> fault;
  RunStats stats;
  std::vector<Fault> warnings;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RUN_H
