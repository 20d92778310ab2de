//===- Issue.h - checks and records of transfers being issued -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every transfer is checked where it is issued: ends inside their memories, source
// and destination congruent modulo the alignment (metalium-api 1.10), source pages
// written. When it lands is the business of hw/device/Noc.h.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_ISSUE_H
#define TTJIT_HW_ABI_ISSUE_H

#include "hw/device/LocalMemory.h"
#include "hw/device/NocAddress.h"

namespace ttjit::hw {

/// Keys of ordered streams (Transfer::stream): channel and destination. Reads have
/// none.
uint64_t streamToCore(int virtualX, int virtualY);
uint64_t streamToBank(uint32_t bank);

/// One call that issues a transfer.
struct Issue {
  ThreadContext &thread;
  Machine &machine;
  const char *name;

  Issue(KernelThread *t, const char *name)
      : thread(contextOf(t)), machine(*thread.machine), name(name) {}

  /// Every call begins with this and returns its status unless it is Ok.
  Status begin();
  Status fail(FaultKind kind, const std::string &text, std::vector<FaultNote> notes = {}) const;

  /// Checks; the caller returns their status unless it is Ok.
  Status findLocal(uint32_t address, int64_t bytes, LocalPages &pages) const;
  Status checkSource(const LocalPages &pages) const;
  Status checkCongruent(uint32_t l1Address, uint64_t other, uint32_t modulus,
                        const char *memory) const;
  /// `count` pages that follow each other in the bank of `page`.
  Status checkPages(const TensorAccess &tensor, int32_t page, int32_t count) const;
  /// `bytes` bytes from byte `offset` of row `row` on.
  Status checkRow(const TensorAccess &tensor, int32_t row, int64_t offset, int64_t bytes) const;
  Status findCore(const NocAddress &address, int64_t bytes, uint8_t *&l1) const;
  Status findRectangle(NocAddress &address, int64_t bytes, int32_t numDests, bool loopback) const;

  /// Sends `bytes` bytes, or a semaphore word, to one core or a rectangle of cores.
  Status write(uint32_t l1Address, uint64_t destination, int64_t bytes, LocalPages local) const;
  Status multicast(uint32_t l1Address, uint64_t destination, int64_t bytes, int32_t numDests,
                   bool loopback, LocalPages local) const;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_ABI_ISSUE_H
