//===- ProtocolCheck.h - finds what a kernel leaves unfinished ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// At the end of a run every block that was pushed should be popped, and every copy waited for. What
// is left says that two threads disagree about the number of blocks, or that a wait is missing; on
// a card the next kernel may find it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_PROTOCOLCHECK_H
#define TTJIT_HW_CHECK_PROTOCOLCHECK_H

#include "hw/check/BufferRings.h"
#include "hw/check/PlaceNames.h"

#include <vector>

namespace ttjit::hw::check {

/// Listens to one run. Buffers that are memory of a tensor may keep blocks: they are its content.
class ProtocolCheck : public EventListener {
public:
  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// One finding for each buffer, for all nodes together. Call it after a run without a fault: a
  /// fault leaves much unfinished.
  std::vector<Fault> findings() const;

private:
  Fault explain(const BufferConfig &buffer,
                const std::vector<std::pair<uint32_t, const BufferRing *>> &left) const;

  PlaceNames names{[](const MemoryPlace &) { return std::string(); }};
  const Program *program = nullptr;
  BufferRings rings;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_PROTOCOLCHECK_H
