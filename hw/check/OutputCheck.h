//===- OutputCheck.h - finds tensors that a run writes in part ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A run that writes some bytes of a tensor should write all of them, unless it reads the bytes that
// it does not write. The caller knows which bytes are elements and not padding.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_OUTPUTCHECK_H
#define TTJIT_HW_CHECK_OUTPUTCHECK_H

#include "hw/check/PlaceNames.h"
#include "hw/check/Unwritten.h"

#include <vector>

namespace ttjit::hw::check {

/// Listens to one run.
class OutputCheck : public EventListener {
public:
  OutputCheck() : names([](const MemoryPlace &) { return std::string(); }) {}

  /// Tells the check that a page belongs to a tensor. Call it before the run.
  void addPage(const MemoryPlace &page, int tensor);

  void onRunStart(const Program &program) override { names.setProgram(program); }
  void onEvent(const Event &event) override;

  /// Returns the position of the first write to a tensor, if the run neither wrote nor read some
  /// bytes of that tensor; otherwise 0.
  uint32_t partialWriteOf(int tensor) const;
  SourceLocation location(uint32_t loc) const { return names.location(loc); }
  const Unwritten &unwritten() const { return memory; }

private:
  struct TensorState {
    uint32_t firstWrite = 0;
    bool isRead = false; ///< where the run has not written it
  };

  void read(const MemoryPlace &place);
  void write(const MemoryPlace &place, uint32_t loc);

  PlaceNames names;
  Unwritten memory;
  std::vector<TensorState> tensors;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_OUTPUTCHECK_H
