//===- Faults.h - records the fault that ends a run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_FAULTS_H
#define TTJIT_HW_DEVICE_FAULTS_H

#include "hw/device/Grid.h"
#include "hw/device/Listeners.h"
#include "hw/device/Partition.h"
#include "hw/device/ProgramIndex.h"

#include <mutex>
#include <optional>
#include <utility>

namespace ttjit::hw {

/// Keeps the first fault of a run. If several partitions have one, it is the fault with the fewest
/// steps of its partition before it; if these are equal, the one of the first node.
class Faults {
public:
  Faults(const Program &program, const ProgramIndex &index, Grid &grid, Listeners &listeners,
         Partitions &partitions)
      : program(program), index(index), grid(grid), listeners(listeners), partitions(partitions) {}

  /// Records a fault and ends the run. Returns the status that the caller must return.
  /// `thread` is null for a fault that belongs to no thread.
  Status report(const ThreadContext *thread, FaultKind kind, std::string message,
                std::vector<FaultNote> notes = {});
  /// Records the exception that is being handled as the run's fault, and ends the run.
  Status reportException(const ThreadContext *thread) noexcept;
  /// Records that the run was interrupted from outside.
  void reportInterrupt(const ThreadContext *running);
  /// Records a fault of several threads. Listeners get it as an event of the thread that it names.
  void reportForAll(Fault fault);
  /// Records why the program cannot run. Returns false.
  bool refuse(std::string message, const SourceLocation &location = {});

  /// Returns a fault at the thread's position, or without one if it is null. Does not record it.
  Fault make(const ThreadContext *thread, FaultKind kind, std::string message) const;

  bool isEmpty() const { return !first; }
  /// Returns the fault and its moment; null if there is none. No thread may run during the call.
  std::pair<const Fault *, Moment> peek() const { return {first ? &*first : nullptr, moment}; }
  /// Makes this the fault of the run and ends the run.
  void replace(Fault fault, Moment its);
  std::optional<Fault> take() { return std::move(first); }

private:
  void record(Fault fault, const ThreadContext *thread);
  Status reportHostMemory(const ThreadContext *thread);
  const ThreadContext *threadFor(const Fault &fault);

  const Program &program;
  const ProgramIndex &index;
  Grid &grid;
  Listeners &listeners;
  Partitions &partitions;
  std::mutex mutex; ///< guards what follows
  std::optional<Fault> first;
  Moment moment = 0; ///< when it happened; 0 if it belongs to no thread
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_FAULTS_H
