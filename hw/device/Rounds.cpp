//===- Rounds.cpp - the devices of a mesh take turns --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Rounds.h"

#include "hw/device/RankRun.h"

#include <algorithm>
#include <atomic>

namespace ttjit::hw {

void Rounds::run() {
  while (runDevices() && deliver()) {
  }
  if (!machine.faults.isEmpty())
    cancel();
}

//===--------------------------------------------------------------------------===//
// Turns
//===--------------------------------------------------------------------------===//

// Runs the devices. Returns whether to end the round: with ranks always, since they share faults.
bool Rounds::runDevices() {
  if (machine.plan.numHostThreads > 1)
    runOnHostThreads();
  else
    for (size_t device = 0; device < workers.size() && machine.faults.isEmpty(); ++device)
      if (workers[device] && workers[device]->hasWork()) {
        if (ranks)
          ranks->beginTurn(device);
        workers[device]->run();
      }
  return ranks || machine.faults.isEmpty();
}

// Runs the turns on several host threads: in a round, devices do not depend on each other.
void Rounds::runOnHostThreads() {
  std::atomic<size_t> next{0};
  auto runSome = [&] {
    for (size_t device; (device = next++) < workers.size();)
      if (workers[device] && workers[device]->hasWork())
        workers[device]->run();
  };
  size_t others = std::min(machine.plan.numHostThreads, workers.size()) - 1;
  hostThreads.start(others, [&](size_t) { runSome(); });
  runSome();
  hostThreads.wait();
}

bool Rounds::hasThreads() const {
  return std::ranges::any_of(workers, [&](const auto &worker) {
    return worker && machine.partitions[&worker - workers.data()].hasThreads();
  });
}

bool Rounds::arePolling() const {
  return std::ranges::any_of(
      workers, [](const auto &worker) { return worker && worker->scheduler.isPolling(); });
}

// Lets every thread that has started run once more, so that it leaves.
void Rounds::cancel() {
  for (size_t device = 0; device < workers.size(); ++device)
    if (workers[device]) {
      machine.partitions[device].cancel();
      workers[device]->run();
    }
}

//===--------------------------------------------------------------------------===//
// What travels between the devices
//===--------------------------------------------------------------------------===//

// Delivers the transfers that have left. Returns whether another round follows.
bool Rounds::deliver() {
  retireReceived();
  std::vector<Departures> own(workers.size());
  RoundEnd end{0, hasThreads(), arePolling()};
  for (size_t device = 0; device < workers.size(); ++device)
    if (workers[device])
      end.departed += (own[device] = workers[device]->noc.takeDeparted()).size();
  if (ranks)
    end = ranks->endRound(end, own);
  if (!machine.faults.isEmpty())
    return false;
  if (end.departed == 0)
    return goOnInVain(end);
  machine.partitions.looksInVain = 1;
  for (size_t device = 0; device < workers.size(); ++device)
    if (workers[device])
      deliverOwn(workers[device]->noc, own[device]);
    else
      for (RankRun::Arrival &arrival : ranks->takeArrivals(device))
        workerAt(arrival.transfer)->noc.addArrival(arrival.transfer, std::move(arrival.bytes), {});
  return true;
}

// Ends the transfers between devices of this process that have landed.
void Rounds::retireReceived() {
  for (auto &worker : workers)
    if (worker)
      for (Noc::Received each : worker->noc.takeReceived())
        each.sender->retire(each.transfer);
}

void Rounds::deliverOwn(Noc &sender, const Departures &departed) {
  for (Transfer *transfer : departed)
    if (Worker *worker = workerAt(*transfer))
      worker->noc.addArrival(*transfer, {}, {&sender, transfer});
    else
      sender.retire(transfer);
}

// Returns the worker of the device for which a transfer has left; null if it is of another rank.
Worker *Rounds::workerAt(const Transfer &transfer) const {
  int column = transfer.x0 - machine.arch.virtualOriginX;
  return workers[static_cast<size_t>(machine.program.deviceOfColumn(column))].get();
}

// Called when nothing has left for another device. Threads that poll a word may still send
// something when they stop polling, so they get more and more time. Returns whether to go on.
bool Rounds::goOnInVain(const RoundEnd &end) {
  constexpr uint32_t kMostLooks = 256;
  if (end.arePolling) {
    machine.partitions.looksInVain = std::min(2 * machine.partitions.looksInVain, kMostLooks);
    return true;
  }
  if (end.hasThreads)
    reportDeadlock();
  return false;
}

} // namespace ttjit::hw
