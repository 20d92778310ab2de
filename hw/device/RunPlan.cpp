//===- RunPlan.cpp - how a run proceeds ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RunPlan.h"

#include "hw/device/Decisions.h"
#include "hw/device/HostThreads.h"

#include <algorithm>

namespace ttjit::hw {

namespace {

// Returns whether only one host thread may run the program: listeners, the choices of a decision
// source, the state of an engine and queues of payloads are not shared.
bool needsOneHostThread(const Program &program, const RunOptions &options,
                        const DecisionSource &decisions) {
  return !options.listeners.empty() || options.decisions ||
         decisions.delivery() == DeliveryPolicy::Random || program.sharesEngineState ||
         program.hasQueues();
}

// Returns whether the nodes may run in any order, because they do not depend on each other and no
// result shows the order. A fault is then the one that Fair finds.
bool isOrderFree(const Program &program, const RunOptions &options,
                 const DecisionSource &decisions) {
  bool mayChoose = options.schedule == SchedulePolicy::Parallel ||
                   (options.schedule == SchedulePolicy::Fair && options.mayUseHostThreads);
  return mayChoose && !needsOneHostThread(program, options, decisions) && !options.stepLimit &&
         !program.reachesOtherCores && !program.prints && program.hostFunctions.empty() &&
         program.deliveries.empty();
}

// Returns whether it pays to run one node after the other: the buffers of all nodes together exceed
// the host processor's own cache. If they fit, nodes that take turns share what they read.
bool exceedsCache(const Program &program) {
  constexpr uint64_t kCacheBytes = 1 << 20;
  uint64_t bytes = 0;
  for (const BufferConfig &buffer : program.buffers)
    bytes += uint64_t{buffer.pageBytes} * buffer.numPages;
  return bytes * static_cast<uint64_t>(std::max(program.numNodes, 1)) > kCacheBytes;
}

// Returns whether the devices take turns. Then each has a scheduler of its own, so devices cannot
// share decisions or flags.
bool runsInRounds(const Program &program, const RunOptions &options,
                  const DecisionSource &decisions) {
  bool hasOrder = options.schedule == SchedulePolicy::Fair ||
                  options.schedule == SchedulePolicy::Parallel; // runs devices, not partitions
  return program.numDevices > 1 && hasOrder && !options.decisions &&
         decisions.delivery() == DeliveryPolicy::Late && !program.sharesEngineState;
}

// Returns the number of host threads of a run. Under Fair there are several if starting host
// threads takes less time than they save.
size_t countHostThreads(const Program &program, const RunOptions &options,
                        const DecisionSource &decisions) {
  constexpr uint64_t kMinBytes = 3 << 20; // takes about 300 us; starting host threads takes 50
  bool isParallel =
      options.schedule == SchedulePolicy::Parallel
          ? !needsOneHostThread(program, options, decisions)
          : isOrderFree(program, options, decisions) && program.tensorBytes >= kMinBytes;
  if (!isParallel)
    return 1;
  size_t threads = options.hostThreads ? options.hostThreads : hw::numHostThreads();
  return std::clamp<size_t>(threads, 1, std::max(program.numNodes, 1));
}

} // namespace

RunPlan::RunPlan(const Program &program, const RunOptions &options, const DecisionSource &decisions)
    : inRounds(runsInRounds(program, options, decisions)),
      numHostThreads(countHostThreads(program, options, decisions)),
      switchesAtEvents(decisions.switchesAtEvents()),
      landsAtEvents(decisions.delivery() == DeliveryPolicy::Random) {
  // Printed text must be in the order of the devices, and a script has one host thread. A transfer
  // notes how often the buffers at its destination have been reset, also on other devices.
  if (inRounds && (program.prints || !program.hostFunctions.empty() || !program.resets.empty()))
    numHostThreads = 1;
  numPartitions = inRounds ? static_cast<size_t>(program.numDevices) : numHostThreads;
  nodeByNode = !inRounds && isOrderFree(program, options, decisions) && exceedsCache(program);
}

} // namespace ttjit::hw
