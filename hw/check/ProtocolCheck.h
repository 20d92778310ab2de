//===- ProtocolCheck.h - finds what a kernel leaves unfinished ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// At the end of a run every block that was pushed should be popped, and a thread should have waited
// for the last value of each semaphore that other threads change. Otherwise two threads disagree
// about a number, or a wait is missing. On a card, the next kernel may find such a block or value.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_PROTOCOLCHECK_H
#define TTJIT_HW_CHECK_PROTOCOLCHECK_H

#include "hw/check/BufferRings.h"
#include "hw/check/PlaceNames.h"
#include "hw/facts/Arch.h"

#include <map>
#include <vector>

namespace ttjit::hw::check {

/// Listens to one run. Buffers in the memory of a tensor may keep blocks, which are its content.
class ProtocolCheck : public EventListener {
public:
  explicit ProtocolCheck(const ArchDesc &arch) : arch(arch) {}

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// Returns one finding for each buffer and each semaphore, for all nodes together. Call it only
  /// after a run without a fault, because a fault leaves much unfinished.
  std::vector<Fault> findings() const;

private:
  /// A semaphore of one node.
  struct Word {
    uint32_t value = 0, waited = 0; ///< its last value, and the largest that a thread waited for
    uint32_t loc = 0;               ///< of its last change by another thread
  };

  void followWord(const Event &event);
  Word &wordAt(uint64_t address, int x, int y);
  Fault explain(const SemaphoreConfig &semaphore,
                const std::vector<std::pair<NodeCoord, const Word *>> &left) const;
  void addSemaphores(std::vector<Fault> &found) const;
  Fault explain(const BufferConfig &buffer,
                const std::vector<std::pair<uint32_t, const BufferRing *>> &left) const;

  PlaceNames names{[](const MemoryPlace &) { return std::string(); }};
  const ArchDesc &arch;
  const Program *program = nullptr;
  BufferRings rings;
  std::map<uint64_t, std::map<std::pair<int, int>, Word>> words; ///< by address, and by (y, x)
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_PROTOCOLCHECK_H
