//===- RankRun.h - one rank's part of a run -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The devices of a mesh are divided among R ranks: device d belongs to rank d * R / (number of
// devices), rounded down. A rank runs its own devices only. It also knows the nodes and threads of
// the other ranks, because reports name them.
//
// After each round (hw/device/Rounds.h) every rank sends one message to every other one: what has
// left for its devices, whether threads are left, the first fault, and what listeners and readers
// of printed text must know. So all ranks end the run after the same round, with the same fault.
// No message is under way at that time, so the end needs no other protocol.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RANKRUN_H
#define TTJIT_HW_DEVICE_RANKRUN_H

#include "hw/device/Machine.h"
#include "hw/device/RankEvents.h"
#include "hw/link/Link.h"

#include <functional>
#include <utility>

namespace ttjit::hw {

/// What ranks must know after a round; of all devices or those of a rank.
struct RoundEnd {
  size_t departed = 0; ///< number of transfers that left for other devices
  bool hasThreads = false, arePolling = false;
};

/// Returns the rank that runs a device.
inline int rankOf(int device, int numRanks, int numDevices) {
  return static_cast<int>(static_cast<int64_t>(device) * numRanks / numDevices);
}

class RankRun {
public:
  /// The run must have the options of options(), in place of `users`. `tells`: whether the
  /// listeners and the reader of printed text are those of this rank.
  RankRun(Link &link, const Program &program, const RunOptions &users, bool tells = true);

  /// Returns why ranks cannot run the program with these options; empty if they can.
  static std::string whyNot(const Link &link, const Program &program, const RunOptions &options);

  const RunOptions &options() const { return own; }
  bool owns(size_t device) const { return ownerOf(device) == link.rank(); }
  void use(Machine &its) { machine = &its; }

  /// What happens from now on happens in the turn of this device.
  void beginTurn(size_t device) { turn = device, events.beginTurn(device); }

  /// Tells the other ranks about the round, with the transfers by device. Returns what holds for
  /// all ranks. If one has a fault, all have the first one then.
  RoundEnd endRound(const RoundEnd &end, const std::vector<std::vector<Transfer *>> &departed);
  /// Tells the other ranks that this one cannot begin the run, because of its fault.
  void tellNotReady() { endRound({}, {}); }
  /// A transfer from a device of another rank, and the bytes that it carries.
  struct Arrival {
    Transfer transfer;
    Message bytes;
  };
  /// Returns the transfers from a device of another rank to devices of this one, in order.
  std::vector<Arrival> takeArrivals(size_t source) { return std::exchange(arrivals[source], {}); }

  /// Gives all ranks the state of all threads, which are blocked.
  void shareWaits();
  /// Gives all ranks the sums of the counts, and the words that tell what was not received.
  void finish(RunStats &stats);

private:
  int ownerOf(size_t device) const;
  std::vector<Message> exchangeSame(Message message);
  void putTransfers(Message &message, int to,
                    const std::vector<std::vector<Transfer *>> &departed) const;
  void takeTransfers(ByteReader &reader);
  RoundEnd takeRound(const std::vector<Message> &messages);
  void putLines(Message &message);
  void printLines(const std::vector<std::pair<size_t, std::string>> &lines, uint64_t lastDevice);

  Link &link;
  const Program &program;
  RankEvents events;
  const std::function<void(const std::string &)> print; ///< that of the user
  RunOptions own;
  Machine *machine = nullptr;
  size_t turn = 0;
  std::vector<std::pair<size_t, std::string>> lines; ///< printed text, by device
  std::vector<std::vector<Arrival>> arrivals;        ///< by source device
  std::vector<std::vector<WaitState>> alternatives;  ///< of threads of other ranks
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_RANKRUN_H
