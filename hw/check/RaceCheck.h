//===- RaceCheck.h - finds uses of memory that nothing orders -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two uses of the same bytes are a race if one of them writes and nothing makes one happen before
// the other; but two transfers may write equal bytes to one range. Threads are ordered by pushes
// and pops of blocks and the waits and reserves for them, by semaphores and by resets. A transfer
// uses memory from its issue until its thread knows from a barrier that it is over. A signal that
// follows it on its stream also tells the receiver that it has landed. A thread never learns that
// its transfer has reached another device. A pipe that ends in a slice of a tensor writes it at any
// time from the send to the receive. The verdict does not depend on the order in which the run
// happened to execute the uses, as long as the same releases end the same waits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_RACECHECK_H
#define TTJIT_HW_CHECK_RACECHECK_H

#include "hw/check/MemoryUses.h"
#include "hw/check/PlaceNames.h"
#include "hw/check/QueuedBlocks.h"
#include "hw/check/SemaphoreRaces.h"

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace ttjit::hw::check {

/// What to check. Fabric: only blocks that pipes bring into tensors, and semaphores.
enum class RaceScope : uint8_t { All, Fabric };

/// Listens to one run.
class RaceCheck : public EventListener {
public:
  RaceCheck(const ArchDesc &arch, PlaceNames::TensorName tensorName,
            RaceScope scope = RaceScope::All)
      : arch(arch), names(std::move(tensorName)), scope(scope) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// Returns the races of the run: one for each pair of positions, at most kMaxFindings.
  const std::vector<Fault> &findings() const { return found; }

private:
  static constexpr size_t kMaxFindings = 8;

  /// A thread, and what its transfers are doing.
  struct Agent {
    Clock clock;
    std::map<uint64_t, ClockIndex> signals; ///< by stream
    std::vector<Shared<TransferState>> inFlight;
  };
  /// The releases of both ends of a buffer, by the number of pages since the start.
  struct Ring {
    Releases pushes, pops;
    uint64_t pushed = 0, popped = 0;
    uint32_t pages = 0;
  };
  /// What belongs to a core. Most have a few rings and words, so that these are near to each other.
  struct Core {
    std::vector<std::pair<uint64_t, Ring>> rings; ///< by ascending index of the buffer
    /// Words of L1 that transfers write, and semaphores, by ascending address. Their uses order
    /// others.
    std::vector<std::pair<uint32_t, Releases>> words;
  };
  Epoch release(const Event &event);
  void handOver(const Event &event);
  void meet(const Event &event);
  void useWord(const Event &event);
  void issue(const Event &event);
  void signal(const Event &event, TransferState &transfer);
  bool receive(const Event &event);
  void followQueues(const Event &event, const Shared<TransferState> &transfer);
  void addStep(const Event &event, const WordKey &word, WordUse use);
  void use(const MemoryPlace &place, const Use &use);
  void access(const Event &event);
  void finishTransfers(const Event &event);
  void land(const Event &event);
  Shared<TransferState> transferOf(const Event &event);
  /// The time of what happens now.
  Time time() const { return releases + 1; }
  bool isBefore(const Use &earlier, const Use &later);
  bool knows(const Use &later, ClockIndex index, Time time);
  bool knows(const Shared<Knowledge> &known, ClockIndex index, Time time);
  void report(const Use &earlier, const Use &later, const MemoryPlace &place);
  Fault &addFinding(AgentId thread, uint32_t loc);
  void reportUses(const Use &earlier, const Use &later, const MemoryPlace &place);
  void reportReceipt(const Use &received, const Use &other, const MemoryPlace &place);
  void reportReceipts(const Use &first, const Use &second, const MemoryPlace &place);
  void reportSteps(const WordKey &word, const WordStep &earlier, const WordStep &later);
  const SemaphoreConfig *semaphoreAt(uint32_t address) const;
  std::string whatIsMissing(const Use &earlier, const Use &later);
  std::string nameOf(AgentId thread) const { return names.ofThread(thread, nodeOf(thread)); }
  NodeCoord nodeOf(AgentId thread) const;

  Ring &ringOf(const Event &event);
  Core *coreAt(int x, int y);
  Releases &wordAt(const WordKey &key);
  Releases *findWord(const WordKey &key);

  const ArchDesc &arch;
  PlaceNames names;
  const RaceScope scope;
  const Program *program = nullptr;
  std::vector<Agent> agents;
  Time releases = 0;         ///< their number, and that of barriers
  ClockIndex numIndices = 0; ///< threads, and streams with signals
  KnowledgeSearch search;
  std::vector<Core> cores;                                        ///< of the program, row-major
  std::unordered_map<WordKey, Releases, HashOfWord> wordsOutside; ///< of other cores
  std::unordered_map<uint32_t, Releases> meetings;                ///< at resets, by node
  /// Signals and multicasts that have not landed, by number.
  std::unordered_map<uint64_t, Shared<TransferState>> issued;
  /// The words that the next landing has changed, and their values.
  std::vector<std::pair<WordKey, uint32_t>> changed;
  MemoryUses memory;
  QueuedBlocks slices;
  std::vector<const SemaphoreConfig *> ofUser; ///< the semaphores that no pipe uses
  SemaphoreRaces semaphores;
  std::vector<Fault> found;
  std::set<std::pair<uint32_t, uint32_t>> reported; ///< pairs of positions
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_RACECHECK_H
