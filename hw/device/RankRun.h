//===- RankRun.h - one rank's part of a run -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A mesh may run in several processes, the ranks (hw/link/Ranks.h). Device d belongs to rank d * R
// / (number of devices), rounded down, of R ranks. A rank runs only its own devices. It also has
// the nodes and threads of the other ranks, because reports name them.
//
// After each round (hw/device/Rounds.h) every rank sends one message to every other one. It has
// what left for the receiver's devices, whether threads are left, the first fault, and what
// listeners and readers of printed text must know. So all ranks end the run after the same round,
// with the same fault. No message is under way then, so the end needs no other protocol.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_RANKRUN_H
#define TTJIT_HW_DEVICE_RANKRUN_H

#include "hw/device/Machine.h"
#include "hw/device/RankEvents.h"
#include "hw/link/Link.h"

#include <functional>
#include <utility>

namespace ttjit::hw {

/// What ranks must know after a round, summed over all devices or those of one rank.
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
  /// The run must use options(), which this object makes from `users`. `tells`: whether this rank
  /// has the listeners and the reader of printed text.
  RankRun(Link &link, const Program &program, const RunOptions &users, bool tells = true);

  /// Returns why ranks cannot run the program with these options; empty if they can.
  static std::string whyNot(const Link &link, const Program &program, const RunOptions &options);

  const RunOptions &options() const { return own; }
  bool owns(size_t device) const { return ownerOf(device) == link.rank(); }
  void use(Machine &its) { machine = &its; }

  /// Begins the turn of this device: the following events and lines belong to it.
  void beginTurn(size_t device) { turn = device, events.beginTurn(device); }

  /// Tells the other ranks about the round, with the transfers by device. Returns the end of the
  /// round for all ranks. If one has a fault, all ranks then have the first one.
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

  /// Exchanges the states of all threads, which are blocked, so that all ranks know them.
  void shareWaits();
  /// Exchanges the counts, which are added up, and the words that tell what was not received.
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
