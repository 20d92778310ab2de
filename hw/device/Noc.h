//===- Noc.h - when transfers land ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Transfers in flight and the rules of their delivery (design C7). Each lands at
// one moment: late (when it is waited for, else at its thread's end), eager (at
// issue) or when the decision source says; the oldest one when nobody can run.
// Operations of one stream land in issue order. What is checked when they are issued
// stands in hw/abi/Issue.cpp.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_NOC_H
#define TTJIT_HW_DEVICE_NOC_H

#include "hw/abi/KernelApi.h"
#include "hw/device/Decisions.h"
#include "hw/device/Transfer.h"

namespace ttjit::hw {

class Machine;
struct Node;

/// What a barrier waits for: reads, writes and multicasts, or increments; of one id
/// or kAllIds.
struct BarrierSet {
  enum Of : uint8_t { Reads, Writes, Increments } of;
  uint64_t id;
  bool contains(const Transfer &transfer) const {
    Of kind = transfer.kind == TransferKind::Read           ? Reads
              : transfer.kind == TransferKind::SemaphoreInc ? Increments
                                                            : Writes;
    return kind == of && (id == kAllIds || transfer.id == id);
  }
};

class Noc {
public:
  Noc(Machine &machine, TransferPool &pool, DecisionSource &decisions);

  /// A record of `thread`'s, to be filled in and sent.
  Transfer *make(ThreadContext &thread, TransferKind kind);
  Status send(Transfer *transfer);

  /// Returns when everything in `set` has landed; its pages are free then.
  Status barrier(ThreadContext &thread, BarrierSet set);
  /// Lands all that the thread has in flight.
  void finish(ThreadContext &thread);

  /// False if nothing is in flight.
  bool landOldest();
  /// Lands what the decision source wants to land now.
  void landSome();

  /// A transfer of this core that was not waited for and touches the pages.
  static const Transfer *findBusy(const Node &node, const CircularBuffer &buffer, uint32_t first,
                                  uint32_t count);

private:
  void land(Transfer *transfer);
  void landInStream(Transfer *transfer);
  void move(const Transfer &transfer);
  void multicast(const Transfer &transfer);
  void arrived(Node *node, uint32_t address, uint32_t bytes);
  void landForBarrier(ThreadContext &thread, BarrierSet set);
  bool allLanded(const ThreadContext &thread, BarrierSet set) const;
  void complete(Transfer *transfer);

  Machine &machine;
  TransferPool &pool;
  DecisionSource &decisions;
  DeliveryPolicy policy;
  InFlightList inFlight;
  uint64_t nextNumber = 0;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_NOC_H
