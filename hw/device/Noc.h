//===- Noc.h - transfers in flight ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Transfers in flight and the rules of their delivery. Each transfer lands at one moment. Late:
// when it is waited for, else at its thread's end. Eager: when it is issued. Random: when the
// decision source says so. If no thread can run, the oldest transfer lands. Transfers of one stream
// land in issue order. A transfer to another device leaves at such a moment, with a copy of its
// bytes, and its thread need not wait for it any more. It arrives at once under Eager, and under
// Late when no thread can run; the thread is not told. hw/calls/Issue.cpp checks each transfer when
// it is issued.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NOC_H
#define TTJIT_HW_DEVICE_NOC_H

#include "hw/device/BufferResets.h"
#include "hw/device/Decisions.h"
#include "hw/device/Port.h"
#include "hw/device/Transfer.h"

#include <deque>
#include <unordered_map>
#include <utility>

namespace ttjit::hw {

struct Machine; // defined in hw/device/Machine.h

class Noc {
public:
  Noc(Machine &machine, Partition &partition, Waiters &waiters, TransferPool &pool,
      DecisionSource &decisions);

  /// Makes a transfer of `thread`, or a block of `transfers` transfers. The caller fills it in and
  /// issues it (Worker::send).
  Transfer *make(ThreadContext &thread, TransferKind kind, uint32_t transfers = 1);
  Status issue(Transfer *transfer);
  /// Returns whether the thread may have `transfers` more transfers in flight.
  static bool hasRoom(const ThreadContext &thread, uint32_t transfers);

  /// Lands the transfers in `set`, for which the thread is about to wait, unless they land at
  /// random moments.
  void landFor(ThreadContext &thread, BarrierSet set);
  /// Returns whether all transfers in `set` have landed.
  static bool allLanded(const ThreadContext &thread, BarrierSet set);
  /// Completes the transfers in `set`, which must have landed: their pages are no longer busy.
  void complete(ThreadContext &thread, BarrierSet set);
  /// Lands all transfers that the thread has in flight.
  void finish(ThreadContext &thread);

  /// Whether transfers are to land here.
  bool hasTransfers() const { return inFlight.size() || !inbound.empty(); }
  /// Lands the oldest transfer; returns false if none is in flight.
  bool landOldest();
  /// Lands the transfers that the decision source wants to land now.
  void landSome();

  /// Forgets all transfers in flight. Their threads have left.
  void forget() {
    inFlight = {};
    payloads.clear();
  }

  //===--- If the devices take turns (hw/device/Rounds.h) ---------------------===//

  /// Takes the transfers that have left for other devices, oldest first.
  std::vector<Transfer *> takeDeparted() { return std::exchange(departed, {}); }
  /// A transfer that another device of this process has sent, and the Noc of that device.
  struct Received {
    Noc *sender;
    Transfer *transfer;
  };
  /// Adds a transfer of another device, which lands when no thread of this device can run. If
  /// another rank has sent it, `origin.sender` is null.
  void addArrival(const Transfer &transfer, std::vector<uint8_t> bytes, Received origin);
  /// Returns the transfers of this process that have landed here since the last call. The caller
  /// must call retire() of each sender, while no host thread runs a device.
  std::vector<Received> takeReceived() { return std::exchange(received, {}); }
  /// Ends a transfer of takeDeparted() after it has landed, or because another rank will land it.
  void retire(Transfer *transfer);

  /// Marks the pages that arrived at a node of the partition, and wakes threads.
  void arrived(const Arrival &arrival) { deliver(arrival, waiters); }

  /// Returns a transfer of this core that uses the pages and was not waited for, or
  /// null.
  static const Transfer *findBusy(const Node &node, const CircularBuffer &buffer, uint32_t first,
                                  uint32_t count);

private:
  /// A transfer from another device that has not landed.
  struct Inbound {
    Transfer transfer;
    std::vector<uint8_t> bytes; ///< that it carries, if it is of another rank
    Received origin;
  };

  void land(Transfer *transfer);
  /// Copies the bytes of a transfer from another device, or increments its semaphore.
  void receive(const Transfer &transfer);
  bool landInbound();
  /// Lands the transfer, or lets it leave if it goes to another device.
  void release(Transfer *transfer);
  void releaseInStream(Transfer *transfer);
  void depart(Transfer *transfer);
  void arrive(Transfer *transfer);
  void advance(Transfer *transfer);
  void endWait(Transfer *transfer);
  void move(const Transfer &transfer);
  void read(const Transfer &transfer);
  Transfer *expand(Transfer *block);
  Transfer *expandFrom(Transfer *first);
  void complete(Transfer *transfer);
  void countMove(const Transfer &transfer, uint64_t bytes);

  Machine &machine;
  Partition &partition;
  Waiters &waiters;
  Port port;
  LateTransfers late;
  TransferPool &pool;
  DecisionSource &decisions;
  DeliveryPolicy policy;
  InFlightList inFlight;
  std::vector<Transfer *> departed; ///< not in `inFlight` any more; only if the devices take turns
  std::deque<Inbound> inbound;      ///< in the order in which they land
  std::vector<Received> received;   ///< what takeReceived() returns
  /// The bytes of transfers that have left for another device.
  std::unordered_map<const Transfer *, std::vector<uint8_t>> payloads;
  uint64_t nextNumber = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NOC_H
