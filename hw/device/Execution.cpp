//===- Execution.cpp - the run of a program from set-up to result -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Execution.h"

#include "hw/device/Deadlock.h"
#include "hw/device/Deliveries.h"
#include "hw/device/ProgramCheck.h"
#include "hw/device/Rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace ttjit::hw {

Execution::Execution(const Program &program, const RunOptions &options, Memories &memories,
                     MachineStorage &storage, DecisionSource &decisions,
                     const std::atomic<bool> &interrupted, RankRun *ranks)
    : machine(program, options, RunPlan(program, options, decisions), memories, interrupted),
      storage(storage), nodeMemories(machine, storage), ranks(ranks) {
  machine.partitions.onDeadlock([this] { reportDeadlock(); });
  size_t count = machine.partitions.size();
  while (storage.workers.size() < count)
    storage.workers.push_back(std::make_unique<WorkerStorage>());
  workers.resize(count);
  for (size_t i = 0; i < count; ++i)
    if (!ranks || ranks->owns(i))
      workers[i] = std::make_unique<Worker>(machine, machine.partitions[i], nodeMemories,
                                            *storage.workers[i], decisions);
  if (ranks)
    ranks->use(machine);
}

RunResult Execution::execute() {
  begin();
  run();
  return finish();
}

void Execution::begin() {
  try {
    isReady = ProgramCheck(machine, storage).run();
    if (isReady)
      markConstants(true);
    isReady = isReady && SetUp(machine, storage, nodeMemories, workers).run();
    if (isReady)
      machine.listeners.tellStart(machine.program);
  } catch (...) {
    isReady = false;
    (void)machine.faults.reportException(nullptr);
  }
}

void Execution::run() {
  try {
    if (!isReady)
      return ranks ? ranks->tellNotReady() : void();
    if (machine.plan.inRounds)
      Rounds(machine, workers, storage.hostThreads, ranks, [this] { reportDeadlock(); }).run();
    else if (workers.size() == 1)
      workers.front()->run();
    else
      runWorkers();
  } catch (...) {
    (void)machine.faults.reportException(nullptr);
  }
}

void Execution::runWorkers() {
  try {
    storage.hostThreads.start(workers.size() - 1, [this](size_t i) { workers[i]->run(); });
  } catch (const std::system_error &error) {
    machine.faults.report(
        nullptr, FaultKind::Resource,
        fmt::format("cannot make {} host threads: {}", workers.size() - 1, error.what()));
    return;
  }
  workers.front()->run();
  storage.hostThreads.wait();
}

void Execution::reportDeadlock() noexcept {
  try {
    if (ranks)
      ranks->shareWaits();
    machine.faults.reportForAll(explainDeadlock(machine));
  } catch (...) {
    (void)machine.faults.reportException(nullptr);
  }
}

RunResult Execution::finish() {
  std::vector<Fault> warnings;
  try {
    for (auto &worker : workers)
      if (worker)
        worker->output.finishAll();
    collectStats();
    if (ranks)
      ranks->finish(stats);
    if (machine.faults.isEmpty())
      warnings = findUnreceived(machine);
  } catch (...) {
    (void)machine.faults.reportException(nullptr);
  }
  markConstants(false);
  return {machine.faults.take(), stats, std::move(warnings)};
}

void Execution::markConstants(bool areConstant) {
  // A function of the host may write any tensor: then no tensor is constant.
  bool possible = machine.options.aliases && machine.program.hostFunctions.empty();
  for (int device = 0; device < machine.memories.numDevices(); ++device)
    for (uint32_t base : machine.program.constantTensors)
      if (PlacedTensor *tensor = machine.memories.device(device).find(BufferType::DRAM, base))
        tensor->access.isConstant = areConstant && possible;
}

void Execution::collectStats() {
  for (const Node &node : machine.grid.nodes())
    for (const BufferConfig &config : machine.program.buffers) {
      if (!node.buffers)
        continue;
      const CircularBuffer &buffer = node.buffers[config.index];
      uint32_t pages = std::max(1u, config.pagesPerBlock);
      stats.blocksPushed += buffer.received / pages;
      stats.blocksPopped += buffer.acked / pages;
    }
  for (size_t i = 0; i < workers.size(); ++i) {
    if (!workers[i])
      continue;
    const Partition &partition = machine.partitions[i];
    addStats(stats, partition.stats);
    stats.contextSwitches += workers[i]->scheduler.switches();
    stats.steps += partition.steps.total();
  }
}

} // namespace ttjit::hw
