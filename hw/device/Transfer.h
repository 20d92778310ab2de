//===- Transfer.h - records of transfers in flight ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A transfer is in flight from its issue until it lands, and outstanding until its thread has
// waited for it. A transfer to another device leaves before it lands: its thread waits only until
// it has left. hw/device/Noc.h moves transfers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TRANSFER_H
#define TTJIT_HW_DEVICE_TRANSFER_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Events.h"

#include <memory>
#include <vector>

namespace ttjit::hw {

struct ThreadContext; // defined in hw/device/ThreadContext.h

enum class TransferKind : uint8_t { Read, Write, Multicast, SemaphoreInc };

/// Pages of a circular buffer of the issuing core; `buffer` is null if the range is in
/// no buffer.
struct LocalPages {
  CircularBuffer *buffer = nullptr;
  uint32_t first = 0, count = 0;
};

/// One read, write, multicast or semaphore operation. It is in flight from its issue
/// until it lands, and outstanding until its thread has waited for it (barrier or flush).
/// An outstanding transfer keeps its local pages busy, landed or not, so that a missing
/// barrier is found under every delivery policy.
struct Transfer {
  struct Links {
    Transfer *next = nullptr, *previous = nullptr;
  };
  Links inFlight, outstanding;

  ThreadContext *owner = nullptr;
  uint64_t number = 0; ///< position in the issue order of all threads
  uint32_t loc = 0;
  TransferKind kind = TransferKind::Read;
  uint8_t id = 0;          ///< transaction id of the transfer
  bool landed = false;     ///< whether its thread need not wait for it any more
  bool isFabric = false;   ///< whether it goes to another device
  bool hasArrived = false; ///< of one to another device: whether it has landed there
  bool isComplete = false; ///< whether it is not outstanding any more
  bool loopback = false;   ///< whether a multicast also writes its sender
  bool posted = false;     ///< whether a write gets no answer: only a flush of posted writes waits
  bool immediate = false;  ///< whether a write has its bytes in `value`, not in L1
  /// Transfers of one thread with the same number land in issue order; 0: in any order.
  uint64_t stream = 0;

  uint8_t *source = nullptr;
  const uint8_t *carried = nullptr; ///< the bytes, after a transfer to another device has left
  uint8_t *destination = nullptr;   ///< not used by multicasts
  uint32_t bytes = 0;
  uint32_t value = 0; ///< increment of a semaphore, or the bytes of an immediate write
  /// The remote end, if it is in a tensor: from byte `offset` of `page` on. Its bytes are
  /// `runs` runs of equal length, which begin `hostStep` bytes apart on the host.
  const TensorAccess *tensor = nullptr;
  uint32_t page = 0, offset = 0, runs = 1;
  uint64_t hostStep = 0;
  /// If this is a block of pages: the number of transfers, one for each page, that it replaces.
  /// They have the numbers from `number` on. Blocks exist only in runs without listeners.
  uint32_t transfers = 1;
  /// If the remote end is not in a tensor: the destination (for a read, the source) as virtual
  /// coordinates, a rectangle for multicasts, and an address in L1.
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  uint32_t address = 0;
  LocalPages local;
  /// Number of resets of the buffers at the destination, in the L1 of cores, at the issue of the
  /// transfer; 0 if the program has no resets.
  uint64_t resets = 0;
};

/// An intrusive, doubly linked list of transfers in issue order. size() counts each transfer that a
/// block replaces.
template <Transfer::Links Transfer::*links> class TransferList {
public:
  Transfer *front() const { return head; }
  static Transfer *next(Transfer *transfer) { return (transfer->*links).next; }
  size_t size() const { return count; }

  void pushBack(Transfer *transfer) { insert(transfer, nullptr); }
  /// Inserts `transfer` before `next`; at the end if that is null.
  void insert(Transfer *transfer, Transfer *next) {
    Transfer *previous = next ? (next->*links).previous : tail;
    transfer->*links = {next, previous};
    (previous ? (previous->*links).next : head) = transfer;
    (next ? (next->*links).previous : tail) = transfer;
    count += transfer->transfers;
  }
  void remove(Transfer *transfer) {
    auto [after, before] = transfer->*links;
    (before ? (before->*links).next : head) = after;
    (after ? (after->*links).previous : tail) = before;
    count -= transfer->transfers;
  }

private:
  Transfer *head = nullptr, *tail = nullptr;
  size_t count = 0;
};

using InFlightList = TransferList<&Transfer::inFlight>;
using OutstandingList = TransferList<&Transfer::outstanding>;

/// Allocates transfers in blocks. reset() frees all of them.
class TransferPool {
public:
  Transfer *take() {
    if (unused.empty())
      addBlock();
    Transfer *transfer = unused.back();
    unused.pop_back();
    *transfer = Transfer();
    return transfer;
  }
  void give(Transfer *transfer) { unused.push_back(transfer); }

  void reset() {
    unused.clear();
    for (auto &block : blocks)
      addAll(block.get());
  }

private:
  static constexpr size_t kBlock = 256;
  void addBlock() {
    blocks.push_back(std::make_unique<Transfer[]>(kBlock));
    addAll(blocks.back().get());
  }
  void addAll(Transfer *block) {
    for (size_t i = kBlock; i-- > 0;)
      unused.push_back(block + i);
  }

  std::vector<std::unique_ptr<Transfer[]>> blocks;
  std::vector<Transfer *> unused;
};

/// The transfers that a barrier waits for: those of a kind, and of one id or of all ids (kAllIds).
/// Writes include multicasts.
struct BarrierSet {
  enum Of : uint8_t { Reads, Writes, PostedWrites, Increments } of;
  uint64_t id;
  bool contains(const Transfer &transfer) const {
    Of kind = transfer.kind == TransferKind::Read           ? Reads
              : transfer.kind == TransferKind::SemaphoreInc ? Increments
              : transfer.posted                             ? PostedWrites
                                                            : Writes;
    return kind == of && (id == kAllIds || transfer.id == id);
  }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TRANSFER_H
