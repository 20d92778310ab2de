//===- Rounds.h - the devices of a mesh take turns ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Under Fair and Late the devices of a mesh run in rounds. In a round each device runs until none
// of its threads can go on, as if it were alone. Transfers that have left for other devices arrive
// at the end of the round: first those of device 0, in the order in which they left, then those of
// device 1, and so on. In its next turn a device lands one of these transfers whenever none of its
// threads can run. The run ends after a round in which nothing has left.
//
// During a round a device sees nothing of the others. So the order of its events, and what it
// computes, are the same whether one host thread runs the devices one after the other, or several
// host threads, or several processes (hw/device/RankRun.h).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_ROUNDS_H
#define TTJIT_HW_DEVICE_ROUNDS_H

#include "hw/device/SetUp.h"

#include <functional>
#include <vector>

namespace ttjit::hw {

class RankRun;   // defined in hw/device/RankRun.h
struct RoundEnd; // defined in hw/device/RankRun.h

/// The transfers of a device that left in a round, in the order in which they left.
using Departures = std::vector<Transfer *>;

class Rounds {
public:
  /// Workers are indexed by device; null for those of other ranks. `ranks` is null if this process
  /// runs all devices. `reportDeadlock` is called if no thread can go on.
  Rounds(Machine &machine, SetUp::Workers &workers, HostThreads &hostThreads, RankRun *ranks,
         std::function<void()> reportDeadlock)
      : machine(machine), workers(workers), hostThreads(hostThreads), ranks(ranks),
        reportDeadlock(std::move(reportDeadlock)) {}

  /// Returns when every thread has finished or has left after a fault.
  void run();

private:
  bool runDevices();
  void runOnHostThreads();
  bool deliver();
  void retireReceived();
  void deliverOwn(Noc &sender, const Departures &departed);
  Worker *workerAt(const Transfer &transfer) const;
  bool goOnInVain(const RoundEnd &end);
  bool hasThreads() const;
  bool arePolling() const;
  void cancel();

  Machine &machine;
  SetUp::Workers &workers;
  HostThreads &hostThreads;
  RankRun *ranks;
  std::function<void()> reportDeadlock;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_ROUNDS_H
