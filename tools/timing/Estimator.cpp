//===- Estimator.cpp - makes estimates ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. Replay the recording with the table's prices, and keep the critical path.
// 2. Replay it with the assumptions of the lower and of the upper bound.
// 3. Replay it once for each resource that takes part in the path, without this resource, and once
//    for each buffer with twice its blocks.
//===--------------------------------------------------------------------------===//

#include "tools/timing/Estimator.h"

#include "tools/timing/Advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

namespace {
// Makes one estimate.
class Estimator {
public:
  Estimator(const Recording &recording, const hw::Program &program, const hw::ArchDesc &arch)
      : recording(recording), program(program), arch(arch), costs(arch, program.compute) {}

  Estimate run(bool isWhole, bool keepsTraffic);

private:
  ReplayResult replay(const Assumptions &assumptions) const {
    return Replay(recording, program, arch, costs, assumptions).run();
  }
  WhatIf &add(std::string change, Ticks end);
  uint64_t beginOfBuffers() const;
  uint64_t endOfBuffers() const;
  void tryFidelity();
  void tryPlacement();
  Ticks timeAtPeak() const;
  void setBounds();
  void setThreads();
  void setLines();
  void setZones();
  void setMarks();
  void setRates();
  void setFlags();
  void tryResources();
  void tryBuffers();
  Ticks whole(Ticks ticks) const { return ticks + result.launch; }

  const Recording &recording;
  const hw::Program &program;
  const hw::ArchDesc &arch;
  CostModel costs;
  ReplayResult base;
  Estimate result;
};
} // namespace

static Assumptions lowerAssumptions() {
  Assumptions assumptions;
  assumptions.hasQueues = false;
  for (Resource resource : {Resource::Calls, Resource::Scalars, Resource::Handshake})
    assumptions.percent[size_t(resource)] = 70;
  for (Resource resource : {Resource::Init, Resource::Sections})
    assumptions.percent[size_t(resource)] = 50;
  return assumptions;
}

static Assumptions upperAssumptions() {
  Assumptions assumptions;
  assumptions.hasOverlap = false;
  for (Resource resource : {Resource::Calls, Resource::Scalars, Resource::Handshake})
    assumptions.percent[size_t(resource)] = 150;
  assumptions.percent[size_t(Resource::NocRate)] = 200;
  assumptions.percent[size_t(Resource::DramRate)] = 200;
  for (Resource resource : {Resource::Unpack, Resource::Pack, Resource::Init})
    assumptions.percent[size_t(resource)] = 115;
  return assumptions;
}

// Returns the time that memory and matrix units need at their peaks. No model of queues is faster.
Ticks Estimator::timeAtPeak() const {
  const Traffic &traffic = result.traffic;
  double bytes = double(traffic.dramReadBytes + traffic.dramWriteBytes) / result.numDevices;
  double seconds = std::max(bytes / (result.peakGBs * 1e9),
                            double(result.productFlops) / (result.peakTFlops * 1e12));
  return static_cast<Ticks>(seconds * result.clockMHz * 1e6 * hw::kTicksPerCycle);
}

void Estimator::setBounds() {
  result.lower = std::min(std::max(replay(lowerAssumptions()).end, timeAtPeak()), result.cycles);
  result.upper = std::max(whole(replay(upperAssumptions()).end), result.cycles);
  result.why = "lower: no queues but the peaks of DRAM and matrix units, calls at 70 %, no launch; "
               "upper: calls at 150 %, half the rates of "
               "links and DRAM, DST sections one after the other";
}

// Sets the times of each thread to those of the node on which it is slowest.
void Estimator::setThreads() {
  for (const hw::ThreadConfig &thread : program.threads) {
    ThreadEstimate estimate;
    estimate.name = thread.name;
    for (size_t id = size_t(thread.processor); id < base.agents.size(); id += hw::kThreadsPerNode) {
      const AgentTimes &times = base.agents[id];
      if (times.end < estimate.end || (times.end == estimate.end && id >= hw::kThreadsPerNode))
        continue;
      int node = static_cast<int>(id / hw::kThreadsPerNode);
      int columns = std::max(1, program.gridX);
      estimate.node = {node % columns, node / columns};
      estimate.end = times.end;
      estimate.waited = times.waited;
      estimate.busy = times.busy;
    }
    result.threads.push_back(std::move(estimate));
  }
}

void Estimator::setLines() {
  std::map<std::pair<std::string, int>, LineEstimate> lines;
  auto lineAt = [&](uint32_t loc) -> LineEstimate & {
    static const hw::SourceLocation unknown;
    const hw::SourceLocation &at =
        loc < program.locations.size() ? program.locations[loc] : unknown;
    LineEstimate &line = lines[{at.file, at.line}];
    line.file = at.file;
    line.line = at.line;
    return line;
  };
  for (uint32_t loc = 0; loc < base.lines.size(); ++loc) {
    LineEstimate &line = lineAt(loc);
    line.waited += base.lines[loc].waited;
    for (size_t i = 0; i < kNumResources; ++i)
      line.busy[i] += base.lines[loc].busy[i];
  }
  for (const PathShare &share : base.path) {
    LineEstimate &line = lineAt(share.loc);
    line.path += share.ticks;
    line.pathOf[size_t(share.resource)] += share.ticks;
    result.path[size_t(share.resource)] += share.ticks;
  }
  for (auto &[key, line] : lines)
    if (line.path || line.waited || line.busy != std::array<Ticks, kNumResources>{})
      result.lines.push_back(std::move(line));
  std::sort(result.lines.begin(), result.lines.end(),
            [](const LineEstimate &a, const LineEstimate &b) {
              return std::tie(b.path, a.file, a.line) < std::tie(a.path, b.file, b.line);
            });
}

void Estimator::setZones() {
  int columns = std::max(1, program.gridX);
  for (const auto &[key, times] : base.zones) {
    auto [id, index] = key;
    ZoneEstimate zone;
    zone.name = recording.zones[index];
    hw::Processor processor = hw::Processor(id % hw::kThreadsPerNode);
    for (const hw::ThreadConfig &thread : program.threads)
      if (thread.processor == processor)
        zone.thread = thread.name;
    int node = static_cast<int>(id / hw::kThreadsPerNode);
    zone.node = {node % columns, node / columns};
    zone.times = times;
    result.zones.push_back(std::move(zone));
  }
}

void Estimator::setRates() {
  result.traffic = base.traffic;
  result.productFlops = base.productFlops;
  result.otherFlops = base.otherFlops;
  result.peakGBs = costs.value(TimeCost::DramGBs);
  // A product of two tiles takes 16 cycles in each phase.
  result.peakTFlops = 65536.0 / (16 * costs.phases()) * program.numNodes * result.clockMHz * 1e-6;
  double end = std::max<double>(1, static_cast<double>(base.end));
  for (const AgentTimes &agent : base.agents)
    for (size_t i = 0; i < kNumResources; ++i)
      result.utilisation[i] =
          std::max(result.utilisation[i], static_cast<double>(agent.busy[i]) / end);
  double bank = 0;
  for (Ticks busy : base.bankBusy)
    bank = std::max(bank, static_cast<double>(busy) / end);
  result.utilisation[size_t(Resource::DramRate)] = bank;
}

// Returns the share of the units' time that is spent in operations without a measured price.
static double estimatedShare(const Recording &recording, const CostModel &costs,
                             std::string &names) {
  std::vector<Ticks> of(recording.costTexts.size()), unknown(of.size());
  std::map<std::string, Ticks> byName;
  for (size_t i = 0; i < of.size(); ++i)
    for (const OpCost &op : costs.read(recording.costTexts[i])) {
      Ticks ticks = (op.unpack + op.math + op.pack) * op.count;
      of[i] += ticks;
      if (op.isEstimated)
        unknown[i] += ticks, byName[op.name] += ticks;
    }
  Ticks all = 0, estimated = 0;
  for (const std::vector<Step> &steps : recording.agents)
    for (const Step &step : steps)
      if (step.kind == StepKind::Cost) {
        all += of[step.object];
        estimated += unknown[step.object];
      }
  for (const auto &[name, ticks] : byName)
    names += (names.empty() ? "" : ", ") + name;
  return all ? static_cast<double>(estimated) / static_cast<double>(all) : 0;
}

void Estimator::setFlags() {
  std::vector<std::string> &flags = result.notModelled;
  std::string names;
  double share = estimatedShare(recording, costs, names);
  if (share > 0)
    flags.push_back(fmt::format(
        "{:.0f} % of the time of the units is of operations without a measured figure: {}",
        share * 100, names));
  if (!recording.hasCosts)
    flags.push_back("the threads did not tell their operations: the time of compute threads is "
                    "that of their buffers only");
  if (recording.mayReorder)
    flags.push_back("several threads change one semaphore: the order of their changes is that of "
                    "this run");
  if (program.numDevices > 1)
    flags.push_back(FabricLinks(recording.fabric, program.numDevices, costs).text() +
                    ", without credits and the cores that forward packets");
  auto onPath = [&](Resource resource) {
    return result.cycles ? 100.0 * double(result.path[size_t(resource)]) / double(result.cycles)
                         : 0;
  };
  double noc =
      onPath(Resource::NocRate) + onPath(Resource::NocLatency) + onPath(Resource::Multicast);
  if (program.numNodes > 1 && noc >= 1)
    flags.push_back(fmt::format("links that multicasts share with others, and virtual channels: "
                                "they may concern {:.0f} % of the time",
                                noc + onPath(Resource::DramRate) + onPath(Resource::LinkRate)));
  flags.push_back("bank conflicts in L1, DRAM refresh, clock throttling, instruction cache");
}

void Estimator::tryResources() {
  for (size_t i = 0; i < kNumResources; ++i) {
    if (result.path[i] == 0)
      continue;
    Assumptions assumptions;
    assumptions.percent[i] = 0;
    Resource resource = Resource(i);
    add(fmt::format("{} free", resourceName(resource)), replay(assumptions).end).free = resource;
  }
}

uint64_t Estimator::endOfBuffers() const {
  uint64_t end = 0;
  for (const hw::BufferConfig &buffer : program.buffers)
    end = std::max(end, buffer.end());
  return end;
}

// Returns where the buffers in L1 begin, without those in the memory of tensors.
uint64_t Estimator::beginOfBuffers() const {
  uint64_t begin = endOfBuffers();
  for (const hw::BufferConfig &buffer : program.buffers)
    if (!buffer.backing)
      begin = std::min<uint64_t>(begin, buffer.address);
  return begin;
}

WhatIf &Estimator::add(std::string change, Ticks end) {
  WhatIf &whatIf = result.whatIfs.emplace_back();
  whatIf.change = std::move(change);
  whatIf.cycles = whole(end);
  return whatIf;
}

// Tries fewer phases of the matrix engine, with which the results are less accurate.
void Estimator::tryFidelity() {
  static constexpr std::pair<hw::MathFidelity, const char *> all[] = {
      {hw::MathFidelity::LoFi, "lofi"},
      {hw::MathFidelity::HiFi2, "hifi2"},
      {hw::MathFidelity::HiFi3, "hifi3"}};
  for (auto [fidelity, name] : all) {
    if (fidelity >= program.compute.mathFidelity || result.path[size_t(Resource::Matrix)] == 0)
      continue;
    hw::ComputeConfig config = program.compute;
    config.mathFidelity = fidelity;
    CostModel other(arch, config);
    add(fmt::format("math_fidelity={}", name),
        Replay(recording, program, arch, other, Assumptions()).run().end);
  }
}

// Tries tensors in L1 instead of DRAM, and one NoC for both data movement threads.
void Estimator::tryPlacement() {
  uint64_t bytes = program.tensorBytes / uint64_t(std::max(1, program.numNodes));
  bool usesDram = result.traffic.dramReadBytes + result.traffic.dramWriteBytes > 0;
  if (usesDram && endOfBuffers() + bytes <= arch.l1Bytes) {
    Assumptions assumptions;
    assumptions.isInL1 = true;
    add("tensors in L1", replay(assumptions).end).l1Bytes = static_cast<int64_t>(bytes);
  }
  bool hasBoth = result.traffic.coreBytes + result.traffic.dramWriteBytes > 0;
  if (!hasBoth)
    return;
  Assumptions assumptions;
  assumptions.hasOneNoc = true;
  add("both data movement threads on NoC 0", replay(assumptions).end);
}

// Tries twice the blocks of each buffer, if they fit into L1.
void Estimator::tryBuffers() {
  uint64_t end = endOfBuffers();
  for (const hw::BufferConfig &buffer : program.buffers) {
    uint64_t bytes = uint64_t(buffer.pageBytes) * buffer.numPages;
    uint32_t pagesPerBlock = std::max<uint32_t>(1, buffer.pagesPerBlock);
    if (buffer.backing || buffer.isAliased || end + bytes > arch.l1Bytes)
      continue;
    Assumptions assumptions;
    assumptions.capacity.assign(64, 1);
    assumptions.capacity[size_t(buffer.index)] = 2;
    unsigned count = buffer.numPages / pagesPerBlock * 2;
    ReplayResult tried = replay(assumptions);
    if (!tried.isComplete)
      continue;
    WhatIf &whatIf = add(fmt::format("block_count={} of '{}'", count, buffer.name), tried.end);
    whatIf.l1Bytes = static_cast<int64_t>(bytes);
    whatIf.buffer = buffer.name;
    whatIf.blockCount = count;
  }
}

// Gives the zones of threads the names that the card's profiler uses.
void Estimator::setMarks() {
  static constexpr const char *names[] = {"BRISC-KERNEL", "NCRISC-KERNEL", "TRISC-KERNEL",
                                          "TRISC-KERNEL", "TRISC-KERNEL"};
  result.marks = std::move(base.marks);
  for (ZoneMark &mark : result.marks)
    if (mark.zone == kNone)
      mark.name = names[mark.core];
  result.nocEvents = std::move(base.nocEvents);
}

// Sorts the changes, and names the best one.
static void rank(Estimate &estimate) {
  std::ranges::sort(estimate.whatIfs, [](const WhatIf &a, const WhatIf &b) {
    bool isAsGood = a.why.empty() == b.why.empty();
    return isAsGood ? std::tie(a.cycles, a.change) < std::tie(b.cycles, b.change) : a.why.empty();
  });
  estimate.advice = adviceFor(estimate);
}

Estimate Estimator::run(bool isWhole, bool keepsTraffic) {
  result.kernel = program.name;
  result.arch = arch.name;
  result.numNodes = program.numNodes;
  result.numDevices = program.numDevices;
  result.clockMHz = costs.value(TimeCost::ClockMHz);
  result.numSteps = recording.numSteps();
  result.isWhole = isWhole;
  if (recording.hasFault) {
    result.failure = "the kernel ended with a fault";
    return result;
  }
  Assumptions assumptions;
  assumptions.keepsPath = isWhole;
  assumptions.keepsTraffic = keepsTraffic;
  base = replay(assumptions);
  if (!base.isComplete) {
    result.failure = "the replay of the run found threads that wait for each other";
    return result;
  }
  result.l1Bytes = endOfBuffers() - beginOfBuffers();
  result.launch = costs[TimeCost::Launch];
  result.cycles = whole(base.end);
  if (!isWhole)
    return result;
  setThreads();
  setLines();
  setZones();
  setMarks();
  setRates();
  setFlags();
  setBounds();
  tryResources();
  tryBuffers();
  tryFidelity();
  tryPlacement();
  rank(result);
  return result;
}

void timing::addRuns(Estimate &estimate, std::vector<WhatIf> runs, const std::string &command) {
  if (!estimate.failure.empty() || !estimate.isWhole)
    return;
  std::ranges::move(runs, std::back_inserter(estimate.whatIfs));
  estimate.tuneCommand = command;
  rank(estimate);
}

Estimate timing::estimate(const Recording &recording, const hw::Program &program,
                          const hw::ArchDesc &arch, bool isWhole, bool keepsTraffic) {
  return Estimator(recording, program, arch).run(isWhole, keepsTraffic);
}
