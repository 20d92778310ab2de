//===- RunPlan.cpp - how a run proceeds ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RunPlan.h"

#include "hw/device/Decisions.h"
#include "hw/device/HostThreads.h"

#include <algorithm>

namespace ttjit::hw {

namespace {

// A listener, the choices of a decision source, the state of an engine and queues of payloads
// belong to one host thread.
bool needsOneHostThread(const Program &program, const RunOptions &options,
                        const DecisionSource &decisions) {
  return !options.listeners.empty() || options.decisions ||
         decisions.delivery() == DeliveryPolicy::Random || program.sharesEngineState ||
         program.hasQueues();
}

// Whether the nodes may run in any order: they do not depend on each other, and nobody can see
// the order. The fault is that of Fair then.
bool isOrderFree(const Program &program, const RunOptions &options,
                 const DecisionSource &decisions) {
  bool mayChoose = options.schedule == SchedulePolicy::Parallel ||
                   (options.schedule == SchedulePolicy::Fair && options.mayUseHostThreads);
  return mayChoose && !needsOneHostThread(program, options, decisions) && !options.stepLimit &&
         !program.reachesOtherCores && !program.prints && program.hostFunctions.empty() &&
         program.deliveries.empty();
}

// Whether it pays to run one node after the other: the buffers of all nodes together exceed the
// cache next to a processor of the host. If they fit, nodes that take turns share what they read.
bool exceedsCache(const Program &program) {
  constexpr uint64_t kCacheBytes = 1 << 20;
  uint64_t bytes = 0;
  for (const BufferConfig &buffer : program.buffers)
    bytes += uint64_t{buffer.pageBytes} * buffer.numPages;
  return bytes * static_cast<uint64_t>(std::max(program.numNodes, 1)) > kCacheBytes;
}

// Whether the devices take turns. Each has a scheduler of its own then, which the others cannot ask
// for a decision or a flag.
bool runsInRounds(const Program &program, const RunOptions &options,
                  const DecisionSource &decisions) {
  bool hasOrder = options.schedule == SchedulePolicy::Fair ||
                  options.schedule == SchedulePolicy::Parallel; // devices in place of partitions
  return program.numDevices > 1 && hasOrder && !options.decisions &&
         decisions.delivery() == DeliveryPolicy::Late && !program.sharesEngineState;
}

// Returns the number of host threads of a run. Under Fair there are several if starting host
// threads takes less time than they save.
size_t countHostThreads(const Program &program, const RunOptions &options,
                        const DecisionSource &decisions) {
  constexpr uint64_t kMinBytes = 3 << 20; // takes some 300 us; starting host threads some 50
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
  // Text is printed in the order of the devices, and the script has one host thread. A transfer
  // notes how often the buffers in which it ends have been reset, also those of other devices.
  if (inRounds && (program.prints || !program.hostFunctions.empty() || !program.resets.empty()))
    numHostThreads = 1;
  numPartitions = inRounds ? static_cast<size_t>(program.numDevices) : numHostThreads;
  nodeByNode = !inRounds && isOrderFree(program, options, decisions) && exceedsCache(program);
}

} // namespace ttjit::hw
