//===- Recording.h - what a run did, for the time model -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A listener that keeps the events of one run by thread, in 16 bytes each. A recording already
// has the change of a word of L1 that ended each wait for a word, so the replay needs no
// values.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_TIMING_RECORDING_H
#define TTJIT_TOOLS_TIMING_RECORDING_H

#include "hw/device/DeviceFabric.h"
#include "hw/device/Events.h"
#include "tools/timing/CostModel.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ttjit::timing {

enum class StepKind : uint8_t {
  Cost, ///< `object`: index into Recording::costs
  Reserve,
  Push,
  Wait,
  Pop, ///< `object` of the buffer steps: buffer; `count`: pages
  Read,
  Write,
  Multicast,
  Increment, ///< `object` of these steps: index into Recording::transfers
  ReadBarrier,
  WriteBarrier,
  Flush,
  AtomicBarrier, ///< `count` of these steps: transfer id, or kAllIds
  Mark,          ///< a signpost; `object`: index into Recording::zones; `count`: 1 begin, 2 end
  SemaphoreSet,
  SemaphoreWait, ///< `object`: index of a change, or kNone
  Acquire,
  Commit,
  PackWait,
  Release,
  ResetReached,
  ResetBuffer,
  ResetPassed, ///< `object` of the first and last: index into Recording::resets
};

inline constexpr uint32_t kNone = ~uint32_t(0);

/// One step of a thread.
struct Step {
  StepKind kind;
  uint8_t id; ///< transfer id of a transfer
  uint16_t reserved = 0;
  uint32_t loc; ///< index into Program::locations
  uint32_t object, count;
};
static_assert(sizeof(Step) == 16);

/// Where a transfer begins or ends: a core, a bank of DRAM, or nothing.
struct Endpoint {
  enum Kind : uint8_t { None, Core, Bank } kind = None;
  int16_t x = 0, y = 0; ///< logical core; of a bank: its number and device
  /// For a core beside the grid, which has pages of a tensor in L1: the number of its chip; `x` is
  /// then a column of that chip. Otherwise -1.
  int16_t device = -1;

  bool operator==(const Endpoint &) const = default;
};

struct TransferRecord {
  Endpoint source, destination;
  uint32_t bytes = 0;
  int16_t lastX = 0, lastY = 0; ///< of a multicast: the last core of its rectangle
  uint32_t receivers = 1;
  uint32_t firstChange = kNone; ///< the first of the changes of words that it makes
  uint32_t numChanges = 0;
};

/// A barrier of the threads of a node.
struct ResetRecord {
  uint32_t threads = 0;  ///< that reach it
  uint32_t last = kNone; ///< the agent that reached it last and resets the buffers
};

/// The part of a recording that an event became: a step of its thread, the end of a transfer, or
/// nothing, because the event takes no time.
struct EventPlace {
  enum Kind : uint8_t { None, Step, Transfer } kind = None;
  hw::AgentId agent = 0;
  uint32_t index = 0; ///< of the agent's step, or into Recording::transfers
};

/// What happened in one run.
struct Recording {
  std::vector<std::vector<Step>> agents; ///< indexed by AgentId
  std::vector<TransferRecord> transfers;
  std::vector<std::string> costTexts; ///< of the signposts that steps of kind Cost name
  std::vector<std::string> zones;     ///< names of the signposts
  std::vector<ResetRecord> resets;
  hw::DeviceFabric fabric;        ///< of the devices; without extents: unknown
  std::vector<EventPlace> events; ///< of all events in their order, if the recorder keeps them
  /// For each change of a word the change of the same word before it, or kNone.
  std::vector<uint32_t> previousChange;
  /// Whether the order of some events would depend on time; the replay keeps the order of the run.
  bool mayReorder = false;
  bool hasCosts = false; ///< whether threads told what their operations are
  bool hasFault = false;
  size_t numSteps() const;
};

/// Records one run at a time.
class Recorder : public hw::EventListener {
public:
  /// `fabric`: that of the device that runs the program.
  explicit Recorder(hw::DeviceFabric fabric = {}, bool keepsEvents = false)
      : fabric(std::move(fabric)), keepsEvents(keepsEvents) {}

  void onRunStart(const hw::Program &program) override;
  void onEvent(const hw::Event &event) override;

  /// Returns the recording since the last onRunStart(). The run may be paused.
  const Recording &recorded() const { return recording; }
  /// Returns the recording since the last onRunStart(), and forgets it.
  Recording take();

private:
  using Word = std::tuple<int, int, uint32_t>;
  /// The changes of a word, the last one at the end.
  struct Change {
    uint32_t index, value;
  };
  struct History {
    std::vector<Change> changes;
    bool hasWriters = false; ///< whether several agents changed the word
    hw::AgentId writer = kNone;
  };

  void record(const hw::Event &event);
  Endpoint placeOf(const hw::Event &event, const hw::MemoryPlace &place) const;
  void add(const hw::Event &event, StepKind kind, uint32_t object, uint32_t count);
  void addCost(const hw::Event &event);
  void addMark(const hw::Event &event);
  void issue(const hw::Event &event, StepKind kind);
  void addLeg(const hw::Event &event);
  void change(const hw::Event &event, const Word &word, uint32_t value);
  void land(const hw::Event &event);
  void addWait(const hw::Event &event);
  void addReset(const hw::Event &event);

  hw::DeviceFabric fabric;
  bool keepsEvents;
  int columns = 1, rows = 1; ///< of the grid of one chip
  Recording recording;
  EventPlace place;                                ///< of the event that is recorded
  std::unordered_map<uint64_t, uint32_t> inFlight; ///< transfers by number
  std::unordered_map<std::string, uint32_t> texts;
  std::map<Word, History> words;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> resets; ///< by node and number
  uint32_t firstLanded = kNone;                             ///< changes of the transfer that lands
  uint32_t numLanded = 0;
};

} // namespace ttjit::timing

#endif // TTJIT_TOOLS_TIMING_RECORDING_H
