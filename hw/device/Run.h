//===- Run.h - options and outcome of running a program -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RUN_H
#define TTJIT_HW_DEVICE_RUN_H

#include "hw/device/Program.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::hw {

class EventListener;  // defined in hw/device/Events.h
class DecisionSource; // defined in hw/device/Decisions.h

/// The order of threads. Parallel: several host threads run the nodes, each as Fair does.
enum class SchedulePolicy : uint8_t { Fair, Greedy, Random, Replay, Parallel };
enum class DeliveryPolicy : uint8_t { Late, Eager, Random };

/// Bytes for the reserved pages of one buffer.
struct ReservedFill {
  int buffer = 0; ///< index of the buffer
  uint8_t byte = 0;
};

/// Options of one run. An empty `delivery` means Random under Random scheduling, else
/// Late. `stepLimit` bounds the steps of all threads together; 0 means no limit. 10^9
/// steps of one thread without a device event are always a fault.
struct RunOptions {
  SchedulePolicy schedule = SchedulePolicy::Fair;
  /// Number of host threads under Parallel; 0: as many as the process can run at a time.
  unsigned hostThreads = 0;
  /// Whether several host threads may run a program under Fair if only the time of the run changes.
  bool mayUseHostThreads = false;
  std::optional<DeliveryPolicy> delivery;
  uint64_t seed = 0;
  uint64_t stepLimit = 0;
  /// Whether pages of a buffer may be aliases of pages of a constant tensor (PageAliases.h).
  bool aliases = true;
  /// Whether a thread may push a page that it did not write since it reserved it, if the page was
  /// pushed before: a card pushes the old bytes.
  bool keptBlocks = false;
  /// The bytes that reserved pages of a buffer get. Empty: the pages keep what they held before.
  /// Needs a listener.
  std::optional<ReservedFill> reservedFill;
  std::vector<EventListener *> listeners; ///< the run does not own its listeners
  DecisionSource *decisions = nullptr;    ///< replaces the policies if not null; not owned
  /// Gets what threads print, in whole lines. Empty: nothing is printed. Runs on the host
  /// thread's own stack; must not call the device.
  std::function<void(const std::string &)> print;
};

/// Kinds of faults. docs/errors.md has the exception of each kind.
enum class FaultKind : uint8_t {
  Runtime,
  Deadlock,
  OutOfBounds,
  DataRace,
  Protocol,
  UninitializedRead,
  Resource,
  MeshAccess,
};

/// Logical coordinates of a node: column, row. A run on several devices counts the columns of all
/// devices (Program::numDevices), except in a Fault, which also names the device.
struct NodeCoord {
  int x = 0, y = 0;
  int device = -1; ///< of a Fault; -1 if the run had one device

  bool operator==(const NodeCoord &) const = default;
};

/// A line printed as "note: MESSAGE at FILE:LINE:COLUMN".
struct FaultNote {
  std::string message;
  SourceLocation location; ///< line 0 means no position
};

/// The first fault of a run. `message` is one sentence; `notes` explain it with the
/// state of the device, for a deadlock with the chain of waits.
struct Fault {
  FaultKind kind = FaultKind::Runtime;
  std::string message;
  SourceLocation location;
  NodeCoord node;
  std::string thread;
  std::vector<FaultNote> notes;
};

/// Transfers from one device to another: the blocks, and the words that signal their arrival.
struct LinkStats {
  uint64_t bytes = 0, blocks = 0, signals = 0;
};

/// The bytes that one device of a mesh moved from and to its tensors, and between its cores.
struct DeviceStats {
  uint64_t bytesRead = 0, bytesWritten = 0, bytesSent = 0;
};

struct RunStats {
  uint64_t blocksPushed = 0, blocksPopped = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< bytes of transfers from and to tensors
  /// Bytes that threads sent into the L1 of cores, for each receiver, and that they copied
  /// from the L1 of cores.
  uint64_t bytesSent = 0, bytesReceived = 0;
  uint64_t transfers = 0;
  /// Counts the transfers that a thread has outstanding each time it issues one,
  /// including that one: `mostOutstanding` is the maximum over all transfers,
  /// `outstanding` the sum.
  uint64_t mostOutstanding = 0, outstanding = 0;
  uint64_t contextSwitches = 0;
  uint64_t steps = 0;
  std::map<std::pair<int, int>, LinkStats> links; ///< by source and destination device
  std::vector<DeviceStats> devices;               ///< empty if the program has one device
};

/// Adds the counts of another run, or of a part of the run.
void addStats(RunStats &stats, const RunStats &own);

/// If `fault` is empty, every thread of every node has finished. Then `warnings` name transfers
/// that were sent but not received.
struct RunResult {
  std::optional<Fault> fault;
  RunStats stats;
  std::vector<Fault> warnings;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RUN_H
