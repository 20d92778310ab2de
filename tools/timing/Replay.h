//===- Replay.h - gives the steps of a recording their times --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A discrete simulation whose agents are the threads of the recording. Each thread executes its
// steps in the recorded order. A step waits for what it needs from other threads (pages, words,
// transfers) and for resources (NoC interfaces, banks, units of the compute thread).
//
// Data movement threads use shared resources in the order of time: a heap has the thread that comes
// next. Compute threads use no shared resources, so each runs as far as it can at once. A compute
// thread consists of three lanes with a clock each: unpacker, math and packer.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_REPLAY_H
#define TTJIT_TOOLS_TIMING_REPLAY_H

#include "tools/timing/ChipMap.h"
#include "tools/timing/CostModel.h"
#include "tools/timing/FabricLinks.h"
#include "tools/timing/Instants.h"
#include "tools/timing/Recording.h"

#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace ttjit::timing {

/// Assumptions that differ from the table's.
struct Assumptions {
  /// For each resource, the percentage of the table's time that it takes. 0: it takes no time.
  std::array<int, kNumResources> percent;
  bool hasQueues = true;     ///< whether transfers wait for others at NoC interfaces and banks
  bool hasOneNoc = false;    ///< whether both threads that move data use NoC 0
  bool isInL1 = false;       ///< whether the pages of tensors are in the L1 of the cores
  bool hasOverlap = true;    ///< whether one DST section overlaps with the next
  bool keepsPath = false;    ///< whether to find the critical path, and note zones
  bool keepsTraffic = false; ///< whether to note transfers
  bool keepsSteps = false;   ///< whether to note the times of steps and transfers
  std::vector<int> capacity; ///< factor for the pages of each buffer; empty: 1

  Assumptions() { percent.fill(100); }
};

/// The times of one thread.
struct AgentTimes {
  Ticks end = 0;
  std::array<Ticks, 3> lanes{}; ///< ends of the unpacker, math and the packer of a compute thread
  Ticks waited = 0; ///< for pages, words, transfers and barriers; of the lane that waited longest
  std::array<Ticks, kNumResources> busy{};
};

/// Cycles of the critical path that one resource took at one position.
struct PathShare {
  uint32_t loc;
  Resource resource;
  Ticks ticks;

  /// Orders shares by size, the largest first.
  bool operator<(const PathShare &other) const {
    return std::tie(other.ticks, loc, resource) < std::tie(ticks, other.loc, other.resource);
  }
};

/// The times of one source position, summed over all nodes.
struct LineTimes {
  std::array<Ticks, kNumResources> busy{};
  Ticks waited = 0;
};

/// A zone between two signposts of one thread, on the lane where it takes longest.
struct ZoneTimes {
  uint32_t count = 0;
  Ticks total = 0, longest = 0;
};

struct Traffic {
  uint64_t dramReadBytes = 0, dramWriteBytes = 0, coreBytes = 0;
};

/// The begin or the end of a zone on one RISC-V core. If `zone` is kNone: of the thread itself.
struct ZoneMark {
  hw::AgentId agent;
  uint8_t core; ///< of the node: 0 BRISC, 1 NCRISC, 2 to 4 TRISC_0 to TRISC_2
  bool isEnd;
  uint32_t zone; ///< index into Recording::zones
  std::string name;
  std::pair<int, int> at; ///< physical position of the node
  Ticks time;
  std::string file;
  int line = 0;
};

/// An issued transfer, or the begin or end of a barrier, in physical coordinates of NoC 0.
struct NocEvent {
  Ticks time;
  hw::AgentId agent;
  int noc;
  std::string_view type; ///< such as READ or READ_BARRIER_END
  std::pair<int, int> source, destination, last;
  uint32_t bytes = 0;
};

/// A step begins at `start`, waits until `resume` and ends at `end`, on the lane of a compute
/// thread that executes it (0 unpacker, 1 math, 2 packer). A transfer uses the NoC interface of the
/// sender, for reads that of the receiver, from `start` on; it is complete at `end`.
struct StepTimes {
  Ticks start = 0, resume = 0, end = 0;
  Ticks idle = 0; ///< of a Commit or Pop: how long its lane waited for the other one before
  uint8_t lane = 0;
};

struct ReplayResult {
  std::vector<std::vector<StepTimes>> steps; ///< of each agent; if Assumptions::keepsSteps
  std::vector<StepTimes> transfers;          ///< if Assumptions::keepsSteps
  std::vector<ZoneMark> marks;               ///< if Assumptions::keepsPath
  std::vector<NocEvent> nocEvents;           ///< if Assumptions::keepsTraffic
  bool isComplete = false;                   ///< false: threads wait for each other for ever
  Ticks end = 0;
  std::vector<AgentTimes> agents;
  std::vector<LineTimes> lines; ///< indexed by position
  std::vector<PathShare> path;  ///< the largest share first; if Assumptions::keepsPath
  /// Zones by thread and index.
  std::map<std::pair<hw::AgentId, uint32_t>, ZoneTimes> zones;
  std::vector<Ticks> bankBusy; ///< of each bank of DRAM
  Traffic traffic;
  uint64_t productFlops = 0, otherFlops = 0;
};

class Replay {
public:
  Replay(const Recording &recording, const hw::Program &program, const hw::ArchDesc &arch,
         const CostModel &costs, Assumptions assumptions);

  ReplayResult run();

private:
  static constexpr size_t kIds = hw::kAllIds + 1;

  /// For the transfers of one kind of a thread: their ends by transfer id; the last one is for all.
  using Ends = std::array<Instant, kIds>;

  struct Agent {
    size_t next = 0; ///< index of the next step
    Instant now;     ///< clock of a thread that moves data
    Instant unpack, math, pack;
    std::array<Ticks, 3> waited{};   ///< of the unpacker or the thread, of math, of the packer
    std::array<Ticks, 2> idle{};     ///< of the unpacker and math, which wait for each other
    std::array<Instant, 2> operands; ///< when math was done with the last pairs of operands
    std::array<Instant, 2> releases; ///< of the last two DST sections
    Instant commit;
    Endpoint source;    ///< of the last read from another core
    Instant sourceFree; ///< when that core takes the next read of this thread
    uint32_t numOperands = 0, numSections = 0;
    bool accumulates = false;                        ///< whether the packer adds to what is in L1
    std::map<uint32_t, std::array<Ticks, 3>> begins; ///< of its zones, for each lane
    Ends reads, writes, flushed, increments;
  };

  struct LaneClocks; // Lanes.cpp

  struct Buffer {
    std::vector<Instant> pushed, popped; ///< of each page
    uint64_t numPushed = 0, numPopped = 0;
    hw::AgentId producer = kNone, consumer = kNone; ///< agents that wait for room, for pages
  };

  struct Word {
    bool isKnown = false;
    bool isSettled = false; ///< whether `moment` is not before those of earlier changes
    Instant moment;
  };

  struct WordWaiter {
    uint32_t wanted; ///< the change that the thread waits for
    hw::AgentId agent;
  };

  struct Reset {
    uint32_t reached = 0;
    bool isDone = false;
    Instant all;
  };

  // Replay.cpp: the loop and the steps of buffers, words and resets.
  void setUpBuffers();
  void connectChips();
  void runAgent(hw::AgentId id);
  bool step(hw::AgentId id, const Step &step);
  bool notedStep(hw::AgentId id, const Step &next);
  static uint8_t laneOf(hw::AgentId id, StepKind kind);
  void noteTransfer(const Step &step, Ticks start, Ticks end);
  bool isShared(const Step &step) const;
  void wake(hw::AgentId &id, Ticks time);
  bool wait(hw::AgentId id, Instant &clock, Instant ready, uint32_t loc);
  Instant &clockOf(hw::AgentId id, StepKind kind);
  bool reserve(hw::AgentId id, const Step &step);
  bool waitFor(hw::AgentId id, const Step &step);
  void publish(hw::AgentId id, const Step &step);
  Buffer *bufferOf(hw::AgentId id, uint32_t index);
  void setChange(uint32_t index, Instant moment);
  uint32_t settle(uint32_t index);
  bool waitForWord(hw::AgentId id, const Step &step);
  bool passReset(hw::AgentId id, const Step &step);
  void wakeResets(uint32_t index);
  void barrier(hw::AgentId id, const Step &step);
  void mark(hw::AgentId id, const Step &step);
  void markThread(hw::AgentId id);
  static uint8_t riscOf(hw::AgentId id, uint8_t lane) {
    bool isReader = hw::Processor(id % hw::kThreadsPerNode) == hw::Processor::RISCV_1;
    return computes(id) ? uint8_t(2 + lane) : uint8_t(isReader);
  }
  void addMark(hw::AgentId id, uint8_t core, bool isEnd, uint32_t zone, Ticks time);
  void addTraffic(hw::AgentId id, std::string_view type, Ticks time, const Endpoint &source,
                  const Endpoint &destination, const Endpoint &last, uint32_t bytes);
  void finish(ReplayResult &result);

  // Lanes.cpp: compute threads
  void section(hw::AgentId id, const Step &step);
  void charge(hw::AgentId id, const Step &step);
  void follow(Agent &agent, size_t lane, Instant moment);
  void operate(hw::AgentId id, const OpCost &cost, uint32_t loc);
  void operateMany(hw::AgentId id, const OpCost &cost, uint32_t loc);
  void repeat(hw::AgentId id, const OpCost &cost, uint32_t loc, uint32_t count, Ticks move);

  // Transfers.cpp: transfers
  void read(hw::AgentId id, const Step &step);
  void write(hw::AgentId id, const Step &step);
  void multicast(hw::AgentId id, const Step &step);
  void landed(const TransferRecord &transfer, Instant moment);
  Instant call(hw::AgentId id, const Step &step, hw::TimeCost cost);
  Instant useBank(hw::AgentId id, const Endpoint &bank, Instant ready, uint64_t bytes,
                  hw::TimeCost rate, uint32_t loc, Instant &begin);
  Endpoint placeOf(const Endpoint &place, const Endpoint &core) const;
  int deviceOf(const Endpoint &place) const;
  Instant useLinks(hw::AgentId id, const Endpoint &from, const Endpoint &to, Instant moment,
                   Ticks ticks, uint32_t loc);
  Instant useFabric(hw::AgentId id, const Endpoint &from, const Endpoint &to, Instant moment,
                    uint64_t bytes, uint32_t loc);
  Instant followStream(hw::AgentId id, const Step &step, const Endpoint &memory, Instant request,
                       Instant &last);
  Ticks setUpOf(const Endpoint &sender, const Endpoint &first, const Endpoint &last, int noc) const;
  Ticks latency(const Endpoint &from, const Endpoint &to, int noc) const;
  Ticks flits(uint64_t bytes, hw::TimeCost perFlit) const;
  Ticks bytesAt(uint64_t bytes, hw::TimeCost rate) const;
  uint64_t packets(uint64_t bytes) const;
  Server &serverOf(std::vector<Server> &servers, const Endpoint &core, int noc);
  Instant queue(Server &server, Instant ready, Ticks ticks);

  Instant take(hw::AgentId id, Instant moment, Resource resource, uint32_t loc, Ticks ticks);
  void busy(hw::AgentId id, Resource resource, uint32_t loc, Ticks ticks);
  Ticks scaled(Resource resource, Ticks ticks) const {
    return ticks * assumptions.percent[static_cast<size_t>(resource)] / 100;
  }
  Endpoint coreOf(hw::AgentId id) const;
  static bool computes(hw::AgentId id) {
    return hw::Processor(id % hw::kThreadsPerNode) == hw::Processor::Compute;
  }
  /// Returns the NoC of a data movement thread: reads use NoC 0 and writes NoC 1, as in tt-metal.
  int nocOf(hw::AgentId id) const {
    return !assumptions.hasOneNoc &&
                   hw::Processor(id % hw::kThreadsPerNode) == hw::Processor::RISCV_0
               ? 1
               : 0;
  }

  const Recording &recording;
  const hw::Program &program;
  const hw::ArchDesc &arch;
  const CostModel &costs;
  const Assumptions assumptions;
  ChipMap map;
  FabricLinks chips;
  PathLog path;

  using Entry = std::pair<Ticks, hw::AgentId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  std::vector<Agent> agents;
  std::vector<Buffer> buffers; ///< indexed by node * numBuffers + index
  size_t numBuffers = 0;
  std::vector<Word> changes;
  /// The waits for words, by the change that must happen next.
  std::unordered_map<uint32_t, std::vector<WordWaiter>> wordWaiters;
  std::vector<Reset> resets;
  std::vector<std::pair<uint32_t, hw::AgentId>> resetWaiters;
  std::vector<Server> outs, ins;               ///< of NoC interfaces, of cores beside the grid, too
  std::vector<Server> links;                   ///< device * ChipMap::numLinks() + link
  std::vector<Server> fabric;                  ///< by FabricLinks::indexOf()
  std::vector<Server> banks;                   ///< device * number of banks + bank
  std::vector<Server> streams;                 ///< agent * number of banks + bank
  std::vector<std::vector<OpCost>> operations; ///< of each of Recording::costTexts
  ReplayResult result;
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_REPLAY_H
