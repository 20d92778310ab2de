//===- InitCheck.h - finds uses of bytes that nobody wrote ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pages of a block are unwritten after its reserve, those of a tensor from empty() after its
// creation. A copy of unwritten bytes is no use, but makes its destination unwritten. A thread
// uses bytes when it computes with them, reads an element, or passes a block to the host.
//
// A use of unwritten bytes may leave the results as they are. The caller can run the program again
// with other bytes in the unwritten memory to see whether a result changes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_CHECK_INITCHECK_H
#define TTJIT_HW_CHECK_INITCHECK_H

#include "hw/check/BufferRings.h"
#include "hw/check/PlaceNames.h"
#include "hw/check/Unwritten.h"

#include <optional>
#include <vector>

namespace ttjit::hw::check {

/// The first use of the unwritten bytes of one tensor or buffer.
struct UnwrittenUse {
  UnwrittenOrigin origin;
  int buffer = -1; ///< index of the buffer that the bytes come from; -1: from a tensor
  Fault fault;     ///< the message about the use
};

/// Listens to one run.
class InitCheck : public EventListener {
public:
  explicit InitCheck(PlaceNames::TensorName tensorName) : names(std::move(tensorName)) {}

  /// Marks this page of tensor number `tensor` as unwritten. Call it before the run.
  void addUnwritten(const MemoryPlace &page, int tensor) { memory.add(page, {page, tensor}); }

  void onRunStart(const Program &program) override;
  void onEvent(const Event &event) override;

  /// Returns one use for each tensor and buffer whose unwritten bytes are used.
  const std::vector<UnwrittenUse> &uses() const { return found; }
  /// Returns the memory that is unwritten at the end of the run.
  const Unwritten &unwritten() const { return memory; }

private:
  void reserve(const Event &event);
  void access(const Event &event);
  void use(const Event &event, const UnwrittenOrigin &origin);
  Fault explain(const Event &event, const UnwrittenOrigin &origin) const;

  PlaceNames names;
  const Program *program = nullptr;
  BufferRings rings;
  std::map<BufferRings::Key, uint64_t> reservedEnds; ///< pages that were reserved before
  Unwritten memory;
  std::vector<UnwrittenUse> found;
};

} // namespace ttjit::hw::check

#endif // TTJIT_HW_CHECK_INITCHECK_H
