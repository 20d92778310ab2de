//===- Noc.h - transfers in flight ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Transfers in flight and the rules of their delivery. Each transfer lands at one moment.
// Late: when it is waited for, else at its thread's end. Eager: when it is issued. Random:
// when the decision source says so. If no thread can run, the oldest transfer lands.
// Transfers of one stream land in issue order. hw/calls/Issue.cpp checks each transfer when
// it is issued.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NOC_H
#define TTJIT_HW_DEVICE_NOC_H

#include "hw/device/Decisions.h"
#include "hw/device/Transfer.h"

namespace ttjit::hw {

class Machine;
class Partition;
struct Node;
struct ThreadContext;

/// Returns the L1 address of the end of a transfer that is on the core of its thread; 0 for an
/// immediate write.
uint32_t localAddress(const Transfer &transfer);

/// The places from which and to which a transfer moves bytes.
struct TransferEnds {
  MemoryPlace source, destination;
};

class Noc {
public:
  Noc(Machine &machine, Partition &partition, TransferPool &pool, DecisionSource &decisions);

  /// Makes a transfer of `thread`, or a block of `transfers`; the caller fills it in and sends it.
  Transfer *make(ThreadContext &thread, TransferKind kind, uint32_t transfers = 1);
  Status send(Transfer *transfer);
  /// Returns whether the thread may have `transfers` more transfers in flight.
  static bool hasRoom(const ThreadContext &thread, uint32_t transfers);

  /// Returns when all transfers in `set` have landed; their pages are then no longer
  /// busy.
  Status barrier(ThreadContext &thread, BarrierSet set);
  /// Lands all transfers that the thread has in flight.
  void finish(ThreadContext &thread);

  /// Lands the oldest transfer; returns false if none is in flight.
  bool landOldest();
  /// Lands the transfers that the decision source wants to land now.
  void landSome();

  /// Forgets all transfers in flight. Their threads have left.
  void forget() { inFlight = {}; }

  /// Marks the pages of a node that bytes from another core filled, and wakes waits for words
  /// among these bytes. The node belongs to this partition.
  void arrived(Node &node, uint32_t address, uint32_t bytes);

  /// Returns a transfer of this core that touches the pages and was not waited for, or
  /// null.
  static const Transfer *findBusy(const Node &node, const CircularBuffer &buffer, uint32_t first,
                                  uint32_t count);

  /// Returns the places of a transfer, which is no block. Of a multicast it has the first place, of
  /// an increment or an immediate write the destination only.
  TransferEnds endsOf(const Transfer &transfer) const;

private:
  void land(Transfer *transfer);
  void landInStream(Transfer *transfer);
  void move(const Transfer &transfer);
  // Events of transfers (Reports.cpp).
  MemoryPlace remotePlace(const Transfer &transfer) const;
  template <typename Visit> void forEachCore(const Transfer &transfer, Visit visit) const;
  void reportLegs(const Transfer &multicast) const;
  void reportWords(const Transfer &landed) const;
  void read(const Transfer &transfer);
  Transfer *expand(Transfer *block);
  Transfer *expandFrom(Transfer *first);
  void landForBarrier(ThreadContext &thread, BarrierSet set);
  bool allLanded(const ThreadContext &thread, BarrierSet set) const;
  void complete(Transfer *transfer);

  Machine &machine;
  Partition &partition;
  TransferPool &pool;
  DecisionSource &decisions;
  DeliveryPolicy policy;
  InFlightList inFlight;
  uint64_t nextNumber = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NOC_H
