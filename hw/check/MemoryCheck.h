//===- MemoryCheck.h - finds uses of pages that a thread gave away --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A thread may use a page of a buffer of its node while it has reserved or waited for the page.
// After the push or pop the page belongs to another thread: an address that the thread kept is
// stale. Other mistakes (an address outside of memory, a wrong alignment) are faults in every run.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_MEMORYCHECK_H
#define TTJIT_HW_CHECK_MEMORYCHECK_H

#include "hw/check/BufferRings.h"
#include "hw/check/PlaceNames.h"

#include <set>
#include <vector>

namespace ttjit::hw::check {

/// Listens to one run.
class MemoryCheck : public EventListener {
public:
  MemoryCheck() : names([](const MemoryPlace &) { return std::string(); }) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// Returns one finding for each position.
  const std::vector<Fault> &findings() const { return found; }

private:
  void checkUse(const Event &event, const MemoryPlace &place, bool writes);
  void checkRing(const Event &event, const MemoryPlace &place, bool writes, const BufferRing &ring,
                 uint32_t page);

  PlaceNames names;
  const Program *program = nullptr;
  BufferRings rings;
  std::vector<Fault> found;
  std::set<uint32_t> reported; ///< positions
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_MEMORYCHECK_H
