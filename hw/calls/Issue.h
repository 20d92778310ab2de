//===- Issue.h - checks and records of transfers being issued -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each transfer is checked when it is issued. Both ends must lie inside their memories,
// the addresses of source and destination must be congruent modulo the NoC's alignment,
// and the source pages must be written. hw/device/Noc.h decides when the transfer
// lands.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CALLS_ISSUE_H
#define TTJIT_HW_CALLS_ISSUE_H

#include "hw/device/LocalMemory.h"
#include "hw/device/NocAddress.h"
#include "hw/device/Worker.h"

#include <optional>

namespace ttjit::hw {

/// A part of a tensor: `bytes` bytes from byte `offset` of `page` on, or `count` whole pages
/// that follow each other in the bank of `page`.
struct TensorPart {
  uint32_t page, offset, bytes;
  uint32_t count = 1;
};

/// Checks and issues the transfer of one call.
struct Issue {
  ThreadContext &thread;
  Machine &machine;
  const char *name = nullptr;          ///< of a call that only C++ has, or that the user named
  UserCall call = UserCall::Copy;      ///< if there is no name
  std::optional<uint32_t> semaphore{}; ///< the L1 address of the call's semaphore, if it has one

  Issue(KernelThread *t, const char *name)
      : thread(contextOf(t)), machine(*thread.machine), name(name) {}
  Issue(KernelThread *t, UserCall call, std::optional<uint32_t> semaphore = std::nullopt)
      : thread(contextOf(t)), machine(*thread.machine), call(call), semaphore(semaphore) {}

  /// Counts the call as a step and enters the machine. The caller returns the status
  /// unless it is Ok.
  Status begin();
  /// Records a fault whose message begins with the call.
  Status fail(FaultKind kind, const std::string &text, std::vector<FaultNote> notes = {}) const;

  /// Returns the part of the NoC that moves the transfers of this thread.
  Noc &noc() const { return thread.worker->noc; }

  /// The functions below check one thing each. The caller returns their status unless
  /// it is Ok.
  Status findLocal(uint32_t address, int64_t bytes, LocalPages &pages) const;
  Status checkSource(const LocalPages &pages) const;
  Status checkCongruent(uint32_t l1Address, uint64_t other, uint32_t modulus,
                        const char *memory) const;
  /// Checks `count` pages that follow each other in the bank of `page`.
  Status checkPages(const TensorAccess &tensor, int32_t page, int32_t count) const;
  /// Checks `bytes` bytes from byte `offset` of row `row` on, which may be in several pages.
  Status checkRow(const TensorAccess &tensor, int32_t row, int64_t offset, int64_t bytes) const;
  Status findCore(const NocAddress &address, int64_t bytes, uint8_t *&l1) const;
  Status findRectangle(const NocAddress &address, int64_t bytes, int32_t numDests,
                       bool loopback) const;

  /// Checks that the cores with these virtual columns are on the thread's device. `what`, for the
  /// message: what is not possible over the fabric.
  Status checkOneDevice(int firstX, int lastX, const char *what) const;

  /// Sends a transfer between a part of the tensor and the same number of bytes at `l1Address`.
  Status sendPart(TransferKind kind, const TensorAccess &tensor, const TensorPart &part,
                  uint32_t l1Address, const LocalPages &local) const;
  /// Sets the stream of a transfer to another core, and notes if that core is on another device
  /// than the thread.
  void direct(Transfer &transfer, uint64_t stream) const;
  /// Sends `bytes` bytes, or a semaphore word, to one core or a rectangle of cores.
  Status write(uint32_t l1Address, uint64_t destination, int64_t bytes, LocalPages local) const;
  Status multicast(uint32_t l1Address, uint64_t destination, int64_t bytes, int32_t numDests,
                   bool loopback, LocalPages local) const;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_CALLS_ISSUE_H
